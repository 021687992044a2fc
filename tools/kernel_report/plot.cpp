// SPDX-License-Identifier: Apache-2.0
//
// plot: the report as SVG. Each kernel has a bar for the lanes that are active in its branches, one for its occupancy
// and, if it was measured, one for its share of the memory's bandwidth. All bars are shares of the optimum, so they
// have one axis.
#include "rows.hpp"

#include <algorithm>
#include <cstdio>

namespace kernel_report {
namespace {

constexpr int left = 210, width = 640, bar = 9, gap = 3, top = 70;

struct series {
  char const* name;
  char const* colour;
};
constexpr series lanes{"active lanes", "#4477aa"}, occupancy{"occupancy", "#ccbb44"}, bandwidth{"bandwidth", "#ee6677"};

std::string text_at(double x, double y, std::string const& text, char const* more = "") {
  char buffer[300];
  std::string escaped;
  for (char const c : text) escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  std::snprintf(buffer, sizeof buffer, "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", x, y, more, escaped.c_str());
  return buffer;
}

std::string box(double x, double y, double w, char const* colour) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, y,
                w, bar, colour);
  return buffer;
}

std::string bar_of(series const& s, double share, double y, std::string const& label) {
  double const length = width * std::clamp(share, 0.0, 1.0);
  return box(left, y, length, s.colour) + text_at(left + length + 4, y + bar - 1, label, "font-size=\"9\"");
}

std::string percent(double share) { return std::to_string(int(100 * share + 0.5)) + " %"; }

/// The average over all branches, with equal weight.
double lanes_of(row const& r) {
  double sum = 0;
  for (branch const& b : r.branches) sum += b.lanes / 32;
  return r.branches.empty() ? 1 : sum / double(r.branches.size());
}

} // namespace

std::string plot_of(report const& all) {
  machine const& m = all.machine;
  bool const timed = m.peak > 0 && !m.is_emulator;
  int const row_height = (timed ? 3 : 2) * (bar + gap) + 10;
  int const bottom = top + int(all.rows.size()) * row_height;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(left + width + 90) +
                    "\" height=\"" + std::to_string(bottom + 40) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  svg += text_at(10, 22, "Textbook kernels on " + m.name + ", " + std::to_string(m.elements) + " elements",
                 "font-size=\"15\"");
  double x = left;
  for (series const* s : {&lanes, &occupancy, &bandwidth}) {
    if (s == &bandwidth && !timed) continue;
    std::string const name = s == &bandwidth ? "bandwidth, of " + std::to_string(int(m.peak)) + " GB/s" : s->name;
    svg += box(x, 38, 12, s->colour) + text_at(x + 16, 46, name);
    x += 130;
  }
  if (!timed) svg += text_at(x, 46, "(emulator: no times)");
  for (int tick = 0; tick <= 100; tick += 25) {
    double const at = left + width * tick / 100.0;
    char line[200];
    std::snprintf(line, sizeof line, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#cccccc\"/>\n", at,
                  top - 8, at, bottom);
    svg += line + text_at(at, bottom + 16, std::to_string(tick) + " %", "text-anchor=\"middle\"");
  }
  double y = top;
  for (row const& r : all.rows) {
    svg += text_at(left - 8, y + bar + gap + 4, r.name, "text-anchor=\"end\"");
    if (!r.branches.empty()) svg += bar_of(lanes, lanes_of(r), y, percent(lanes_of(r)));
    svg += bar_of(occupancy, r.occupancy, y + bar + gap, percent(r.occupancy));
    if (timed) {
      double const share = r.gigabytes_per_second / m.peak;
      svg += bar_of(bandwidth, share, y + 2 * (bar + gap), percent(share));
    }
    y += row_height;
  }
  return svg + "</svg>\n";
}

} // namespace kernel_report
