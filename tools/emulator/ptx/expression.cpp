// SPDX-License-Identifier: Apache-2.0
//
// expression: evaluates operators by precedence, as in C. Integers have 64 bits: signed, unless a U or the size of a
// number makes them unsigned; an operation with an unsigned operand is unsigned. Floats support + - * / and
// comparisons.
#include "expression.hpp"

#include <bit>
#include <charconv>
#include <limits>
#include <span>

namespace emulator::ptx {
namespace {

operand integer(std::uint64_t bits, bool is_unsigned) {
  operand result;
  result.kind = operand_kind::integer;
  result.bits = bits;
  result.is_unsigned = is_unsigned;
  return result;
}

operand real(double value) {
  operand result;
  result.kind = operand_kind::real;
  result.bits = std::bit_cast<std::uint64_t>(value);
  return result;
}

double real_of(operand const& value) {
  if (value.kind == operand_kind::real) {
    return value.is_single ? double(std::bit_cast<float>(std::uint32_t(value.bits)))
                           : std::bit_cast<double>(value.bits);
  }
  return value.is_unsigned ? double(value.bits) : double(std::int64_t(value.bits));
}

bool is_true(operand const& value) { return value.kind == operand_kind::real ? real_of(value) != 0 : value.bits != 0; }

/// Parses 0f3f800000 or 0d3ff0000000000000: the bits of a float, `digits` hexadecimal digits after the two characters.
operand bits_of_float(scanner& in, std::size_t digits) {
  operand result;
  result.kind = operand_kind::real;
  result.is_single = digits == 8;
  auto const [last, error] = std::from_chars(in.at + 2, in.end, result.bits, 16);
  if (error != std::errc{} || last != in.at + 2 + digits || continues_name(*last)) {
    in.reject("expected " + std::to_string(digits) + " hexadecimal digits after `" + std::string(in.at, 2) + "`");
  }
  in.at = last;
  return result;
}

} // namespace

operand number(scanner& in) {
  in.skip();
  if (!is_digit(*in.at)) in.reject("expected a number before " + in.next());
  int base = 10;
  char const* from = in.at;
  if (*from == '0' && from[1] != '.') {
    switch (from[1]) {
    case 'f':
    case 'F': return bits_of_float(in, 8);
    case 'd':
    case 'D': return bits_of_float(in, 16);
    case 'x':
    case 'X':
      base = 16;
      from += 2;
      break;
    case 'b':
    case 'B':
      base = 2;
      from += 2;
      break;
    default: base = is_digit(from[1]) ? 8 : 10;
    }
  }
  if (base == 10) { // a decimal point or an exponent makes it a double
    char const* last = from;
    while (is_digit(*last)) ++last;
    if (*last == '.' || ((*last == 'e' || *last == 'E') && last != from)) {
      double value = 0;
      auto const [after, error] = std::from_chars(from, in.end, value);
      if (error != std::errc{} || continues_name(*after)) in.reject("this is no number a double can hold");
      in.at = after;
      return real(value);
    }
  }
  std::uint64_t value = 0;
  auto [last, error] = std::from_chars(from, in.end, value, base);
  if (error == std::errc::result_out_of_range) in.reject("this number needs more than 64 bits");
  bool is_unsigned = value > std::uint64_t(std::numeric_limits<std::int64_t>::max());
  if (error == std::errc{} && *last == 'U') {
    is_unsigned = true;
    ++last;
  }
  if (error != std::errc{} || continues_name(*last)) in.reject("expected a number before " + in.next());
  in.at = last;
  return integer(value, is_unsigned);
}

namespace {

operand ternary(scanner& in);

operand unary(scanner& in) {
  in.skip();
  switch (*in.at) {
  case '+': ++in.at; return unary(in);
  case '-': {
    ++in.at;
    operand value = unary(in);
    if (value.kind == operand_kind::integer) value.bits = -value.bits, value.is_unsigned = false;
    else value.bits ^= value.is_single ? 1ull << 31 : 1ull << 63;
    return value;
  }
  case '~': {
    ++in.at;
    operand value = unary(in);
    if (value.kind != operand_kind::integer) in.reject("`~` needs an integer");
    value.bits = ~value.bits;
    return value;
  }
  case '!': ++in.at; return integer(!is_true(unary(in)), false);
  case '(': {
    ++in.at;
    for (bool const to_unsigned : {false, true}) { // a cast
      if (!in.take_word(to_unsigned ? ".u64" : ".s64")) continue;
      in.expect(')', "the end of a cast");
      operand const value = unary(in);
      if (value.kind == operand_kind::integer) return integer(value.bits, to_unsigned);
      double const from = real_of(value);
      if (!(from > -9.2e18 && from < (to_unsigned ? 1.8e19 : 9.2e18))) in.reject("this float does not fit the cast");
      return integer(to_unsigned && from >= 0 ? std::uint64_t(from) : std::uint64_t(std::int64_t(from)), to_unsigned);
    }
    operand const value = ternary(in);
    in.expect(')', "the end of an expression in parentheses");
    return value;
  }
  default:
    if (is_digit(*in.at)) return number(in);
    if (in.take_word("WARP_SZ")) return integer(32, false);
    in.reject("expected a constant before " + in.next());
  }
}

enum class op {
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  eq,
  ne,
  le,
  ge,
  lt,
  gt,
  shl,
  shr,
  add,
  sub,
  mul,
  div,
  rem
};

struct row {
  std::string_view text;
  op what;
  int precedence;
};

/// An operator precedes the operators that are its prefixes.
constexpr row rows[] = {
    {"||", op::logical_or, 1}, {"&&", op::logical_and, 2}, {"|", op::bit_or, 3}, {"^", op::bit_xor, 4},
    {"&", op::bit_and, 5},     {"==", op::eq, 6},          {"!=", op::ne, 6},    {"<=", op::le, 7},
    {">=", op::ge, 7},         {"<<", op::shl, 8},         {">>", op::shr, 8},   {"<", op::lt, 7},
    {">", op::gt, 7},          {"+", op::add, 9},          {"-", op::sub, 9},    {"*", op::mul, 10},
    {"/", op::div, 10},        {"%", op::rem, 10},
};

operand calculate_real(scanner& in, op what, double a, double b) {
  switch (what) {
  case op::add: return real(a + b);
  case op::sub: return real(a - b);
  case op::mul: return real(a * b);
  case op::div: return real(a / b);
  case op::eq: return integer(a == b, false);
  case op::ne: return integer(a != b, false);
  case op::le: return integer(a <= b, false);
  case op::ge: return integer(a >= b, false);
  case op::lt: return integer(a < b, false);
  case op::gt: return integer(a > b, false);
  default: in.reject("this operator needs integers");
  }
}

operand calculate(scanner& in, op what, operand const& left, operand const& right) {
  if (what == op::logical_or) return integer(is_true(left) || is_true(right), false);
  if (what == op::logical_and) return integer(is_true(left) && is_true(right), false);
  if (left.kind == operand_kind::real || right.kind == operand_kind::real) {
    return calculate_real(in, what, real_of(left), real_of(right));
  }
  std::uint64_t const a = left.bits, b = right.bits;
  auto const sa = std::int64_t(a), sb = std::int64_t(b);
  bool const u = left.is_unsigned || right.is_unsigned;
  switch (what) {
  case op::add: return integer(a + b, u);
  case op::sub: return integer(a - b, u);
  case op::mul: return integer(a * b, u);
  case op::div:
  case op::rem:
    if (b == 0) in.reject("a division by zero");
    if (u) return integer(what == op::div ? a / b : a % b, true);
    if (sb == -1) return integer(what == op::div ? -a : 0, false); // the negation of the least integer does not exist
    return integer(std::uint64_t(what == op::div ? sa / sb : sa % sb), false);
  case op::shl: return integer(b < 64 ? a << b : 0, left.is_unsigned);
  case op::shr:
    if (left.is_unsigned) return integer(b < 64 ? a >> b : 0, true);
    return integer(std::uint64_t(sa >> (b < 64 ? b : 63)), false);
  case op::bit_and: return integer(a & b, u);
  case op::bit_or: return integer(a | b, u);
  case op::bit_xor: return integer(a ^ b, u);
  case op::eq: return integer(a == b, false);
  case op::ne: return integer(a != b, false);
  case op::le: return integer(u ? a <= b : sa <= sb, false);
  case op::ge: return integer(u ? a >= b : sa >= sb, false);
  case op::lt: return integer(u ? a < b : sa < sb, false);
  case op::gt: return integer(u ? a > b : sa > sb, false);
  default: in.reject("this operator needs integers");
  }
}

operand binary(scanner& in, int least) {
  operand left = unary(in);
  for (;;) {
    if (*in.at == ';' || *in.at == ',' || *in.at == ']') return left; // nearly always
    position const after = in.here();
    in.skip();
    row const* found = nullptr;
    for (row const& candidate : rows) {
      if (std::string_view(in.at, std::size_t(in.end - in.at)).starts_with(candidate.text)) {
        found = &candidate;
        break;
      }
    }
    if (!found || found->precedence < least) {
      in.go_back(after); // an expression ends with its last token
      return left;
    }
    in.at += found->text.size();
    operand const right = binary(in, found->precedence + 1);
    left = calculate(in, found->what, left, right);
  }
}

operand ternary(scanner& in) {
  operand condition = binary(in, 1);
  if (in.next_character() != '?') return condition;
  in.take('?');
  operand const yes = ternary(in);
  in.expect(':', "the second choice of `?`");
  operand const no = ternary(in);
  return is_true(condition) ? yes : no;
}

} // namespace

operand constant(scanner& in) { return ternary(in); }

std::int64_t offset(scanner& in) {
  position const start = in.here();
  if (!in.take('+')) {
    if (*in.at == '-') in.reject("an offset below zero is written `+-8`");
    in.go_back(start);
    return 0;
  }
  operand const value = constant(in);
  if (value.kind != operand_kind::integer) in.reject("an offset needs an integer");
  return std::int64_t(value.bits);
}

} // namespace emulator::ptx
