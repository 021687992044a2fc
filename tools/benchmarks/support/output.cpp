// SPDX-License-Identifier: Apache-2.0
//
// output: of each side the median, the range and all samples; of each side but the first the ratio of the first side's
// speed to its own: "ratio_libcuxx".
#include "output.hpp"

#include <algorithm>
#include <cstdio>

namespace bench {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

char const* name_of(unit unit) {
  switch (unit) {
  case unit::operations_per_nanosecond: return "Gop/s";
  case unit::teraflops: return "TFLOP/s";
  case unit::nanoseconds: return "ns";
  case unit::percent_of_processor: return "%";
  }
  return "?";
}

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  std::size_t const half = all.size() / 2;
  return all.size() % 2 ? all[half] : (all[half - 1] + all[half]) / 2;
}

std::string field(std::string const& name, std::string const& value) { return ", " + quoted(name) + ": " + value; }

std::string json(side const& side) {
  result const& found = side.found;
  if (!found.trouble.empty())
    return field(side.name, "null") +
           field(side.name + (found.needs_more ? "_lacks" : "_trouble"), quoted(found.trouble));
  std::string samples;
  for (double sample : found.samples) samples += (samples.empty() ? "" : ", ") + number(sample);
  auto const [least, most] = std::minmax_element(found.samples.begin(), found.samples.end());
  std::string out = field(side.name, number(median(found.samples))) + field(side.name + "_min", number(*least)) +
                    field(side.name + "_max", number(*most));
  for (auto const& [name, value] : side.more) out += field(side.name + "_" + name, value);
  out += field(side.name + "_samples", "[" + samples + "]");
  // Of each figure the median over the samples.
  for (std::size_t i = 0; !found.extras.empty() && i < found.extras[0].size(); ++i) {
    std::vector<double> all;
    for (figures const& sample : found.extras) all.push_back(sample[i].second);
    out += field(side.name + "_" + found.extras[0][i].first, number(median(all)));
  }
  return out;
}

/// Returns how many times as fast `first` is as `other`. A share of a processor is no speed and has no ratio.
std::string ratio(result const& first, result const& other, unit unit) {
  if (!first.trouble.empty() || !other.trouble.empty() || unit == unit::percent_of_processor) return "null";
  double const a = median(first.samples), b = median(other.samples);
  return number(unit == unit::nanoseconds ? b / a : a / b);
}

} // namespace

std::string quoted(std::string const& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

output::output(std::string problem, std::string section, bool answers_only)
  : problem_(std::move(problem)), section_(std::move(section)), answers_only_(answers_only) {}

void output::write(heading const& row, std::vector<side> const& sides) {
  ++rows_;
  lacking_ += sides[0].found.needs_more;
  for (side const& each : sides)
    if (!each.found.trouble.empty() && !each.found.needs_more) failed_ = true;
  if (answers_only_) { // a wrong answer of each side, and once what the machine lacks
    std::string const where = problem_ + ": " + row.name + ": ";
    for (side const& each : sides) {
      std::string const& trouble = each.found.trouble;
      if (trouble.empty()) continue;
      if (!each.found.needs_more) std::puts((where + each.name + ": " + trouble).c_str());
      else if (&each == &sides[0] || trouble != sides[0].found.trouble)
        std::puts((where + "not checked: " + trouble).c_str());
    }
  } else {
    std::string line = "{\"problem\": " + quoted(problem_) + field("section", quoted(section_)) +
                       field("row", quoted(row.name)) + field("unit", quoted(name_of(row.shown)));
    if (!row.on.curve.empty())
      line +=
          field("curve", quoted(row.on.curve)) + field("axis", quoted(row.on.axis)) + field("at", number(row.on.at));
    for (auto const& [name, value] : row.more) line += field(name, value);
    std::string readable;
    for (side const& each : sides) {
      line += json(each);
      if (&each == &sides[0]) continue;
      std::string const speed = ratio(sides[0].found, each.found, row.shown);
      line += field("ratio_" + each.name, speed);
      readable += "  " + each.name + " " + speed;
    }
    std::puts((line + "}").c_str());
    std::fprintf(stderr, "  %-74s%s\n", row.name.c_str(), readable.c_str());
  }
  std::fflush(stdout);
}

int output::finish() const {
  if (answers_only_)
    std::printf("%s: %zu rows, %zu of them not checked: %s\n", problem_.c_str(), rows_, lacking_,
                failed_ ? "WRONG" : "correct");
  return failed_;
}

} // namespace bench
