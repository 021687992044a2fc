// SPDX-License-Identifier: Apache-2.0
//
// body: the statements of a function.  [PTX ISA, "Instruction statements"]
// Whether a name without a percent sign is a register depends on the declarations before it. So the parser keeps these
// declarations on a stack, those of inner braces on top. It has no knowledge of modifiers and mnemonics.
#include "parse.hpp"

#include "declaration.hpp"
#include "expression.hpp"
#include "special.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

namespace emulator::ptx {
namespace {

class body_parser {
public:
  body_parser(module const& owner, function& result)
    : result_(result), in_{owner, result.body_text.data(), result.body_text.data() + result.body_text.size(),
                           result.body_line, result.name} {
    for (auto const* list : {&result.returns, &result.parameters}) {
      for (variable const& parameter : *list) remember(parameter);
    }
  }

  void parse() {
    auto const lines = std::ranges::count(result_.body_text, '\n');
    has_calls_ = result_.body_text.find("inlined_at") != result_.body_text.npos;
    result_.body.reserve(std::size_t(lines) + 1);
    while (!in_.ends()) parse_statement();
    if (!scopes_.empty()) in_.reject("a `{` is never closed");
  }

private:
  statement& add(statement_kind kind) {
    statement& added = result_.body.emplace_back();
    added.kind = kind;
    added.at = last_location_;
    added.at.line = in_.line;
    return added;
  }

  void parse_statement() {
    switch (*in_.at) {
    case '{':
      ++in_.at;
      add(statement_kind::open);
      scopes_.push_back(declared_.size());
      return;
    case '}':
      if (scopes_.empty()) in_.reject("a `}` without its `{`");
      ++in_.at;
      add(statement_kind::close);
      declared_.resize(scopes_.back());
      scopes_.pop_back();
      return;
    case '.': return parse_directive();
    case '@': return parse_instruction();
    default: break;
    }
    position const start = in_.here();
    std::string_view const name = in_.name("a statement");
    if (*in_.at != '.' && *in_.at != ';' && in_.take(':')) return parse_label(name);
    in_.go_back(start);
    parse_instruction();
  }

  void parse_label(std::string_view name) {
    if (in_.take_word(".branchtargets")) return parse_targets(statement_kind::branch_targets, name);
    if (in_.take_word(".calltargets")) return parse_targets(statement_kind::call_targets, name);
    if (in_.take_word(".callprototype")) return parse_prototype(name);
    add(statement_kind::label).name = name;
  }

  void parse_targets(statement_kind kind, std::string_view name) {
    statement& added = add(kind);
    added.name = name;
    do added.targets.push_back(in_.name("a target"));
    while (in_.take(','));
    in_.expect(';', "the end of a list of targets");
  }

  void parse_prototype(std::string_view name) {
    statement& added = add(statement_kind::call_prototype);
    added.name = name;
    in_.skip();
    if (*in_.at == '(') added.returns = parameter_list(in_);
    in_.name("the name of a prototype, which is `_`");
    in_.skip();
    if (*in_.at == '(') added.parameters = parameter_list(in_);
    added.no_return = in_.take_word(".noreturn");
    in_.expect(';', "the end of a prototype");
  }

  void parse_directive() {
    if (space const where = take_space(in_); where != space::none) return parse_declaration(where);
    if (in_.take_word(".loc")) return parse_location();
    if (in_.take_word(".pragma")) {
      statement& added = add(statement_kind::pragma);
      in_.skip();
      char const* const from = in_.at;
      in_.quoted();
      while (in_.next_character() == ',' && in_.take(',')) in_.quoted();
      added.name = in_.since(from);
      return in_.expect(';', "the end of a pragma");
    }
    in_.reject("the directive " + in_.next() + " is not known in a function");
  }

  void parse_declaration(space where) {
    variables_.clear();
    source_location const at = last_location_;
    declare(in_, where, {}, variables_);
    in_.expect(';', "the end of a declaration");
    for (variable& declared : variables_) {
      declared.at.source_file = at.source_file;
      declared.at.source_line = at.source_line;
      remember(declared);
      statement& added = add(statement_kind::declaration);
      added.at = declared.at;
      added.variable = std::move(declared);
    }
  }

