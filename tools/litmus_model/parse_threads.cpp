// SPDX-License-Identifier: Apache-2.0
#include "parse_threads.hpp"

#include <algorithm>
#include <initializer_list>

#include "objects.hpp"
#include "words.hpp"

namespace litmus {

namespace {

bool is_register(std::string const& word) {
  return word.size() > 1 && word[0] == 'r' && word.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// Parses the instructions of one thread.
class instruction_parser {
  lexer& in_;
  program const& program_;
  thread& thread_;

  int register_of(std::string const& name, bool defines) {
    auto const found = std::find(thread_.registers.begin(), thread_.registers.end(), name);
    if (found != thread_.registers.end()) return int(found - thread_.registers.begin());
    if (!defines)
      in_.fail(thread_.name + " reads register " + name + ", which no instruction above writes", "write it before");
    thread_.registers.push_back(name);
    return int(thread_.registers.size()) - 1;
  }

  operand parse_operand() {
    if (in_.peek().kind == token::kind::number) return {std::nullopt, in_.next().number};
    std::string const name = in_.word("a number or a register");
    if (!is_register(name)) in_.fail("'" + name + "' is neither a number nor a register", "registers are r0, r1, ...");
    return {register_of(name, false), 0};
  }

  bool at_operand() const {
    auto const& t = in_.peek();
    return t.kind == token::kind::number || (t.kind == token::kind::word && is_register(t.text));
  }

  expression parse_expression() {
    expression result{parse_operand(), {}};
    while (in_.peek().text == "+" || in_.peek().text == "-" || in_.peek().text == "^") {
      char const op = in_.next().text[0];
      result.rest.push_back({op, parse_operand()});
    }
    return result;
  }

  test parse_test() {
    auto const compare = words::find(words::comparisons, in_.peek().text);
    if (!compare)
      in_.fail(shown(in_.peek()) + " stands where a comparison must be", "use " + words::list(words::comparisons));
    in_.next();
    return {*compare, parse_operand()};
  }

  guard parse_guard() {
    std::string const name = in_.word("a register");
    int const reg = register_of(name, false);
    return {reg, parse_test()};
  }

  int parse_location(std::string const& operation) {
    std::string const name = in_.word("the location of " + operation);
    for (std::size_t i = 0; i < program_.locations.size(); ++i)
      if (program_.locations[i].name == name) return int(i);
    in_.fail("'" + name + "' is no location", "declare it between { and }");
  }

  struct qualifiers {
    std::vector<order> orders;
    std::optional<litmus::scope> scope;
    std::optional<int> elements;
    std::optional<litmus::level> level;
  };

  qualifiers parse_qualifiers(std::string const& operation, bool sync) {
    qualifiers result;
    while (in_.accept(".")) {
      std::string const word = in_.word("a qualifier of " + operation);
      if (sync) {
        result.level = words::find(words::levels, word);
        if (!result.level) in_.fail("sync." + word + " does not exist", "use sync." + words::list(words::levels));
      } else if (auto const o = words::find(words::orders, word)) result.orders.push_back(*o);
      else if (auto const s = words::find(words::scopes, word)) result.scope = *s;
      else if (word == "v2" || word == "v4") result.elements = word[1] - '0';
      else
        in_.fail("'" + word + "' is no qualifier of " + operation,
                 "use an order (" + words::list(words::orders) + ") and a scope (" + words::list(words::scopes) + ")");
    }
    return result;
  }

  void ensure_order(std::string const& operation, order given, std::initializer_list<order> allowed) {
    std::string list;
    for (order const one : allowed) {
      if (one == given) return;
      list += (list.empty() ? "" : ", ") + std::string(words::name(words::orders, one));
    }
    in_.fail(operation + " cannot be " + std::string(words::name(words::orders, given)), "use one of: " + list);
  }

  void parse_operation(std::string const& name, instruction& i) {
    i.operation = *words::find(words::operations, name);
    bool const sync = i.operation == operation::sync;
    auto const q = parse_qualifiers(name, sync);
    if (i.operation == operation::notify) {
      if (!q.orders.empty() || q.scope) in_.fail("notify has neither order nor scope", "remove them");
      i.location = parse_location(name);
      return;
    }
    if (sync) {
      if (!q.level) in_.fail("sync lacks its level", "use sync." + words::list(words::levels));
      i.level = *q.level;
      return;
    }
    bool const two = i.operation == operation::compare_exchange;
    if (q.orders.size() != (two ? 2U : 1U))
      in_.fail(name + " has " + std::to_string(q.orders.size()) + " orders",
               two ? "write those of success and of failure, as in compare_exchange.acq_rel.relaxed"
                   : "write one, as in " + name + ".seq_cst");
    i.order = q.orders[0];
    i.scope = q.scope.value_or(scope::narrowest);
    using enum order;
    switch (i.operation) {
    case operation::load: ensure_order(name, i.order, {weak, relaxed, acquire, seq_cst}); break;
    case operation::wait: ensure_order(name, i.order, {relaxed, acquire, seq_cst}); break;
    case operation::store: ensure_order(name, i.order, {weak, relaxed, release, seq_cst}); break;
    case operation::store_add: ensure_order(name, i.order, {relaxed, release, seq_cst}); break;
    case operation::fence: ensure_order(name, i.order, {acquire, release, acq_rel, seq_cst}); break;
    default: ensure_order(name, i.order, {relaxed, acquire, release, acq_rel, seq_cst});
    }
    if (i.order == weak && q.scope) in_.fail("a weak " + name + " has no scope", "remove the scope, or use relaxed");
    if (i.operation == operation::fence) return;
    i.location = parse_location(name);
    if (q.elements) {
      int const size = program_.locations[std::size_t(i.location)].size;
      if (i.order != weak || size < 2 * *q.elements || size / *q.elements > 8)
        in_.fail("a vector of " + std::to_string(*q.elements) + " elements cannot access " +
                     program_.locations[std::size_t(i.location)].name,
                 "use a weak load or store of 2 or 4 elements of 2 to 8 bytes");
      i.elements = *q.elements;
    }
    if (two) {
      i.failure = q.orders[1];
      ensure_order("the failure of " + name, i.failure, {relaxed, acquire, seq_cst});
      i.expected = parse_expression();
    }
    if (i.operation != operation::load) {
      if (!at_operand())
        in_.fail(shown(in_.peek()) + " stands where the value of " + name + " must be", "write a number or a register");
      i.values.push_back(parse_expression());
    }
  }

  void parse_call(std::string const& name, instruction& i) {
    auto const& all = program_.objects;
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& o) { return o.name == name; });
    if (found == all.end())
      in_.fail("'" + name + "' is neither an operation nor an object",
               "use " + words::list(words::operations) + ", or declare the object between { and }");
    in_.expect(".", "the object " + name);
    std::string const member_name = in_.word("a member of " + name);
    auto const m = words::find(words::members, member_name);
    auto const& members = members_of(found->kind);
    auto const signature =
        std::find_if(members.begin(), members.end(), [&](auto const& s) { return m && s.member == *m; });
    if (signature == members.end()) {
      std::string list;
      for (auto const& s : members)
        list += (list.empty() ? "" : ", ") + std::string(words::name(words::members, s.member));
      in_.fail("a " + std::string(words::name(words::object_kinds, found->kind)) + " has no member " + member_name,
               "use one of: " + list);
    }
    i.operation = operation::call;
    i.object = int(found - all.begin());
    i.member = *m;
    if (in_.peek().text == ".") {
      auto const q = parse_qualifiers(name + "." + member_name, false);
      if (!signature->has_order || q.orders.size() != 1 || q.scope || q.elements)
        in_.fail(name + "." + member_name + " has other qualifiers",
                 signature->has_order ? "use one order" : "remove them");
      i.order = q.orders[0];
      using enum order;
      if (*m == member::find) ensure_order(member_name, i.order, {relaxed, acquire});
      else ensure_order(member_name, i.order, {relaxed, acquire, release, acq_rel});
    }
    while (at_operand()) i.values.push_back(parse_expression());
    if (int(i.values.size()) != signature->arguments)
      in_.fail(name + "." + member_name + " has " + std::to_string(i.values.size()) + " arguments",
               "write " + std::to_string(signature->arguments));
    if (i.result && !signature->has_result)
      in_.fail(name + "." + member_name + " returns nothing", "remove the register");
  }

