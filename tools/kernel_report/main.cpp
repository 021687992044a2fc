// SPDX-License-Identifier: Apache-2.0
//
// main: measures, and writes the table to stdout, and JSON and SVG on request.
#include "rows.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

import cudax.sync.host;

namespace {

constexpr char usage[] = R"(usage: kernel_report [--elements N] [--threads N] [--json FILE] [--svg FILE]
  --elements N  the number of elements of the arrays; default 2^26, on the emulator 2^14
  --threads N   the number of threads of a block: a power of two from 32 to 1024; default 512
  --json FILE   writes the numbers to FILE; - is stdout, without the table
  --svg FILE    writes the plot to FILE
)";

[[noreturn]] void fail(std::string const& why) {
  std::fprintf(stderr, "kernel_report: %s\n%s", why.c_str(), usage);
  std::exit(2);
}

unsigned number(char const* option, char const* text, unsigned long least, unsigned long most) {
  char* end = nullptr;
  unsigned long const value = std::strtoul(text, &end, 10);
  if (end == text || *end || value < least || value > most)
    fail(std::string(option) + " is '" + text + "'; use a number from " + std::to_string(least) + " to " +
         std::to_string(most));
  return unsigned(value);
}

void write(std::string const& file, std::string const& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) fail("'" + file + "' cannot be written");
}

} // namespace

int main(int count, char** arguments) {
  unsigned elements = 0, threads = 512;
  std::string json, svg;
  for (int i = 1; i < count; ++i) {
    std::string_view const a = arguments[i];
    if (a == "--help") return std::fputs(usage, stdout), 0;
    if (i + 1 == count) fail("'" + std::string(a) + "' needs an argument, or is unknown");
    char const* const value = arguments[++i];
    if (a == "--elements") elements = number("--elements", value, 1, 1ul << 29);
    else if (a == "--threads") threads = number("--threads", value, 32, 1024);
    else if (a == "--json") json = value;
    else if (a == "--svg") svg = value;
    else fail("unknown argument '" + std::string(a) + "'");
  }
  if (threads & (threads - 1)) fail("--threads is not a power of two");
  if (std::string const reason = cudax::no_device_reason(); !reason.empty()) {
    std::fprintf(stderr, "kernel_report: %s; tools/emulate runs it without a GPU\n", reason.c_str());
    return 3;
  }
  auto const report = kernel_report::measure(elements, threads);
  if (json != "-") std::fputs(table_of(report).c_str(), stdout);
  if (json == "-") std::fputs(json_of(report).c_str(), stdout);
  else if (!json.empty()) write(json, json_of(report));
  if (!svg.empty()) write(svg, plot_of(report));
  for (auto const& row : report.rows)
    if (!row.right) return 1;
  return 0;
}
