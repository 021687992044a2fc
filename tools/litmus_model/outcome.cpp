// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

#include <algorithm>

#include "print.hpp"

namespace litmus {

namespace {

std::vector<value> cells_of(execution const& e, final_values const& finals, int location) {
  extent const where = e.layout->of(location);
  auto const& all = finals[std::size_t(where.root)];
  return {all.begin() + where.first, all.begin() + where.first + where.count};
}

} // namespace

std::optional<bool> holds(condition const& c, execution const& e, final_values const* finals) {
  switch (c.kind) {
  case condition_kind::always: return true;
  case condition_kind::reg: return e.registers[std::size_t(c.thread)][std::size_t(c.reg)] == c.equals;
  case condition_kind::location:
    if (!finals) return std::nullopt;
    return e.layout->join(e.layout->of(c.location), cells_of(e, *finals, c.location)) == c.equals;
  case condition_kind::negation: {
    auto const inner = holds(c.operands[0], e, finals);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  default: break;
  }
  // Of a conjunction one false operand decides, of a disjunction one true operand.
  bool const decisive = c.kind == condition_kind::disjunction;
  bool known = true;
  for (auto const& operand : c.operands) {
    auto const one = holds(operand, e, finals);
    if (one == decisive) return decisive;
    known &= one.has_value();
  }
  return known ? std::optional(!decisive) : std::nullopt;
}

std::vector<std::vector<value>> final_values_of(execution const& e, int root) {
  std::vector<std::vector<value>> result{{}};
  for (int c = 0; c < int(e.layout->cells(root).size()); ++c) {
    event_set writers = 0;
    for_each(e.writes, [&](int w) {
      if (covers(e.events[std::size_t(w)], root, c)) writers |= only(w);
    });
    std::vector<value> last;
    for_each(writers, [&](int w) {
      event const& write = e.events[std::size_t(w)];
      value const v = write.written[std::size_t(c - write.where.first)];
      if (!(e.co.after(w) & writers) && std::find(last.begin(), last.end(), v) == last.end()) last.push_back(v);
    });
    std::vector<std::vector<value>> longer;
    for (auto const& prefix : result)
      for (value const v : last) {
        longer.push_back(prefix);
        longer.back().push_back(v);
      }
    result = std::move(longer);
  }
  return result;
}

std::string print_state(execution const& e, final_values const& finals) {
  std::string text;
  auto const& p = *e.program;
  for (std::size_t t = 0; t < p.threads.size(); ++t)
    for (std::size_t r = 0; r < p.threads[t].registers.size(); ++r)
      text += p.threads[t].name + ":" + p.threads[t].registers[r] + "=" + print(e.registers[t][r]) + " ";
  for (std::size_t l = 0; l < p.locations.size(); ++l)
    if (!p.locations[l].part_of)
      text += p.locations[l].name + "=" + print(e.layout->join(e.layout->of(int(l)), finals[l])) + " ";
  if (!text.empty()) text.pop_back();
  return text;
}

} // namespace litmus