  void parse_simple(instruction& i) {
    std::string name = in_.word("an instruction");
    std::string result;
    if (in_.accept("=")) {
      if (!is_register(name)) in_.fail("'" + name + "' is no register", "registers are r0, r1, ...");
      result = name;
      if (at_operand()) {
        i.operation = operation::assign;
        i.values.push_back(parse_expression());
        i.result = register_of(result, true);
        return;
      }
      name = in_.word("an operation");
      i.result = 0; // marks that there is one; the register is defined below, after the operands are parsed
    }
    if (words::find(words::operations, name) && in_.peek().text != "=") parse_operation(name, i);
    else parse_call(name, i);
    bool const returns = i.operation == operation::load || i.operation == operation::exchange ||
                         i.operation == operation::fetch_add || i.operation == operation::compare_exchange ||
                         i.operation == operation::wait || i.operation == operation::call;
    if (!result.empty() && !returns) in_.fail(name + " returns nothing", "remove the register " + result);
    if (!result.empty()) i.result = register_of(result, true);
    else if (i.operation == operation::load) in_.fail("the value of the load goes nowhere", "write r0 = load...");
  }

  void parse_await(instruction& i) {
    parse_simple(i);
    bool const reads = i.operation == operation::load || i.operation == operation::exchange ||
                       i.operation == operation::fetch_add || i.operation == operation::compare_exchange;
    if (!reads) in_.fail("only an operation that reads a location can be awaited", "use a load or a read-modify-write");
    in_.expect("until", "the operation that is awaited");
    i.until = parse_test();
  }

public:
  instruction_parser(lexer& in, program const& p, thread& t) : in_(in), program_(p), thread_(t) {}

