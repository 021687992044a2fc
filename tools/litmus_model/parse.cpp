// SPDX-License-Identifier: Apache-2.0
//
// parse: the name, the sentence, the declarations and the condition; the columns are in parse_threads.cpp, the
// placements in placements.cpp.
#include "parse.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "lexer.hpp"
#include "objects.hpp"
#include "parse_threads.hpp"
#include "placements.hpp"
#include "words.hpp"

namespace litmus {

namespace {

void ensure_new_name(lexer const& in, program const& p, std::string const& name) {
  bool const known =
      std::any_of(p.locations.begin(), p.locations.end(), [&](auto const& l) { return l.name == name; }) ||
      std::any_of(p.objects.begin(), p.objects.end(), [&](auto const& o) { return o.name == name; });
  if (known) in.fail("'" + name + "' is declared twice", "use another name");
  if (words::find(words::operations, name) || name == "await" || name == "if" || name == "unless")
    in.fail("'" + name + "' is a word of the format", "use another name");
}

int parse_size(lexer& in) {
  value const size = in.number("a size in bytes");
  if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16)
    in.fail("a location has 1, 2, 4, 8 or 16 bytes", "change the size");
  return int(size);
}

/// part NAME of PARENT at OFFSET : SIZE
location parse_part(lexer& in, program const& p) {
  location result;
  result.name = in.word("the name of a part");
  in.expect("of", "the name of the part");
  std::string const parent = in.word("a location");
  auto const found =
      std::find_if(p.locations.begin(), p.locations.end(), [&](auto const& l) { return l.name == parent; });
  if (found == p.locations.end() || found->part_of)
    in.fail("'" + parent + "' is no location that can have parts", "declare it above, and not as a part");
  in.expect("at", "the location");
  value const offset = in.number("an offset in bytes");
  in.expect(":", "the offset");
  result.size = parse_size(in);
  if (offset % value(result.size) != 0 || offset + value(result.size) > value(found->size))
    in.fail("the part " + result.name + " is not an aligned range of the bytes of " + parent,
            "change its offset or its size");
  result.part_of = {int(found - p.locations.begin()), int(offset)};
  return result;
}

object parse_object(lexer& in, object_kind kind) {
  object result;
  result.kind = kind;
  if (in.accept(".")) {
    std::string const word = in.word("a scope");
    auto const s = words::find(words::scopes, word);
    if (!s) in.fail("'" + word + "' is no scope", "use " + words::list(words::scopes));
    result.scope = *s;
  }
  result.name = in.word("the name of an object");
  if (has_count(kind)) {
    in.expect("(", "the name of the object");
    value const count = in.number("a count");
    if (count > 1000) in.fail("the count is above 1000", "use a smaller one");
    result.count = int(count);
    in.expect(")", "the count");
  }
  return result;
}

/// [MEMORY] NAME [: SIZE] [= VALUE]
location parse_location(lexer& in) {
  location result;
  if (auto const kind = words::find(words::memory_kinds, in.peek().text)) {
    result.memory = *kind;
    in.next();
  }
  result.name = in.word("the name of a location");
  if (in.accept(":")) result.size = parse_size(in);
  if (in.accept("=")) result.initial = in.number("the initial value");
  if (result.size < 16 && result.initial >> (8 * result.size) != 0)
    in.fail("the initial value of " + result.name + " has more than " + std::to_string(result.size) + " bytes",
            "use a smaller one, or a larger size");
  return result;
}

void parse_declarations(lexer& in, program& p) {
  in.expect("{", "the sentence");
  while (!in.accept("}")) {
    if (in.accept("part")) {
      location part = parse_part(in, p);
      ensure_new_name(in, p, part.name);
      p.locations.push_back(part);
    } else if (auto const kind = words::find(words::object_kinds, in.peek().text)) {
      in.next();
      object o = parse_object(in, *kind);
      ensure_new_name(in, p, o.name);
      p.objects.push_back(o);
    } else {
      location l = parse_location(in);
      ensure_new_name(in, p, l.name);
      p.locations.push_back(l);
    }
    in.expect(";", "the declaration");
  }
}

class condition_parser {
  lexer& in_;
  program const& program_;

