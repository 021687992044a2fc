// SPDX-License-Identifier: Apache-2.0
//
// scanner: the characters of a PTX text: white space, comments, names, numbers.
// The grammars (parse.cpp, body.cpp, declaration.cpp, expression.cpp) read characters, not tokens: PTX can nearly always be
// told apart by the next character, and a body is read once. What a scanner reads ends with a character that nothing
// takes: the text's '\0', or the brace that closes a body; so no look at the next character needs to ask for the end.
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
  std::string_view function{}; ///< whose body this is, for reports

  position here() const { return {at, line}; }
  void go_back(position to) {
    at = to.at;
    line = to.line;
  }

  /// Goes on to the next character that is neither white space nor comment.
  void skip();
  /// Takes `c` where it is next, after white space.
  bool take(char c) {
    skip();
    if (*at != c || at == end) return false;
    ++at;
    return true;
  }
  /// Refuses where `c` is not next. `what` it belongs to, for the report: "the end of an instruction".
  void expect(char c, char const* what);
  /// The character that take() would look at; '\0' at the end. Takes nothing, white space neither.
  char next_character() const;
  bool ends() {
    skip();
    return at == end;
  }
  /// Takes this word, a whole one, where it is next. The word's first character may be a dot.
  bool take_word(std::string_view);

  /// A name: letters, digits, _ and $, % in front. Refuses where there is none.
  std::string_view name(char const* what);
  /// What follows a dot, which is next: "b32", "shared::cta", "L2::128B", "3d".
  std::string_view dotted();
  /// "...", with its quotes.
  std::string_view quoted();
  /// A number without a sign: decimal, 0x, 0b, octal.
  std::int64_t integer(char const* what);
  /// Goes behind the brace that closes the one just taken.
  void skip_braces();
  /// The text from `from` to here.
  std::string_view since(char const* from) const { return {from, std::size_t(at - from)}; }

  [[noreturn]] void refuse(std::string const& what) const;
  /// "`;`", "the end of the text": for reports.
  std::string next() const;
};

bool starts_name(char);
bool continues_name(char);
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace emulator::ptx
