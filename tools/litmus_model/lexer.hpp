// SPDX-License-Identifier: Apache-2.0
//
// lexer: the text of a file as words, numbers and symbols, each with its line.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace litmus {

struct token {
  enum class kind { word, number, symbol, quoted, end };
  token::kind kind = kind::end;
  std::string text; ///< of a quoted one without the quotes
  value number = 0;
  int line = 0;
};

class lexer {
  std::string file_;
  std::vector<token> tokens_;
  std::size_t at_ = 0;

public:
  /// Throws parse_error.
  lexer(std::string_view text, std::string file, int first_line);

  [[nodiscard]] std::string const& file() const { return file_; }
  [[nodiscard]] token const& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  token next();
  /// Consumes the next token if it is this symbol or word.
  bool accept(std::string_view text);
  /// Throws parse_error unless the next token is this symbol or word. `after` says where it is missing.
  void expect(std::string_view text, std::string_view after);
  /// Throws parse_error unless the next token is a word. `what` is what is expected.
  std::string word(std::string_view what);
  value number(std::string_view what);
  /// FILE:LINE: what; advice
  [[noreturn]] void fail(int line, std::string const& what, std::string const& advice) const;
  [[noreturn]] void fail(std::string const& what, std::string const& advice) const { fail(peek().line, what, advice); }
};

/// How a token is named in messages.
std::string shown(token const&);

} // namespace litmus
