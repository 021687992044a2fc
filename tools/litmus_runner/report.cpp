// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

namespace litmus_runner {

namespace {

bool is_positive(row const& r, unsigned outcome) {
  unsigned codes[32] = {};
  for (std::size_t i = 0; i < r.items.size(); ++i)
    codes[i] = outcome >> r.items[i].shift & ((1u << r.items[i].width) - 1);
  return r.holds(codes);
}

/// Whether the model allows an outcome, as far as that is known.
bool is_possible(row const& r, unsigned outcome) {
  if (r.verdict == verdict::forbidden && is_positive(r, outcome)) return false;
  return r.possible.empty() || std::binary_search(r.possible.begin(), r.possible.end(), outcome);
}

std::string state(row const& r, unsigned outcome) {
  std::string text;
  for (auto const& i : r.items) {
    unsigned const code = outcome >> i.shift & ((1u << i.width) - 1);
    text += std::string(text.empty() ? "" : " ") + i.name + "=" + (code < i.values.size() ? i.values[code] : "?") + ";";
  }
  return text;
}

std::string name_of(row const& r) { return std::string(r.test) + " " + r.placement + " " + r.form; }

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

std::string escaped(std::string const& text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) result += ' ';
    else result += c;
  }
  return result;
}

char const* observation(unsigned long long seen, unsigned long long all) {
  return seen == 0 ? "Never" : seen == all ? "Always" : "Sometimes";
}

void list(std::string& text, char const* title, std::vector<std::string> const& lines) {
  if (lines.empty()) return;
  text += title + (" (" + std::to_string(lines.size()) + "):\n");
  for (auto const& line : lines) text += "  " + line + "\n";
}

} // namespace

unsigned long long positive(row const& r, result const& all) {
  unsigned long long sum = 0;
  for (unsigned o = 0; o < all.counts.size(); ++o)
    if (all.counts[o] && is_positive(r, o)) sum += all.counts[o];
  return sum;
}

unsigned long long impossible(row const& r, result const& all) {
  unsigned long long sum = 0;
  for (unsigned o = 0; o < all.counts.size(); ++o)
    if (all.counts[o] && !is_possible(r, o)) sum += all.counts[o];
  return sum;
}

bool failed(row const& r, result const& all) { // Where the model's outcomes are not known, neither are all values.
  return (all.others && !r.possible.empty()) || all.missing || (all.endless && !r.may_not_end) || impossible(r, all);
}

bool noticed(row const& r, result const& all) { return positive(r, all) != 0 || (all.endless && r.may_not_end); }

std::string histogram(row const& r, result const& all) {
  auto const states = all.counts.size() - std::size_t(std::count(all.counts.begin(), all.counts.end(), 0ull));
  std::string text = "Test " + name_of(r) + " (" + word_of(r.verdict) + ")\nHistogram (" +
                     std::to_string(states + (all.others != 0)) + " states)\n";
  for (unsigned o = 0; o < all.counts.size(); ++o)
    if (all.counts[o]) {
      char count[32];
      std::snprintf(count, sizeof count, "%-12llu", all.counts[o]);
      text += std::string(count) + (is_positive(r, o) ? "*>" : ":>") + state(r, o) +
              (is_possible(r, o) ? "\n" : " FORBIDDEN\n");
    }
  if (all.others) text += std::to_string(all.others) + " ?>another value\n";
  if (all.missing) text += std::to_string(all.missing) + " ?>a thread left no result\n";
  if (all.endless)
    text += std::to_string(all.endless) + " ?>an await never ended" + (r.may_not_end ? "\n" : " FORBIDDEN\n");
  auto const seen = positive(r, all);
  unsigned long long sum = all.others;
  for (auto c : all.counts) sum += c;
  text += std::string(seen ? "Ok" : "No") + "\nWitnesses\nPositive: " + std::to_string(seen) +
          " Negative: " + std::to_string(sum - seen) + "\nCondition exists (" + r.exists + ")\nObservation " + r.test +
          " " + observation(seen, sum) + " " + std::to_string(seen) + " " + std::to_string(sum - seen) + "\nTime " +
          r.test + " " + number(all.seconds) + " s, " + std::to_string(all.launches) + " launches, " +
          number(double(all.instances) / std::max(all.seconds, 1e-9)) + " instances/s\n";
  if (failed(r, all)) text += "FAIL " + name_of(r) + ": kernel " + r.kernel + "\n";
  return text + "\n";
}

