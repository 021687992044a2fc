// SPDX-License-Identifier: Apache-2.0
//
// scanner: reads white space, comments and names with a table of character classes.
#include "scanner.hpp"

#include "expression.hpp"

#include <array>
#include <cstring>

namespace emulator::ptx {
namespace {

enum : unsigned char { blank = 1, starts = 2, continues = 4, ends_skip = 8 };

constexpr std::array<unsigned char, 256> classes = [] {
  std::array<unsigned char, 256> table{};
  for (unsigned char c : {' ', '\t', '\r', '\v', '\f'}) table[std::size_t(c)] |= blank;
  for (int c = 'a'; c <= 'z'; ++c) table[std::size_t(c)] |= starts | continues;
  for (int c = 'A'; c <= 'Z'; ++c) table[std::size_t(c)] |= starts | continues;
  for (int c = '0'; c <= '9'; ++c) table[std::size_t(c)] |= continues;
  for (unsigned char c : {'_', '$'}) table[std::size_t(c)] |= starts | continues;
  table['%'] |= starts;
  for (unsigned char c : {'{', '}', '"', '/', '\n', '\0'}) table[std::size_t(c)] |= ends_skip; // see skip_braces
  return table;
}();

bool is(char c, unsigned char what) { return classes[static_cast<unsigned char>(c)] & what; }

} // namespace

bool starts_name(char c) { return is(c, starts); }
bool continues_name(char c) { return is(c, continues); }

void scanner::skip() {
  for (;;) {
    while (is(*at, blank)) ++at;
    if (*at == '\n') {
      ++line;
      ++at;
    } else if (*at == '/' && at[1] == '/') {
      auto const* const newline = static_cast<char const*>(std::memchr(at, '\n', std::size_t(end - at)));
      at = newline ? newline : end;
    } else if (*at == '/' && at[1] == '*') {
      std::string_view const rest(at + 2, std::size_t(end - at - 2));
      auto const close = rest.find("*/");
      if (close == rest.npos) reject("this comment is never closed; add `*/`");
      for (char c : rest.substr(0, close)) line += c == '\n';
      at += close + 4;
    } else return;
  }
}

char scanner::next_character() const {
  scanner ahead = *this;
  return ahead.ends() ? '\0' : *ahead.at;
}

void scanner::expect(char c, char const* what) {
  if (!take(c)) reject(std::string("expected `") + c + "`, " + what + ", before " + next());
}

bool scanner::take_word(std::string_view word) {
  skip();
  if (std::size_t(end - at) < word.size() || std::memcmp(at, word.data(), word.size()) != 0) return false;
  if (is(at[word.size()], continues)) return false;
  at += word.size();
  return true;
}

std::string_view scanner::name(char const* what) {
  skip();
  if (!is(*at, starts)) reject(std::string("expected ") + what + " before " + next());
  char const* const from = at++;
  while (is(*at, continues)) ++at;
  return since(from);
}

std::string_view scanner::dotted() {
  char const* const from = ++at;
  while (is(*at, continues) || (*at == ':' && at[1] == ':' && is(at[2], continues))) at += *at == ':' ? 2 : 1;
  if (at == from) reject("expected a word after this dot, before " + next());
  return since(from);
}

std::string_view scanner::quoted() {
  skip();
  char const* const from = at;
  if (*at != '"') reject("expected a text in quotes before " + next());
  for (++at; *at != '"'; ++at) {
    if (at == end || *at == '\n') reject("this text in quotes is never closed");
    if (*at == '\\' && at + 1 != end) ++at;
  }
  ++at;
  return since(from);
}

std::int64_t scanner::integer(char const* what) {
  operand const value = number(*this);
  if (value.kind != operand_kind::integer) reject(std::string("expected ") + what + ", an integer, before " + next());
  return std::int64_t(value.bits);
}

void scanner::skip_braces() {
  int const first = line;
  for (int depth = 1;; ++at) {
    while (!is(*at, ends_skip)) ++at;
    if (at >= end) {
      at = end;
      reject("the `{` of line " + std::to_string(first) + " is never closed; is the text cut off?");
    }
    switch (*at) {
    case '\n': ++line; break;
    case '{': ++depth; break;
    case '}':
      if (--depth == 0) return void(++at);
      break;
    case '"':
      quoted();
      --at;
      break;
    case '/':
      if (at[1] == '/' || at[1] == '*') {
        skip();
        --at;
      }
      break;
    default: break;
    }
  }
}

std::string scanner::next() const {
  if (at == end) return function.empty() ? "the end of the text" : "the end of the body";
  if (*at == '\n') return "the end of the line";
  char const* last = at + 1;
  if (is(*at, starts | continues) || *at == '.') {
    while (is(*last, continues)) ++last;
  }
  return "`" + std::string(at, last) + "`";
}

void scanner::reject(std::string const& what) const {
  throw rejected(owner, {.line = line}, function.empty() ? what : std::string(function) + ": " + what);
}

} // namespace emulator::ptx