  void parse_location() { // 1 12 0, function_name $L__info_string0+4, inlined_at 1 5 3
    in_.skip();
    char const* const from = in_.at;
    place const here = parse_place();
    last_location_.source_file = here[0];
    last_location_.source_line = here[1];
    last_location_.is_merged = here[2] == 0 || here[1] == 0;
    last_location_.inlined_at = nullptr;
    while (in_.next_character() == ',' && in_.take(',')) {
      if (in_.take_word("function_name")) {
        in_.name("the label of a function's name");
        if (in_.next_character() == '+' && in_.take('+')) in_.integer("an offset");
      } else if (in_.take_word("inlined_at")) last_location_.inlined_at = call_at(parse_place());
      else in_.reject("expected `function_name` or `inlined_at` before " + in_.next());
    }
    add(statement_kind::location).name = in_.since(from);
    // Code that was inlined by several calls has line 0, but only in the comment: "f.hpp:3:10 @[ main.cu:0 ]".
    std::string_view const rest(from, in_.end);
    last_location_.is_merged |= rest.substr(0, rest.find('\n')).find(":0 ]") != rest.npos;
    if (has_calls_) note_place(here);
  }

  // --- calls that were inlined ---
  // A .loc names the call by which its line was inlined, and not the call by which the caller was. But a compiler
  // writes a .loc for each call before those of the lines inlined there, so the last .loc of the call's place says
  // that.
  using place = std::array<int, 3>; ///< file, line, column

  place parse_place() {
    place result;
    char const* const what[] = {"the number of a file", "a line", "a column"};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = int(in_.integer(what[i]));
    return result;
  }

  source_location const* call_at(place const& where) {
    source_location const*& known = calls_[where];
    if (!known) known = &result_.calls.emplace_back(source_location{.source_file = where[0], .source_line = where[1]});
    return known;
  }

  void note_place(place const& where) {
    source_location const*& known = calls_[where];
    if (!known || known->inlined_at != last_location_.inlined_at) known = &result_.calls.emplace_back(last_location_);
  }

  void parse_instruction() {
    statement& added = add(statement_kind::instruction);
    instruction& made = added.instruction;
    made.at = added.at;
    if (*in_.at == '@') {
      ++in_.at;
      made.guard_negated = in_.take('!');
      made.guard = in_.name("a predicate");
      in_.skip();
      made.at.line = in_.line;
    }
    made.name = in_.name("an instruction");
    words_.clear();
    for (;;) {
      if (*in_.at != '.') {
        in_.skip();
        if (*in_.at != '.') break;
      }
      words_.push_back(in_.dotted());
    }
    made.modifiers.assign(words_.begin(), words_.end());
    if (*in_.at == ';') return void(++in_.at);
    if (in_.at == in_.end) in_.expect(';', "the end of an instruction");
    bool const is_call = made.name == "call";
    made.operands.reserve(4);
    do parse_operand(made.operands.emplace_back(), is_call);
    while (in_.take(','));
    in_.expect(';', "the end of an instruction");
  }

  void parse_operand(operand& made, bool is_call) {
    in_.skip();
    switch (*in_.at) {
    case '[': return parse_address(made);
    case '{': return parse_parts(made, operand_kind::vector, '}');
    case '(':
      if (is_call) return parse_parts(made, operand_kind::list, ')');
      break;
    case '!': { // of a predicate; before a number it belongs to the expression
      position const start = in_.here();
      ++in_.at;
      in_.skip();
      made.negated = starts_name(*in_.at);
      if (!made.negated) in_.go_back(start);
      break;
    }
    default: break;
    }
    if (!starts_name(*in_.at)) return void(made = constant(in_));
    parse_named(made);
  }