std::string json(row const& r, result const& all, std::string const& machine) {
  std::string text = "{\"test\": \"" + escaped(r.test) + "\", \"placement\": \"" + escaped(r.placement) +
                     "\", \"form\": \"" + r.form + "\", \"kernel\": \"" + r.kernel + "\", \"verdict\": \"" +
                     word_of(r.verdict) + "\", \"observable\": " + (r.observable ? "true" : "false") +
                     ", \"raced\": " + (r.raced ? "true" : "false") + ", \"mutant_of\": \"" + escaped(r.mutant_of) +
                     "\", \"exists\": \"" + escaped(r.exists) + "\", \"machine\": \"" + escaped(machine) +
                     "\", \"seen\": " + std::to_string(positive(r, all)) +
                     ", \"instances\": " + std::to_string(all.instances) + ", \"seconds\": " + number(all.seconds) +
                     ", \"launches\": " + std::to_string(all.launches) + ", \"others\": " + std::to_string(all.others) +
                     ", \"missing\": " + std::to_string(all.missing) + ", \"endless\": " + std::to_string(all.endless) +
                     ", \"failed\": " + (failed(r, all) ? "true" : "false") + ", \"histogram\": {";
  bool first = true;
  for (unsigned o = 0; o < all.counts.size(); ++o)
    if (all.counts[o]) {
      text += std::string(first ? "" : ", ") + "\"" + escaped(state(r, o)) + "\": " + std::to_string(all.counts[o]);
      first = false;
    }
  return text + "}}\n";
}

mutation mutation_of(std::vector<finished> const& all) {
  mutation result;
  std::map<std::string, std::pair<unsigned, unsigned>> of_test; // mutants, and those that were seen
  for (auto const& f : all) {
    row const& r = *f.test;
    if (!f.error.empty() || !*r.mutant_of || !r.observable) continue;
    bool const seen = noticed(r, f.result);
    auto& [count, dead] = of_test[std::string(r.mutant_of) + " " + r.placement + " " + r.form];
    ++count;
    dead += seen;
    ++result.mutants;
    result.seen += seen;
  }
  for (auto const& [name, counts] : of_test)
    if (counts.second == 0) result.unguarded.push_back(name + ": " + std::to_string(counts.first) + " mutants");
  return result;
}

std::string summary(std::vector<finished> const& all) {
  std::vector<std::string> forbidden, others, missing, endless, never, errors;
  unsigned long long instances = 0;
  double seconds = 0;
  std::size_t ran = 0;
  for (auto const& f : all) {
    row const& r = *f.test;
    if (!f.error.empty()) {
      errors.push_back(name_of(r) + ": " + f.error);
      continue;
    }
    ++ran;
    instances += f.result.instances;
    seconds += f.result.seconds;
    auto const seen = positive(r, f.result);
    if (auto const bad = impossible(r, f.result))
      forbidden.push_back(name_of(r) + ": " + std::to_string(bad) + " of " + std::to_string(f.result.instances) +
                          ", kernel " + r.kernel);
    if (f.result.others && !r.possible.empty()) others.push_back(name_of(r) + ": " + std::to_string(f.result.others));
    if (f.result.missing) missing.push_back(name_of(r) + ": " + std::to_string(f.result.missing));
    if (f.result.endless && !r.may_not_end) endless.push_back(name_of(r) + ": " + std::to_string(f.result.endless));
    if (r.verdict == verdict::allowed && !seen && !*r.mutant_of) never.push_back(name_of(r));
  }
  auto const mutants = mutation_of(all);
  std::string text;
  list(text, "Not run", errors);
  list(text, "Allowed and never seen", never);
  list(text, "Not passed: all mutants survived", mutants.unguarded);
  list(text, "FAIL: a thread left no result", missing);
  list(text, "FAIL: an await never ended", endless);
  list(text, "FAIL: a value that the program cannot make", others);
  list(text, "FAIL: a forbidden outcome was seen", forbidden);
  text += std::to_string(ran) + " tests, " + number(double(instances)) + " instances in " + number(seconds) +
          " s: " + number(double(instances) / std::max(seconds, 1e-9)) + " instances/s\n";
  if (mutants.mutants)
    text += "Mutants: " + std::to_string(mutants.seen) + " of " + std::to_string(mutants.mutants) +
            " seen: " + number(mutants.percent()) + " %\n";
  return text;
}

} // namespace litmus_runner
