// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <sstream>

namespace litmus_runner {

namespace {

using litmus::operation;
using litmus::value;

constexpr unsigned most_bits = 12;    // 4,096 counts in shared memory
constexpr unsigned most_counted = 15; // values 0 ... 14 need no table

/// Finds the items and the values that the condition names.
void collect(litmus::condition const& c, std::vector<outcome_item>& items) {
  using kind = litmus::condition_kind;
  if (c.kind == kind::reg || c.kind == kind::location) {
    outcome_item item;
    item.thread = c.kind == kind::reg ? c.thread : -1;
    item.reg = c.kind == kind::reg ? c.reg : -1;
    item.location = c.kind == kind::location ? c.location : -1;
    auto known = std::find_if(items.begin(), items.end(), [&](outcome_item const& i) {
      return i.thread == item.thread && i.reg == item.reg && i.location == item.location;
    });
    if (known == items.end()) known = items.insert(known, item);
    known->values.push_back(c.equals);
  }
  for (auto const& part : c.operands) collect(part, items);
}

/// The values that something can have: constants, and sums with a constant that is added at most `sum` in all.
struct values_found {
  std::set<value> constants{0};
  value sum = 0;

  void add(litmus::expression const& e) {
    if (!e.first.reg) constants.insert(e.first.constant);
    for (auto const& step : e.rest)
      if (!step.right.reg) sum += step.right.constant;
  }

  std::vector<value> all() const {
    auto result = constants;
    value const largest = *constants.rbegin();
    if (largest < most_counted && sum < most_counted && largest + sum < most_counted)
      for (value v = 0; v <= largest + sum; ++v) result.insert(v);
    else if (sum < most_counted)
      for (value const c : constants)
        for (value v = 1; v <= sum && result.size() < 30; ++v) result.insert(c + v);
    return {result.begin(), result.end()};
  }
};

bool depends_on_register(litmus::expression const& e) {
  return e.first.reg ||
         std::any_of(e.rest.begin(), e.rest.end(), [](auto const& step) { return step.right.reg.has_value(); });
}

/// What an operation can write. An operation that adds a register adds at most 1 more than any constant says.
void add_written(litmus::instruction const& i, values_found& found) {
  bool const adds = i.operation == operation::fetch_add || i.operation == operation::store_add;
  for (auto const& e : i.values) {
    if (!adds) found.add(e);
    else found.sum += e.first.reg ? 1 : e.first.constant;
  }
  if (i.expected) found.add(*i.expected);
}

/// The values that anything in the program can have.
values_found anywhere(litmus::program const& p) {
  values_found found;
  for (auto const& l : p.locations) found.constants.insert(l.initial);
  for (auto const& t : p.threads)
    for (auto const& i : t.instructions) add_written(i, found);
  for (auto const& o : p.objects) found.constants.insert(value(o.count));
  if (!p.objects.empty()) found.constants.insert(1);
  return found;
}

/// The values of a location; those of anything if a register is written to it, or if another location shares its bytes.
values_found of_location(litmus::program const& p, int location) {
  values_found found;
  found.constants.insert(p.locations[std::size_t(location)].initial);
  for (auto const& l : p.locations)
    if (l.part_of && (&l == &p.locations[std::size_t(location)] || l.part_of->parent == location)) return anywhere(p);
  for (auto const& t : p.threads)
    for (auto const& i : t.instructions) {
      if (i.location != location) continue;
      if (std::any_of(i.values.begin(), i.values.end(), depends_on_register)) return anywhere(p);
      add_written(i, found);
    }
  return found;
}

/// The values of a register: those of the locations and calls that write it.
values_found of_register(litmus::program const& p, int thread, int reg) {
  values_found found;
  for (auto const& i : p.threads[std::size_t(thread)].instructions) {
    if (i.result != reg) continue;
    bool const reads = i.location >= 0;
    bool const call =
        i.operation == operation::call && i.member != litmus::member::find && i.member != litmus::member::take;
    if (!reads && !call) return anywhere(p);
    values_found const more = reads ? of_location(p, i.location) : values_found{{0, 1}, 0};
    found.constants.insert(more.constants.begin(), more.constants.end());
    found.sum = std::max(found.sum, more.sum);
  }
  return found;
}

} // namespace

std::string decimal(value v) {
  std::string text;
  do text.insert(text.begin(), char('0' + int(v % 10)));
  while (v /= 10);
  return text;
}

std::string name_of(litmus::program const& p, outcome_item const& i) {
  if (i.location >= 0) return p.locations[std::size_t(i.location)].name;
  auto const& t = p.threads[std::size_t(i.thread)];
  return t.name + ":" + t.registers[std::size_t(i.reg)];
}

std::map<std::string, value> values_of(std::string const& state) {
  std::map<std::string, value> result;
  std::istringstream words(state);
  for (std::string word; words >> word;) {
    auto const sign = word.find('=');
    if (sign == std::string::npos) continue;
    bool const hexadecimal = word.compare(sign + 1, 2, "0x") == 0;
    value number = 0;
    for (char const c : word.substr(sign + (hexadecimal ? 3 : 1)))
      number = number * (hexadecimal ? 16u : 10u) + unsigned(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    result[word.substr(0, sign)] = number;
  }
  return result;
}

outcome outcome_of(litmus::program const& p, std::set<std::string> const& states) {
  outcome result;
  collect(p.exists, result.items);
  std::map<std::string, std::set<value>> known;
  for (auto const& state : states)
    for (auto const& [name, number] : values_of(state)) known[name].insert(number);
  for (auto& item : result.items) {
    std::set<value> all(item.values.begin(), item.values.end());
    auto const written =
        (item.location >= 0 ? of_location(p, item.location) : of_register(p, item.thread, item.reg)).all();
    all.insert(written.begin(), written.end());
    auto const& more = known[name_of(p, item)];
    all.insert(more.begin(), more.end());
    item.values.assign(all.begin(), all.end());
    item.counting = item.values.back() + 1 == item.values.size();
    item.width = item.values.size() < 2 ? 1 : unsigned(std::bit_width(item.values.size() - 1));
    item.shift = result.bits;
    result.bits += item.width;
  }
  if (result.bits > most_bits)
    throw not_runnable(p.name + ": an outcome of " + std::to_string(result.items.size()) +
                       " registers and locations has " + std::to_string(result.bits) +
                       " bits; the runner counts outcomes of at most " + std::to_string(most_bits) +
                       " bits: name fewer in `exists`, or use smaller values");
  return result;
}

} // namespace litmus_runner
