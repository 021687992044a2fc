// SPDX-License-Identifier: Apache-2.0
//
// table: the report as text and as JSON.
#include "../../tests/examples/textbook_kernels/resources.hpp"
#include "rows.hpp"

#include <cstdarg>
#include <cstdio>

namespace kernel_report {
namespace {

[[gnu::format(printf, 1, 2)]] std::string print(char const* format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

std::string lanes_of(row const& r) {
  std::string text;
  for (branch const& b : r.branches) text += print("%s%.1f", text.empty() ? "" : " / ", b.lanes);
  return text.empty() ? "-" : text;
}
std::string divergence_of(row const& r) {
  std::string text;
  for (branch const& b : r.branches) text += print("%s%.0f %%", text.empty() ? "" : " / ", 100 * b.divergent);
  return text.empty() ? "-" : text;
}

/// Little's law for this machine: how many bytes must be in flight to reach its bandwidth.
std::string law_of(machine const& m) {
  if (m.latency == 0 || m.peak == 0) return "";
  double const bytes = textbook_kernels::bytes_under_way(m.latency, m.peak), each = bytes / m.multiprocessors;
  return print(
      "Little's law: %.0f GB/s x %.0f ns = %.2f MB in flight, %.1f KB on each SM: %.0f warps with 4 bytes per lane, "
      "or %.0f with 64, of %d\n",
      m.peak, m.latency, bytes / 1e6, each / 1e3, each / (32 * 4), each / (32 * 64), m.warps_per_sm);
}

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

} // namespace

std::string table_of(report const& all) {
  machine const& m = all.machine;
  std::string text = print("%s, %d SMs, %u elements\n\n", m.name.c_str(), m.multiprocessors, m.elements);
  text += print("%-24s %-13s %-11s %-10s %-21s %10s %9s %8s  %s\n", "kernel", "lanes of 32", "divergent", "occupancy",
                "blocks per SM", "time", "GB/s", "of peak", "");
  for (row const& r : all.rows) {
    std::string const blocks = print("%d x %d (%s)", r.blocks_per_sm, r.threads, r.limit.c_str());
    text += print("%-24s %-13s %-11s %7.0f %%  %-21s ", r.name.c_str(), lanes_of(r).c_str(), divergence_of(r).c_str(),
                  100 * r.occupancy, blocks.c_str());
    if (r.microseconds > 0)
      text += print("%7.1f us %9.1f %6.1f %%  ", r.microseconds, r.gigabytes_per_second,
                    m.peak > 0 ? 100 * r.gigabytes_per_second / m.peak : 0);
    else text += print("%10s %9s %8s  ", "-", "-", "-");
    text += r.says + (r.right ? "\n" : "  WRONG ANSWER\n");
  }
  text += "\nlanes: those that take a branch, of a warp in which any does, on average, for each branch; "
          "divergent: the share of these warps in which other lanes do not\n";
  text += law_of(m);
  if (m.is_emulator)
    text += "The emulator has neither the clocks nor the registers of a GPU: no times and no bandwidths; "
            "occupancy does not count registers\n";
  return text;
}

std::string json_of(report const& all) {
  machine const& m = all.machine;
  std::string text = print("{\"machine\": %s, \"emulator\": %s, \"multiprocessors\": %d, \"elements\": %u",
                           quoted(m.name).c_str(), m.is_emulator ? "true" : "false", m.multiprocessors, m.elements);
  auto const number = [](double value) { return value > 0 ? print("%.6g", value) : std::string("null"); };
  text += ", \"peak_gigabytes_per_second\": " + number(m.peak) + ", \"latency_nanoseconds\": " + number(m.latency);
  text += ",\n \"kernels\": [";
  char const* separator = "\n  ";
  for (row const& r : all.rows) {
    text += separator + std::string("{\"name\": ") + quoted(r.name) + ", \"right\": " + (r.right ? "true" : "false");
    text += ", \"branches\": [";
    char const* comma = "";
    for (branch const& b : r.branches) {
      text += comma + print("{\"lanes\": %.6g, \"divergent\": %.6g}", b.lanes, b.divergent);
      comma = ", ";
    }
    text +=
        print("], \"threads\": %d, \"blocks\": %d, \"registers\": %d, \"shared_bytes\": %lld, \"blocks_per_sm\": %d, "
              "\"limit\": \"%s\", \"occupancy\": %.6g",
              r.threads, r.blocks, r.registers, r.shared, r.blocks_per_sm, r.limit.c_str(), r.occupancy);
    text += ", \"microseconds\": " + number(r.microseconds) +
            ", \"gigabytes_per_second\": " + number(r.gigabytes_per_second) + "}";
    separator = ",\n  ";
  }
  return text + "\n ]}\n";
}

} // namespace kernel_report
