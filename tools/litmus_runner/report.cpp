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

/// A line of the table of mutants.
std::string line_of(std::string const& placement, std::string const& kind, mutants const& m) {
  char text[200];
  std::snprintf(text, sizeof text, "  %-28s %-8s %6llu %9llu %8llu %7llu %10llu %6llu  %s\n", placement.c_str(),
                kind.c_str(), m.all, m.same_code, m.in_order, m.through, m.observable(), m.seen,
                m.observable() ? (number(m.percent()) + " %").c_str() : "-");
  return text;
}

std::string table_of(mutation const& all) {
  std::map<std::string, mutants> by_placement, by_kind;
  std::string text = "Mutants                        kind        all same code in order through observable   seen\n";
  for (auto const& [where, m] : all.parts) {
    text += line_of(where.first, where.second, m);
    by_placement[where.first] += m;
    by_kind[where.second] += m;
  }
  for (auto const& [placement, m] : by_placement) text += line_of(placement, "all", m);
  for (auto const& [kind, m] : by_kind) text += line_of("all placements", kind, m);
  return text + line_of("all placements", "all", all.total);
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

hidden hidden_of(row const& r, bool same_code, bool on_gpu) {
  return same_code           ? hidden::same_code
         : !on_gpu           ? hidden::no
         : within_block(r)   ? hidden::in_order
         : is_write_scope(r) ? hidden::through
                             : hidden::no;
}

bool noticed(row const& r, result const& all) { return positive(r, all) != 0 || (all.endless && r.may_not_end); }

mutants& mutants::operator+=(mutants const& more) {
  all += more.all;
  same_code += more.same_code;
  in_order += more.in_order;
  through += more.through;
  seen += more.seen;
  return *this;
}

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

std::string json(finished const& f, std::string const& machine, bool on_gpu) {
  constexpr char const* whys[] = {"", "same code", "in order", "through"};
  row const& r = *f.test;
  auto const why = *r.mutant_of ? hidden_of(r, f.same_code, on_gpu) : hidden::no;
  result const& all = f.result;
  std::string text = "{\"test\": \"" + escaped(r.test) + "\", \"placement\": \"" + escaped(r.placement) +
                     "\", \"form\": \"" + r.form + "\", \"kernel\": \"" + r.kernel + "\", \"verdict\": \"" +
                     word_of(r.verdict) + "\", \"observable\": " + (r.observable ? "true" : "false") +
                     ", \"raced\": " + (r.raced ? "true" : "false") + ", \"mutant_of\": \"" + escaped(r.mutant_of) +
                     "\", \"mutation\": \"" + r.mutation + "\", \"hidden\": \"" + whys[int(why)] +
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

mutation mutation_of(std::vector<finished> const& all, bool on_gpu) {
  mutation result;
  std::map<std::string, mutants> of_test;
  for (auto const& f : all) {
    row const& r = *f.test;
    if (!f.error.empty() || !*r.mutant_of || !r.observable) continue;
    mutants one;
    one.all = 1;
    one.seen = noticed(r, f.result);
    if (auto const why = hidden_of(r, f.same_code, on_gpu); !one.seen) {
      one.same_code = why == hidden::same_code;
      one.in_order = why == hidden::in_order;
      one.through = why == hidden::through;
    }
    of_test[std::string(r.mutant_of) + " " + r.placement + " " + r.form] += one;
    result.parts[{r.placement, r.mutation}] += one;
    result.total += one;
  }
  for (auto const& [name, m] : of_test)
    if (m.observable() && !m.seen)
      result.unguarded.push_back(name + ": " + std::to_string(m.observable()) + " mutants");
  return result;
}

std::string summary(std::vector<finished> const& all, bool on_gpu) {
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
    ran += f.result.launches != 0;
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
  auto const mutants = mutation_of(all, on_gpu);
  std::string text;
  list(text, "Not run", errors);
  list(text, "Allowed and never seen", never);
  list(text, "Not passed: all observable mutants survived", mutants.unguarded);
  list(text, "FAIL: a thread left no result", missing);
  list(text, "FAIL: an await never ended", endless);
  list(text, "FAIL: a value that the program cannot make", others);
  list(text, "FAIL: a forbidden outcome was seen", forbidden);
  text += std::to_string(ran) + " tests, " + number(double(instances)) + " instances in " + number(seconds) +
          " s: " + number(double(instances) / std::max(seconds, 1e-9)) + " instances/s\n";
  auto const& m = mutants.total;
  if (m.all)
    text += table_of(mutants) + std::to_string(m.same_code) + " mutants are the same machine code as their program, " +
            std::to_string(m.in_order) + " run within a block, whose accesses a GPU makes in order, " +
            std::to_string(m.through) + " narrow the scope of a relaxed write, which goes through to the L2 cache\n" +
            "Mutants: " + std::to_string(m.seen) + " of " + std::to_string(m.observable()) +
            " observable ones seen: " + number(m.percent()) + " %\n";
  return text;
}

} // namespace litmus_runner
