// SPDX-License-Identifier: Apache-2.0
//
// print: writes syntax as text, in one spelling: one statement per line, decimal integers, floats by their bits.
//
// Parts that the parser keeps as text (initializers, sections, attributes) are printed unchanged.
#include "parse.hpp"

#include <array>
#include <charconv>

namespace emulator::ptx {
namespace {

std::string decimal(auto value) { return std::to_string(value); }

class printer {
public:
  std::string text;

  template <class... Parts>
  void add(Parts const&... parts) {
    (void(text += parts), ...);
  }

  /// `separated(list, ", ", [&](auto& element) { ... })`
  template <class List, class F>
  void separated(List const& list, char const* separator, F element) {
    bool first = true;
    for (auto const& each : list) {
      if (!first) text += separator;
      first = false;
      element(each);
    }
  }

  void bits(std::uint64_t value, int digits) {
    std::array<char, 16> characters;
    for (int i = digits; i-- > 0; value >>= 4) characters[std::size_t(i)] = "0123456789ABCDEF"[value & 15];
    text.append(characters.data(), std::size_t(digits));
  }

  void offset(std::uint64_t value) {
    auto const number = std::int64_t(value);
    if (number != 0) add("+", decimal(number)); // `a+-8`: ptxas rejects `a-8`
  }

  void parts(operand const& of, char open, char close) {
    add(open);
    separated(of.parts, ", ", [&](ptx::operand const& part) { operand(part); });
    add(close);
  }

  void operand(ptx::operand const& what) {
    if (what.negated) add('!');
    switch (what.kind) {
    case operand_kind::reg:
    case operand_kind::special: add(what.name); break;
    case operand_kind::integer:
      if (what.is_unsigned) add(decimal(what.bits), 'U');
      else add(decimal(std::int64_t(what.bits)));
      break;
    case operand_kind::real:
      add(what.is_single ? "0f" : "0d");
      bits(what.bits, what.is_single ? 8 : 16);
      break;
    case operand_kind::symbol:
      add(what.name);
      offset(what.bits);
      break;
    case operand_kind::address:
      add('[', what.name);
      if (what.name.empty()) add(decimal(what.bits));
      else offset(what.bits);
      for (ptx::operand const& part : what.parts) {
        add(", ");
        operand(part);
      }
      add(']');
      break;
    case operand_kind::vector: parts(what, '{', '}'); break;
    case operand_kind::list: parts(what, '(', ')'); break;
    case operand_kind::pair: separated(what.parts, "|", [&](ptx::operand const& part) { operand(part); }); break;
    case operand_kind::sink: add('_'); break;
    }
  }

  void instruction(ptx::instruction const& what) {
    if (!what.guard.empty()) add(what.guard_negated ? "@!" : "@", what.guard, ' ');
    add(what.name);
    for (std::string_view modifier : what.modifiers) add('.', modifier);
    if (what.operands.empty()) return;
    add(' ');
    separated(what.operands, ", ", [&](ptx::operand const& each) { operand(each); });
  }

  void variable(ptx::variable const& what) {
    if (!what.linkage.empty()) add(what.linkage, ' ');
    add('.', name_of(what.where));
    bool const is_pointer = what.attributes.starts_with(".ptr"); // which follows the type
    if (!what.attributes.empty() && !is_pointer) add(' ', what.attributes);
    if (what.alignment > 0) add(" .align ", decimal(what.alignment));
    if (what.vector > 1) add(" .v", decimal(what.vector));
    add(" .", name_of(what.type));
    if (is_pointer) add(' ', what.attributes);
    add(' ', what.name);
    if (what.count > 0) add('<', decimal(what.count), '>');
    for (std::int64_t size : what.dimensions) {
      if (size < 0) add("[]");
      else add('[', decimal(size), ']');
    }
    if (!what.initializer.empty()) add(" = ", what.initializer);
  }