  condition atom() {
    condition result;
    std::string const name = in_.word("a location, or a register such as P0:r1");
    auto const& threads = program_.threads;
    if (in_.accept(":")) {
      auto const t = std::find_if(threads.begin(), threads.end(), [&](auto const& one) { return one.name == name; });
      if (t == threads.end()) in_.fail("'" + name + "' is no thread", "use the names of the columns");
      std::string const reg = in_.word("a register of " + name);
      auto const r = std::find(t->registers.begin(), t->registers.end(), reg);
      if (r == t->registers.end()) in_.fail(name + " has no register " + reg, "use one that it writes");
      result.kind = condition_kind::reg;
      result.thread = int(t - threads.begin());
      result.reg = int(r - t->registers.begin());
    } else {
      auto const& all = program_.locations;
      auto const l = std::find_if(all.begin(), all.end(), [&](auto const& one) { return one.name == name; });
      if (l == all.end()) in_.fail("'" + name + "' is no location", "use a declared one, or P0:r1 for a register");
      result.kind = condition_kind::location;
      result.location = int(l - all.begin());
    }
    in_.expect("=", "the name in the condition");
    result.equals = in_.number("a value");
    return result;
  }

  condition negation() {
    if (in_.accept("~")) return {condition_kind::negation, -1, -1, -1, 0, {negation()}};
    if (in_.accept("(")) {
      condition inner = disjunction();
      in_.expect(")", "the condition");
      return inner;
    }
    if (in_.accept("true")) return {};
    return atom();
  }

  condition joined(std::string_view symbol, condition_kind kind, condition (condition_parser::*next)()) {
    condition first = (this->*next)();
    if (in_.peek().text != symbol) return first;
    condition result{kind, -1, -1, -1, 0, {std::move(first)}};
    while (in_.accept(symbol)) result.operands.push_back((this->*next)());
    return result;
  }
  condition conjunction() { return joined("/\\", condition_kind::conjunction, &condition_parser::negation); }

public:
  condition_parser(lexer& in, program const& p) : in_(in), program_(p) {}
  condition disjunction() { return joined("\\/", condition_kind::disjunction, &condition_parser::conjunction); }
};

/// The line `litmus NAME`, which may follow comments. Returns what is after it; `line` becomes the number of that line.
std::string_view parse_name(std::string_view text, std::string const& file, std::string& name, int& line) {
  while (true) {
    auto const end = std::min(text.find('\n'), text.size());
    std::string_view const row = text.substr(0, end);
    auto const first = row.find_first_not_of(" \t\r");
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (first == std::string_view::npos || row[first] == '#') {
      if (text.empty()) throw parse_error(file + ":1: the file has no program; write litmus NAME in the first line");
      continue;
    }
    std::istringstream words{std::string(row)};
    std::string word, more;
    words >> word >> name;
    if (word != "litmus" || name.empty() || words >> more)
      throw parse_error(file + ":" + std::to_string(line - 1) +
                        ": the program does not begin with its name; write litmus NAME, without spaces in the name");
    return text;
  }
}

} // namespace

program parse(std::string_view text, std::string file) {
  program p;
  p.file = file;
  int line = 1;
  auto const rest = parse_name(text, file, p.name, line);
  lexer in(rest, std::move(file), line);
  if (in.peek().kind != token::kind::quoted)
    in.fail(shown(in.peek()) + " follows the name", "write a sentence in quotes that says what the program shows");
  p.sentence = in.next().text;
  parse_declarations(in, p);
  parse_threads(in, p);
  in.expect("placements", "the columns");
  parse_placements(in, p);
  in.expect("exists", "the placements");
  p.exists = condition_parser(in, p).disjunction();
  if (in.peek().kind != token::kind::end) in.fail(shown(in.peek()) + " follows the condition", "remove it");
  return p;
}

program parse_file(std::string const& path) {
  std::ifstream in(path);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    throw parse_error(path + ":1: the file cannot be read (" + std::strerror(errno) + "); check its name");
  return parse(text.view(), path);
}

} // namespace litmus
