// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace litmus_runner {

namespace {

using litmus::operation;
using litmus::value;

constexpr unsigned most_bits = 12;    // 4,096 counts in shared memory
constexpr unsigned most_counted = 15; // values 0 ... 14 need no table

void collect(litmus::condition const& c, std::vector<outcome_item>& items, std::set<value>& constants) {
  using kind = litmus::condition_kind;
  if (c.kind == kind::reg || c.kind == kind::location) {
    outcome_item item;
    item.thread = c.kind == kind::reg ? c.thread : -1;
    item.reg = c.kind == kind::reg ? c.reg : -1;
    item.location = c.kind == kind::location ? c.location : -1;
    bool const known = std::any_of(items.begin(), items.end(), [&](outcome_item const& i) {
      return i.thread == item.thread && i.reg == item.reg && i.location == item.location;
    });
    if (!known) items.push_back(item);
    constants.insert(c.equals);
  }
  for (auto const& part : c.operands) collect(part, items, constants);
}

void collect(std::optional<litmus::expression> const& e, std::set<value>& constants, value& sum) {
  if (!e) return;
  if (!e->first.reg) constants.insert(e->first.constant);
  for (auto const& step : e->rest)
    if (!step.right.reg) sum += step.right.constant;
}

/// The values that the program can give to a register or location, as far as its constants tell.
std::vector<value> values_of(litmus::program const& p, std::set<value> constants) {
  value sum = 0;
  constants.insert(0);
  for (auto const& l : p.locations) constants.insert(l.initial);
  for (auto const& t : p.threads)
    for (auto const& i : t.instructions) {
      collect(i.expected, constants, sum);
      bool const adds = i.operation == operation::fetch_add || i.operation == operation::store_add;
      for (auto const& e : i.values) {
        if (adds && !e.first.reg) sum += e.first.constant;
        else if (adds) sum += 1;
        collect(e, constants, sum);
      }
    }
  for (auto const& o : p.objects) constants.insert(value(o.count));
  if (!p.objects.empty()) constants.insert(1);
  value const largest = *constants.rbegin();
  if (largest < most_counted && sum < most_counted && largest + sum < most_counted)
    for (value v = 0; v <= largest + sum; ++v) constants.insert(v);
  else if (sum && sum < most_counted)
    for (value c : std::set<value>(constants))
      for (value v = 1; v <= sum && constants.size() < 30; ++v) constants.insert(c + v);
  return {constants.begin(), constants.end()};
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

outcome outcome_of(litmus::program const& p) {
  outcome result;
  std::set<value> constants;
  collect(p.exists, result.items, constants);
  auto const values = values_of(p, constants);
  for (auto& item : result.items) {
    item.values = values;
    item.counting = values.back() + 1 == values.size();
    item.width = values.size() < 2 ? 1 : unsigned(std::bit_width(values.size() - 1));
    item.shift = result.bits;
    result.bits += item.width;
  }
  if (result.bits > most_bits)
    throw not_runnable(p.name + ": an outcome of " + std::to_string(result.items.size()) + " items with " +
                       std::to_string(values.size()) + " values each has " + std::to_string(result.bits) +
                       " bits; the runner counts outcomes of at most " + std::to_string(most_bits) +
                       " bits: name fewer registers in `exists`, or use smaller values");
  return result;
}

} // namespace litmus_runner