  void parameters(std::vector<ptx::variable> const& list) {
    add('(');
    separated(list, ", ", [&](ptx::variable const& each) { variable(each); });
    add(')');
  }

  /// Prints the parameters of a kernel or function, one per line.
  void long_parameters(std::vector<ptx::variable> const& list) {
    if (list.empty()) return add("()");
    add("(\n\t");
    separated(list, ",\n\t", [&](ptx::variable const& each) { variable(each); });
    add("\n)");
  }

  void targets(char const* directive, statement const& what) {
    add(what.name, ": .", directive, ' ');
    separated(what.targets, ", ", [&](std::string_view each) { add(each); });
    add(';');
  }

  void prototype(statement const& what) {
    add(what.name, ": .callprototype ");
    if (!what.returns.empty()) {
      parameters(what.returns);
      add(' ');
    }
    add("_ ");
    parameters(what.parameters);
    if (what.no_return) add(" .noreturn");
    add(';');
  }

  void statement(ptx::statement const& what) {
    switch (what.kind) {
    case statement_kind::instruction:
      instruction(what.instruction);
      add(';');
      break;
    case statement_kind::label: add(what.name, ':'); break;
    case statement_kind::open: add('{'); break;
    case statement_kind::close: add('}'); break;
    case statement_kind::declaration:
      variable(what.variable);
      add(';');
      break;
    case statement_kind::branch_targets: targets("branchtargets", what); break;
    case statement_kind::call_targets: targets("calltargets", what); break;
    case statement_kind::call_prototype: prototype(what); break;
    case statement_kind::pragma: add(".pragma ", what.name, ';'); break;
    case statement_kind::location: add(".loc ", what.name); break;
    }
  }

  void body(std::vector<ptx::statement> const& statements) {
    std::size_t depth = 1;
    add("{\n");
    for (ptx::statement const& each : statements) {
      if (each.kind == statement_kind::close) --depth;
      text.append(each.kind == statement_kind::label ? depth - 1 : depth, '\t');
      statement(each);
      add('\n');
      if (each.kind == statement_kind::open) ++depth;
    }
    add("}\n");
  }

  void header(ptx::function const& what) {
    if (!what.linkage.empty()) add(what.linkage, ' ');
    add(what.is_entry ? ".entry " : ".func ");
    for (ptx::directive const& each : what.directives) {
      if (each.name == "attribute") add(".attribute", each.text, ' ');
    }
    if (!what.returns.empty()) {
      parameters(what.returns);
      add(' ');
    }
    add(what.name);
    long_parameters(what.parameters);
    for (ptx::directive const& each : what.directives) {
      if (each.name == "attribute") continue;
      add("\n.", each.name);
      if (!each.text.empty()) add(' ', each.text);
      if (each.name == "pragma") add(';');
    }
  }

  void function(ptx::function const& what) {
    header(what);
    if (!what.has_body) return add(";\n");
    add('\n');
    body(what.body);
  }

  void directive(ptx::directive const& what) {
    add('.', what.name, ' ', what.text);
    if (what.name == "alias" || what.name == "pragma") add(';');
    add('\n');
  }
};

} // namespace

std::string print(module& of) {
  printer out;
  out.text.reserve(of.text->size());
  out.add(".version ", of.version, "\n.target ", of.target, "\n.address_size ", decimal(of.address_size), "\n\n");
  for (item const& each : of.order) {
    auto const index = std::size_t(each.index);
    switch (each.what) {
    case item::kind::variable:
      out.variable(of.variables[index]);
      out.add(";\n");
      break;
    case item::kind::function:
      parse_body(of, *of.functions[index]);
      out.function(*of.functions[index]);
      break;
    case item::kind::directive: out.directive(of.directives[index]); break;
    }
  }
  return std::move(out.text);
}

std::string print(module const&, instruction const& what) {
  printer out;
  out.instruction(what);
  return std::move(out.text);
}

} // namespace emulator::ptx
