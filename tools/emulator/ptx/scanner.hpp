// SPDX-License-Identifier: Apache-2.0
//
// scanner: the characters of a PTX text: white space, comments, names, numbers.
// The grammars (parse.cpp, body.cpp, declaration.cpp, expression.cpp) read characters, not tokens: the next character
// nearly always decides what follows in PTX, and a body is read once. The text of a scanner ends with a character that
// no rule consumes: the final '\0', or the brace that closes a body. So reading the next character needs no check for
// the end.
#pragma once

#include "parse.hpp"

#include <string>
#include <string_view>

namespace emulator::ptx {

struct position {
  char const* at;
  int line;
};

struct scanner {
  module const& owner;
  char const* at;
  char const* end;
  int line;
  std::string_view function{}; ///< the function whose body this is, for error messages

  position here() const { return {at, line}; }
  void go_back(position to) {
    at = to.at;
    line = to.line;
  }

  /// Skips white space and comments.
  void skip();
  /// Consumes `c` if it is next, after white space; returns whether it was.
  bool take(char c) {
    skip();
    if (*at != c || at == end) return false;
    ++at;
    return true;
  }
  /// Reports an error if `c` is not next. `what` names the construct to which `c` belongs: "the end of an instruction".
  void expect(char c, char const* what);
  /// Returns the character that take() would compare, '\0' at the end. Consumes nothing, not even white space.
  char next_character() const;
  bool ends() {
    skip();
    return at == end;
  }
  /// Consumes this word, as a whole, if it is next; returns whether it was. The word's first character may be a dot.
  bool take_word(std::string_view);

  /// Parses a name: letters, digits, _ and $, with an optional leading %. Reports an error if there is none.
  std::string_view name(char const* what);
  /// Parses what follows the dot that is next: "b32", "shared::cta", "L2::128B", "3d".
  std::string_view dotted();
  /// Parses "...", including the quotes.
  std::string_view quoted();
  /// Parses a number without a sign: decimal, 0x, 0b, octal.
  std::int64_t integer(char const* what);
  /// Skips to the position after the brace that closes the one just consumed.
  void skip_braces();
  /// Returns the text from `from` to the current position.
  std::string_view since(char const* from) const { return {from, std::size_t(at - from)}; }

  [[noreturn]] void reject(std::string const& what) const;
  /// Returns a description of what is next, for error messages: "`;`", "the end of the text".
  std::string next() const;
};

bool starts_name(char);
bool continues_name(char);
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace emulator::ptx
