// SPDX-License-Identifier: Apache-2.0
//
// main: measures the rows of one problem, or describes the machine. A row is one JSON object on one line of
// the standard output; a line for people goes to the standard error. ../run calls this program once for each
// problem, so a kernel that fails takes only its problem with it.
#include "machine.hpp"
#include "measure.hpp"

#include <cstdio>
#include <cstring>
#include <stdexcept>

// problems.inc, made by CMake: one line CUDAX_BENCH_PROBLEM(name) for each problem.
#define CUDAX_BENCH_PROBLEM(name)                                                                                      \
  namespace cudax_side {                                                                                               \
  bench::rows rows_of_##name();                                                                                        \
  }                                                                                                                    \
  namespace libcuxx_side {                                                                                             \
  bench::rows rows_of_##name();                                                                                        \
  }
#include "problems.inc"
#undef CUDAX_BENCH_PROBLEM
namespace libcuxx_side {
extern int const version; // libcuxx_version.cu
}

namespace {

struct problem {
  char const* name;
  bench::rows (*cudax)();
  bench::rows (*libcuxx)();
};
problem const problems[] = {
#define CUDAX_BENCH_PROBLEM(name) {#name, cudax_side::rows_of_##name, libcuxx_side::rows_of_##name},
#include "problems.inc"
#undef CUDAX_BENCH_PROBLEM
};

char const usage[] =
    "usage: benchmarks --list | --machine | --problem NAME [--quick] [--only TEXT]\n"
    "  --list          the names of the problems\n"
    "  --machine       describes the device as a JSON object; without a device, says why and exits with 3\n"
    "  --problem NAME  measures its rows, one JSON object per line\n"
    "  --quick         fewer and shorter samples\n"
    "  --only TEXT     only rows whose name contains TEXT\n";

std::string quoted(std::string const& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string libcuxx_version() {
  int const v = libcuxx_side::version;
  return std::to_string(v / 1'000'000) + "." + std::to_string(v / 1000 % 1000) + "." + std::to_string(v % 1000);
}

void print_machine() {
  bench::machine const it = bench::this_machine();
  std::printf("{\"gpu\": %s, \"multiprocessors\": %d, \"sm\": %d, \"code_sm\": %d, \"clock_limit_mhz\": %d, "
              "\"clock_measured_mhz\": %d, \"driver\": %s, \"driver_cuda\": %s, \"runtime_cuda\": %s, "
              "\"compiler\": %s, \"libcuxx_version\": %s}\n",
              quoted(it.gpu).c_str(), it.multiprocessors, it.sm, it.code_sm, it.clock_limit_mhz, it.clock_measured_mhz,
              quoted(it.driver).c_str(), quoted(it.driver_cuda).c_str(), quoted(it.runtime_cuda).c_str(),
              quoted("clang " __clang_version__).c_str(), quoted(libcuxx_version()).c_str());
}

/// The part of a row's JSON about one library; null where there is no number.
std::string json(std::string const& library, bench::result const& found, bench::unit unit) {
  bool const is_time = unit == bench::unit::nanoseconds;
  auto shown = [&](double rate) { return number(is_time ? 1 / rate : rate); };
  auto field = [&](char const* suffix, std::string const& value) { return quoted(library + suffix) + ": " + value; };
  if (!found.trouble.empty()) return field("", "null") + ", " + field("_trouble", quoted(found.trouble));
  double const least = is_time ? found.maximum() : found.minimum(), most = is_time ? found.minimum() : found.maximum();
  std::string samples;
  for (double sample : found.samples) samples += (samples.empty() ? "" : ", ") + shown(sample);
  return field("", shown(found.median())) + ", " + field("_min", shown(least)) + ", " + field("_max", shown(most)) +
         ", " + field("_rounds", std::to_string(found.work.rounds)) + ", " +
         field("_launches", std::to_string(found.work.launches)) + ", " + field("_samples", "[" + samples + "]");
}

void print_row(char const* problem, bench::row const& row, bench::comparison const& found) {
  bool const both = found.cudax.trouble.empty() && found.libcuxx.trouble.empty();
  std::string const ratio = both ? number(found.cudax.median() / found.libcuxx.median()) : "null";
  std::printf("{\"problem\": %s, \"row\": %s, \"unit\": %s, \"ratio\": %s, \"blocks\": %u, "
              "\"threads\": %u, %s, %s}\n",
              quoted(problem).c_str(), quoted(row.name).c_str(),
              quoted(row.shown == bench::unit::nanoseconds ? "ns" : "Gop/s").c_str(), ratio.c_str(),
              found.cudax.work.blocks, found.cudax.work.threads_per_block,
              json("cudax", found.cudax, row.shown).c_str(), json("libcuxx", found.libcuxx, row.shown).c_str());
  std::fflush(stdout);
  std::fprintf(stderr, "  %-74s %s%s\n", row.name, ratio.c_str(), both ? "x" : "");
}

/// A row that could not be measured.
bench::comparison troubled(std::string const& trouble) {
  bench::comparison none;
  none.cudax.trouble = none.libcuxx.trouble = trouble;
  return none;
}

int measure(problem const& problem, bench::effort const& effort, char const* only) {
  bench::rows const cudax = problem.cudax(), libcuxx = problem.libcuxx();
  if (cudax.size() != libcuxx.size())
    throw std::logic_error(std::string(problem.name) + ": the libraries' rows differ");
  int status = 0;
  std::string broken; // a CUDA error stays for the rest of the program
  for (std::size_t i = 0; i < cudax.size(); ++i) {
    bench::row const& row = cudax[i];
    if (std::strcmp(row.name, libcuxx[i].name) != 0)
      throw std::logic_error(std::string(row.name) + ": the libraries' rows differ");
    if (!std::strstr(row.name, only)) continue;
    bench::comparison found;
    if (!broken.empty()) {
      found = troubled("not run, because of an error in " + broken);
    } else {
      try {
        found = bench::compare(row, libcuxx[i], effort);
      } catch (std::runtime_error const& error) {
        broken = row.name;
        found = troubled(error.what());
      }
    }
    for (auto const* side : {&found.cudax, &found.libcuxx})
      if (!side->trouble.empty() && side->trouble.find("needs sm_") != 0) status = 1;
    print_row(problem.name, row, found);
  }
  return status;
}

} // namespace

int main(int count, char** arguments) {
  char const* name = nullptr;
  char const* only = "";
  bool list = false, machine = false, quick = false;
  for (int i = 1; i < count; ++i) {
    auto is = [&](char const* option) { return std::strcmp(arguments[i], option) == 0; };
    if (is("--list")) list = true;
    else if (is("--machine")) machine = true;
    else if (is("--quick")) quick = true;
    else if (is("--problem") && i + 1 < count) name = arguments[++i];
    else if (is("--only") && i + 1 < count) only = arguments[++i];
    else {
      std::fputs(usage, is("--help") ? stdout : stderr);
      return is("--help") ? 0 : 2;
    }
  }
  if (list) {
    for (problem const& each : problems) std::puts(each.name);
    return 0;
  }
  if (std::string const missing = bench::missing_device(); !missing.empty()) {
    std::fprintf(stderr, "benchmarks: no device: %s\n", missing.c_str());
    return 3;
  }
  try {
    if (machine) {
      print_machine();
      return 0;
    }
    for (problem const& each : problems)
      if (name && std::strcmp(each.name, name) == 0)
        return measure(each, quick ? bench::quick_effort : bench::full_effort, only);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "benchmarks: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "benchmarks: no problem '%s'; --list prints their names\n", name ? name : "");
  return 2;
}
