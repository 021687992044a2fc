// SPDX-License-Identifier: Apache-2.0
#include "lexer.hpp"

#include <array>
#include <cctype>

#include "parse.hpp"

namespace litmus {

namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

constexpr std::array<std::string_view, 23> symbols{"/\\", "\\/", "==", "!=", "<=", ">=", "<", ">", "=", "~", "|", ";",
                                                   "{",   "}",   "(",  ")",  ":",  ",",  ".", "@", "+", "-", "^"};

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = char(std::tolower(static_cast<unsigned char>(c)));
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

} // namespace

std::string shown(token const& t) {
  if (t.kind == token::kind::end) return "the end of the file";
  if (t.kind == token::kind::quoted) return "\"" + t.text + "\"";
  return "'" + t.text + "'";
}

lexer::lexer(std::string_view text, std::string file, int first_line) : file_(std::move(file)) {
  int line = first_line;
  std::size_t i = 0;
  auto const end_of = [&](auto belongs) {
    std::size_t end = i;
    while (end < text.size() && belongs(text[end])) ++end;
    return end;
  };
  while (i < text.size()) {
    char const c = text[i];
    if (c == '\n') ++line, ++i;
    else if (std::isspace(static_cast<unsigned char>(c))) ++i;
    else if (c == '#') i = end_of([](char d) { return d != '\n'; });
    else if (c == '"') {
      auto const close = text.find_first_of("\"\n", i + 1);
      if (close == std::string_view::npos || text[close] == '\n')
        fail(line, "the quoted sentence does not end on its line", "end it with \"");
      tokens_.push_back({token::kind::quoted, std::string(text.substr(i + 1, close - i - 1)), 0, line});
      i = close + 1;
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      auto const end = end_of(in_word);
      auto const all = text.substr(i, end - i);
      bool const hex = all.size() > 2 && all[0] == '0' && (all[1] == 'x' || all[1] == 'X');
      int const base = hex ? 16 : 10;
      value number = 0;
      for (char const d : all.substr(hex ? 2 : 0)) {
        if (digit(d) >= base) fail(line, "'" + std::string(all) + "' is no number", "write 12 or 0x1f");
        if (number > (~value(0) - value(digit(d))) / value(base))
          fail(line, "'" + std::string(all) + "' has more than 16 bytes", "write a value below 2^128");
        number = number * value(base) + value(digit(d));
      }
      tokens_.push_back({token::kind::number, std::string(all), number, line});
      i = end;
    } else if (starts_word(c)) {
      auto const end = end_of(in_word);
      tokens_.push_back({token::kind::word, std::string(text.substr(i, end - i)), 0, line});
      i = end;
    } else {
      std::string_view found;
      for (auto const symbol : symbols)
        if (text.substr(i, symbol.size()) == symbol) {
          found = symbol;
          break;
        }
      if (found.empty())
        fail(line, std::string("the character '") + c + "' has no meaning here", "remove it; comments begin with #");
      tokens_.push_back({token::kind::symbol, std::string(found), 0, line});
      i += found.size();
    }
  }
  tokens_.push_back({token::kind::end, "", 0, line});
}

token lexer::next() {
  token const t = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return t;
}

bool lexer::accept(std::string_view text) {
  auto const& t = peek();
  if ((t.kind != token::kind::symbol && t.kind != token::kind::word) || t.text != text) return false;
  next();
  return true;
}

void lexer::expect(std::string_view text, std::string_view after) {
  if (!accept(text)) fail(shown(peek()) + " follows " + std::string(after), "write '" + std::string(text) + "' there");
}

std::string lexer::word(std::string_view what) {
  if (peek().kind != token::kind::word)
    fail(shown(peek()) + " stands where " + std::string(what) + " must be", "write a name");
  return next().text;
}

value lexer::number(std::string_view what) {
  if (peek().kind != token::kind::number)
    fail(shown(peek()) + " stands where " + std::string(what) + " must be", "write a number");
  return next().number;
}

void lexer::fail(int line, std::string const& what, std::string const& advice) const {
  throw parse_error(file_ + ":" + std::to_string(line) + ": " + what + "; " + advice);
}

} // namespace litmus
