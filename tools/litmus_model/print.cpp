// SPDX-License-Identifier: Apache-2.0
#include "print.hpp"

#include <algorithm>

#include "objects.hpp"
#include "words.hpp"

namespace litmus {

namespace {

std::string print_operand(thread const& t, operand const& o) {
  return o.reg ? t.registers[std::size_t(*o.reg)] : print(o.constant);
}

std::string print_test(thread const& t, test const& one) {
  return std::string(words::name(words::comparisons, one.compare)) + " " + print_operand(t, one.right);
}

std::string print_order(order o) { return "." + std::string(words::name(words::orders, o)); }
std::string print_scope(scope s) { return "." + std::string(words::name(words::scopes, s)); }

std::string print_operation(program const& p, thread const& t, instruction const& i) {
  std::string text(words::name(words::operations, i.operation));
  if (i.operation == operation::sync) return text + "." + std::string(words::name(words::levels, i.level));
  std::string const location = i.location < 0 ? "" : " " + p.locations[std::size_t(i.location)].name;
  if (i.operation == operation::notify) return text + location;
  text += print_order(i.order);
  if (i.operation == operation::compare_exchange) text += print_order(i.failure);
  if (i.elements > 1) text += ".v" + std::to_string(i.elements);
  if (i.order != order::weak) text += print_scope(i.scope);
  text += location;
  if (i.expected) text += " " + print(t, *i.expected);
  for (auto const& v : i.values) text += " " + print(t, v);
  return text;
}

std::string print_call(program const& p, thread const& t, instruction const& i) {
  std::string text = p.objects[std::size_t(i.object)].name + "." + std::string(words::name(words::members, i.member));
  if (i.order != order::weak) text += print_order(i.order);
  for (auto const& v : i.values) text += " " + print(t, v);
  return text;
}

std::string declarations(program const& p) {
  std::string text = "{\n";
  for (auto const& l : p.locations) {
    text += "  ";
    if (l.part_of) {
      text += "part " + l.name + " of " + p.locations[std::size_t(l.part_of->parent)].name + " at " +
              std::to_string(l.part_of->offset) + " : " + std::to_string(l.size) + ";\n";
      continue;
    }
    if (l.memory) text += std::string(words::name(words::memory_kinds, *l.memory)) + " ";
    text += l.name;
    if (l.size != 4) text += " : " + std::to_string(l.size);
    if (l.initial != 0) text += " = " + print(l.initial);
    text += ";\n";
  }
  for (auto const& o : p.objects) {
    text += "  " + std::string(words::name(words::object_kinds, o.kind));
    if (o.scope != scope::narrowest) text += print_scope(o.scope);
    text += " " + o.name;
    if (has_count(o.kind)) text += "(" + std::to_string(o.count) + ")";
    text += ";\n";
  }
  return text + "}\n";
}

std::string columns(program const& p) {
  std::size_t rows = 0;
  std::vector<std::vector<std::string>> cells;
  for (auto const& t : p.threads) {
    std::vector<std::string> column{t.name};
    for (auto const& i : t.instructions) column.push_back(print(p, t, i));
    rows = std::max(rows, column.size());
    cells.push_back(std::move(column));
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < cells.size(); ++column) {
      std::size_t width = 0;
      for (auto const& cell : cells[column]) width = std::max(width, cell.size());
      std::string cell = row < cells[column].size() ? cells[column][row] : "";
      cell.resize(width, ' ');
      text += (column ? " | " : "") + cell;
    }
    text += " ;\n";
  }
  return text;
}

std::string print_nested(program const& p, condition const& c) {
  bool const joined = c.kind == condition_kind::conjunction || c.kind == condition_kind::disjunction;
  return joined ? "(" + print(p, c) + ")" : print(p, c);
}

} // namespace

std::string print(value v) {
  if (v >> 64 == 0) return std::to_string(static_cast<unsigned long long>(v));
  std::string text;
  for (; v != 0; v >>= 4) text += "0123456789abcdef"[int(v & 15)];
  std::reverse(text.begin(), text.end());
  return "0x" + text;
}

std::string print(thread const& t, expression const& e) {
  std::string text = print_operand(t, e.first);
  for (auto const& step : e.rest) text += std::string(" ") + step.op + " " + print_operand(t, step.right);
  return text;
}

std::string print(program const& p, thread const& t, instruction const& i) {
  auto const condition = [&] { return t.registers[std::size_t(i.guard->reg)] + " " + print_test(t, i.guard->test); };
  if (i.operation == operation::exit) return "unless " + condition() + " exit";
  std::string text;
  if (i.guard) text += "if " + condition() + " then ";
  if (i.until) text += "await ";
  if (i.result) text += t.registers[std::size_t(*i.result)] + " = ";
  if (i.operation == operation::assign) text += print(t, i.values[0]);
  else text += i.operation == operation::call ? print_call(p, t, i) : print_operation(p, t, i);
  if (i.until) text += " until " + print_test(t, *i.until);
  return text;
}

std::string print(program const& p, condition const& c) {
  switch (c.kind) {
  case condition_kind::always: return "true";
  case condition_kind::reg: {
    auto const& t = p.threads[std::size_t(c.thread)];
    return t.name + ":" + t.registers[std::size_t(c.reg)] + "=" + print(c.equals);
  }
  case condition_kind::location: return p.locations[std::size_t(c.location)].name + "=" + print(c.equals);
  case condition_kind::negation: return "~" + print_nested(p, c.operands[0]);
  default: break;
  }
  std::string text;
  for (auto const& operand : c.operands)
    text += (text.empty() ? "" : c.kind == condition_kind::conjunction ? " /\\ " : " \\/ ") + print_nested(p, operand);
  return text;
}

std::string print(program const& p) {
  std::string text = "litmus " + p.name + "\n\"" + p.sentence + "\"\n" + declarations(p) + columns(p) + "placements ";
  for (std::size_t i = 0; i < p.placements.size(); ++i) {
    auto const& one = p.placements[i];
    auto const suffix = one.name.find_first_of("@:");
    text += (i ? ", " : "") + one.name.substr(0, suffix);
    if (!one.tree.empty()) text += " = " + one.tree;
    if (suffix != std::string::npos) text += one.name.substr(suffix);
  }
  return text + ";\nexists (" + print(p, p.exists) + ")\n";
}

} // namespace litmus