  void parse_named(operand& made) {
    position const start = in_.here();
    named(made);
    char const c = *in_.at;
    if (c == ',' || c == ';') return; // the usual case
    in_.skip();
    if (*in_.at == '|' && made.name != "WARP_SZ") {
      operand second;
      ++in_.at;
      in_.skip();
      named(second);
      operand first = std::exchange(made, {});
      made.kind = operand_kind::pair;
      made.parts.reserve(2);
      made.parts.push_back(std::move(first));
      made.parts.push_back(std::move(second));
    } else if (made.name == "WARP_SZ" && *in_.at != ')' && *in_.at != '}' && *in_.at != ',' && *in_.at != ';') {
      in_.go_back(start); // `WARP_SZ-1`
      made = constant(in_);
    } else if (made.kind == operand_kind::symbol) made.bits = std::uint64_t(offset(in_));
  }

  /// Parses a register, a special register, a symbol or `_`.
  void named(operand& made) {
    char const* const from = in_.at;
    in_.name("an operand");
    if (*in_.at == '.' && starts_name(in_.at[1])) in_.dotted(); // %tid.x, v.y
    made.name = in_.since(from);
    if (made.name[0] == '%') {
      made.kind = is_special(made.name) ? operand_kind::special : operand_kind::reg;
    } else if (made.name == "_") {
      made.kind = operand_kind::sink;
      made.name = {};
    } else if (made.name == "WARP_SZ") {
      made.kind = operand_kind::special;
    } else made.kind = is_register(made.name) ? operand_kind::reg : operand_kind::symbol;
  }

  void parse_address(operand& made) {
    ++in_.at;
    in_.skip();
    made.kind = operand_kind::address;
    if (starts_name(*in_.at)) {
      made.name = in_.name("an address");
      if (*in_.at != ']') made.bits = std::uint64_t(offset(in_));
    } else {
      operand const value = constant(in_);
      if (value.kind != operand_kind::integer) in_.reject("an address needs an integer");
      made.bits = value.bits;
    }
    while (in_.take(',')) parse_operand(made.parts.emplace_back(), false);
    in_.expect(']', "the end of an address");
  }

  void parse_parts(operand& made, operand_kind kind, char close) {
    ++in_.at;
    made.kind = kind;
    if (in_.take(close)) return;
    made.parts.reserve(4);
    do parse_operand(made.parts.emplace_back(), false);
    while (in_.take(','));
    in_.expect(close, kind == operand_kind::vector ? "the end of a vector" : "the end of a list");
  }

  // --- names without a percent sign ---
  struct declared_name {
    std::string_view name;
    int count; ///< of `r<5>`
    bool is_register;
  };

  void remember(variable const& declared) {
    if (declared.name[0] == '%') return;
    declared_.push_back({declared.name, declared.count, declared.where == space::reg});
  }

  bool is_register(std::string_view name) const {
    name = name.substr(0, name.find('.'));
    for (auto known = declared_.rbegin(); known != declared_.rend(); ++known) {
      if (known->count == 0 ? known->name == name : in_range(*known, name)) return known->is_register;
    }
    return false;
  }

  static bool in_range(declared_name const& range, std::string_view name) {
    if (!name.starts_with(range.name) || name.size() == range.name.size()) return false;
    std::string_view const digits = name.substr(range.name.size());
    if (digits.size() > 9 || (digits[0] == '0' && digits.size() > 1)) return false;
    int number = 0;
    for (char c : digits) {
      if (!is_digit(c)) return false;
      number = number * 10 + (c - '0');
    }
    return number < range.count;
  }

  function& result_;
  scanner in_;
  source_location last_location_;                 ///< of the last .loc
  bool has_calls_ = false;                        ///< that were inlined
  std::map<place, source_location const*> calls_; ///< by the last .loc of the place
  std::vector<std::size_t> scopes_;               ///< the number of names declared before each open brace
  std::vector<declared_name> declared_;
  std::vector<std::string_view> words_; ///< of one instruction; a member to reuse its memory
  std::vector<variable> variables_;     ///< of one declaration
};

} // namespace

void parse_body(module& owner, function& result) {
  if (result.body_parsed || !result.has_body) return;
  result.body.clear();
  result.calls.clear();
  body_parser(owner, result).parse();
  result.body_parsed = true;
}

} // namespace emulator::ptx