  instruction parse() {
    instruction i;
    i.line = in_.peek().line;
    if (in_.accept("unless")) {
      i.operation = operation::exit;
      i.guard = parse_guard();
      in_.expect("exit", "the condition of unless");
      return i;
    }
    if (in_.accept("if")) {
      i.guard = parse_guard();
      in_.expect("then", "the condition of if");
    }
    if (in_.accept("await")) parse_await(i);
    else parse_simple(i);
    return i;
  }
};

void parse_names(lexer& in, program& p) {
  do {
    int const expected = int(p.threads.size());
    std::string const name = in.word("the name of a thread");
    if (name != "P" + std::to_string(expected))
      in.fail("the column after " + std::to_string(expected) + " others is called " + name,
              "call the columns P0, P1, ...");
    p.threads.push_back({name, {}, {}});
  } while (in.accept("|"));
  in.expect(";", "the names of the threads");
}

/// The calls of a once_flag enclose the function: enter, then leave.
void check_once(lexer const& in, program const& p, thread const& t) {
  for (std::size_t o = 0; o < p.objects.size(); ++o) {
    if (p.objects[o].kind != object_kind::once_flag) continue;
    bool inside = false;
    int line = 0;
    for (auto const& i : t.instructions) {
      if (i.object != int(o)) continue;
      bool const enters = i.member == member::enter;
      if (enters == inside || i.guard)
        in.fail(i.line, "enter and leave of " + p.objects[o].name + " do not alternate",
                "write enter, the function, leave, without guards");
      inside = enters;
      line = i.line;
    }
    if (inside)
      in.fail(line, "the function of " + p.objects[o].name + " has no end",
              "write " + p.objects[o].name + ".leave after it");
  }
}

} // namespace

void parse_threads(lexer& in, program& p) {
  parse_names(in, p);
  while (in.peek().text != "placements") {
    if (in.peek().kind == token::kind::end)
      in.fail("the file ends within the columns", "write the line placements ...;");
    for (std::size_t column = 0;; ++column) {
      if (column == p.threads.size())
        in.fail("the row has more columns than the " + std::to_string(p.threads.size()) + " threads", "remove a |");
      if (in.peek().text != "|" && in.peek().text != ";")
        p.threads[column].instructions.push_back(instruction_parser(in, p, p.threads[column]).parse());
      if (in.accept(";")) {
        if (column + 1 != p.threads.size())
          in.fail("the row has " + std::to_string(column + 1) + " columns, and there are " +
                      std::to_string(p.threads.size()) + " threads",
                  "write one | between two columns, also where a column is empty");
        break;
      }
      in.expect("|", "the instruction of " + p.threads[column].name);
    }
  }
  for (auto const& t : p.threads) check_once(in, p, t);
}

} // namespace litmus
