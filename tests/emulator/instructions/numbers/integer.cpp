// SPDX-License-Identifier: Apache-2.0
//
// Integers: each instruction against the same computation in 128 bits.
#include "numbers.hpp"

using namespace emulator_test;

namespace {

struct type {
  char const* name;
  int bits;
  bool is_signed;
};
constexpr type types[]{{"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                       {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};

std::vector<operands> two(int bits) { return combine({integer_edges(bits), integer_edges(bits)}, {bits, bits}); }
std::vector<operands> three(int bits) {
  return combine({integer_edges(bits), integer_edges(bits), integer_edges(bits)}, {bits, bits, bits});
}

/// An instruction of two operands in every type.
void check_all(std::string const& name, wide (*f)(wide, wide, int)) {
  for (type const& t : types)
    check(name + "." + t.name + " d, a, b;", {t.bits, {t.bits, t.bits}}, two(t.bits), [&](u64 a, u64 b, u64, u64) {
      return low_bits(u64(f(value(a, t.bits, t.is_signed), value(b, t.bits, t.is_signed), t.bits)), t.bits);
    });
}

/// The high half of a product, computed without a wider product.
u64 high_half(u64 a, u64 b, type const& t) {
  if (t.bits < 64)
    return low_bits(u64(value(a, t.bits, t.is_signed) * value(b, t.bits, t.is_signed) >> t.bits), t.bits);
  u64 high = u64(static_cast<unsigned __int128>(a) * b >> 64);
  if (t.is_signed && s64(a) < 0) high -= b;
  if (t.is_signed && s64(b) < 0) high -= a;
  return high;
}

} // namespace

BOOST_AUTO_TEST_SUITE(arithmetic_integer)

BOOST_AUTO_TEST_CASE(sums_and_products_wrap) {
  check_all("add", [](wide a, wide b, int) { return a + b; });
  check_all("sub", [](wide a, wide b, int) { return a - b; });
  check_all("mul.lo", [](wide a, wide b, int) { return wide(u64(a) * u64(b)); });
  check_all("min", [](wide a, wide b, int) { return a < b ? a : b; });
  check_all("max", [](wide a, wide b, int) { return a < b ? b : a; });
}

BOOST_AUTO_TEST_CASE(quotients_round_to_zero_and_division_by_zero_gives_all_ones) {
  check_all("div", [](wide a, wide b, int) { return b == 0 ? wide(-1) : a / b; });
  check_all("rem", [](wide a, wide b, int) { return b == 0 ? wide(-1) : a % b; });
}

BOOST_AUTO_TEST_CASE(high_halves_and_wide_products) {
  for (type const& t : types) {
    check(std::string("mul.hi.") + t.name + " d, a, b;", {t.bits, {t.bits, t.bits}}, two(t.bits),
          [&](u64 a, u64 b, u64, u64) { return high_half(a, b, t); });
    check(std::string("mad.hi.") + t.name + " d, a, b, c;", {t.bits, {t.bits, t.bits, t.bits}}, three(t.bits),
          [&](u64 a, u64 b, u64 c, u64) { return low_bits(high_half(a, b, t) + c, t.bits); });
    check(std::string("mad.lo.") + t.name + " d, a, b, c;", {t.bits, {t.bits, t.bits, t.bits}}, three(t.bits),
          [&](u64 a, u64 b, u64 c, u64) { return low_bits(a * b + c, t.bits); });
    check(std::string("sad.") + t.name + " d, a, b, c;", {t.bits, {t.bits, t.bits, t.bits}}, three(t.bits),
          [&](u64 a, u64 b, u64 c, u64) {
            wide const x = value(a, t.bits, t.is_signed) - value(b, t.bits, t.is_signed);
            return low_bits(u64((x < 0 ? -x : x) + wide(c)), t.bits);
          });
    if (t.bits == 64) continue;
    check(std::string("mul.wide.") + t.name + " d, a, b;", {2 * t.bits, {t.bits, t.bits}}, two(t.bits),
          [&](u64 a, u64 b, u64, u64) {
            return low_bits(u64(value(a, t.bits, t.is_signed) * value(b, t.bits, t.is_signed)), 2 * t.bits);
          });
    check(std::string("mad.wide.") + t.name + " d, a, b, c;", {2 * t.bits, {t.bits, t.bits, 2 * t.bits}},
          combine({integer_edges(t.bits), integer_edges(t.bits), integer_edges(2 * t.bits)},
                  {t.bits, t.bits, 2 * t.bits}),
          [&](u64 a, u64 b, u64 c, u64) {
            return low_bits(u64(value(a, t.bits, t.is_signed) * value(b, t.bits, t.is_signed) + wide(c)), 2 * t.bits);
          });
  }
}

BOOST_AUTO_TEST_CASE(absolute_values_and_negation) {
  for (type const& t : types) {
    if (!t.is_signed) continue;
    auto const in = combine({integer_edges(t.bits)}, {t.bits});
    check(std::string("abs.") + t.name + " d, a;", {t.bits, {t.bits}}, in, [&](u64 a, u64, u64, u64) {
      wide const x = value(a, t.bits, true);
      return low_bits(u64(x < 0 ? -x : x), t.bits);
    });
    check(std::string("neg.") + t.name + " d, a;", {t.bits, {t.bits}}, in,
          [&](u64 a, u64, u64, u64) { return low_bits(-a, t.bits); });
  }
}

BOOST_AUTO_TEST_CASE(saturation) {
  auto const clamp = [](wide x) { return u64(u32(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : s32(x))); };
  check("add.sat.s32 d, a, b;", {32, {32, 32}}, two(32),
        [&](u64 a, u64 b, u64, u64) { return clamp(value(a, 32, true) + value(b, 32, true)); });
  check("sub.sat.s32 d, a, b;", {32, {32, 32}}, two(32),
        [&](u64 a, u64 b, u64, u64) { return clamp(value(a, 32, true) - value(b, 32, true)); });
  check("mad.hi.sat.s32 d, a, b, c;", {32, {32, 32, 32}}, three(32), [&](u64 a, u64 b, u64 c, u64) {
    return clamp((value(a, 32, true) * value(b, 32, true) >> 32) + value(c, 32, true));
  });
  check("max.relu.s32 d, a, b;", {32, {32, 32}}, two(32),
        [](u64 a, u64 b, u64, u64) { return u64(u32(std::max({s32(a), s32(b), 0}))); });
  check("min.relu.s32 d, a, b;", {32, {32, 32}}, two(32),
        [](u64 a, u64 b, u64, u64) { return u64(u32(std::max(std::min(s32(a), s32(b)), 0))); });
}

BOOST_AUTO_TEST_CASE(carries_propagate_through_several_registers) {
  auto const in =
      combine({integer_edges(32), integer_edges(32), integer_edges(32), {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}},
              {32, 32, 32, 32});
  check(
      "{.reg .b32 x, y; add.cc.u32 x, a, c; addc.cc.u32 y, b, e; addc.u32 d, 0, 0; xor.b32 d, d, y; xor.b32 d, d, x;}",
      {32, {32, 32, 32, 32}}, in, [](u64 a, u64 b, u64 c, u64 e) {
        unsigned __int128 const sum = static_cast<unsigned __int128>(b << 32 | a) + (e << 32 | c);
        return u64(u32(sum) ^ u32(sum >> 32) ^ u32(sum >> 64));
      });
  check("{.reg .b32 x, y; sub.cc.u32 x, a, c; subc.u32 y, b, e; mov.b64 d, {x, y};}", {64, {32, 32, 32, 32}}, in,
        [](u64 a, u64 b, u64 c, u64 e) { return (b << 32 | a) - (e << 32 | c); });
  check("{.reg .b32 x, y; mad.lo.cc.u32 x, a, b, c; madc.hi.u32 y, a, b, e; mov.b64 d, {x, y};}",
        {64, {32, 32, 32, 32}}, in, [](u64 a, u64 b, u64 c, u64 e) { return a * b + (e << 32 | c); });
  auto const in64 = combine({integer_edges(64), integer_edges(64), integer_edges(64)}, {64, 64, 64});
  check("{.reg .b64 x; add.cc.u64 x, a, b; addc.u64 d, c, 0;}", {64, {64, 64, 64}}, in64,
        [](u64 a, u64 b, u64 c, u64) { return c + (a + b < a); });
  check("{.reg .b64 x; sub.cc.s64 x, a, b; subc.s64 d, c, 0;}", {64, {64, 64, 64}}, in64,
        [](u64 a, u64 b, u64 c, u64) { return c - (a < b); });
}

BOOST_AUTO_TEST_CASE(products_of_24_bits) {
  auto const narrow = [](u64 x, bool s) { return value(x, 24, s); };
  for (bool const s : {false, true}) {
    std::string const t = s ? "s32" : "u32";
    check("mul24.lo." + t + " d, a, b;", {32, {32, 32}}, two(32),
          [&](u64 a, u64 b, u64, u64) { return low_bits(u64(narrow(a, s) * narrow(b, s)), 32); });
    check("mul24.hi." + t + " d, a, b;", {32, {32, 32}}, two(32),
          [&](u64 a, u64 b, u64, u64) { return low_bits(u64(narrow(a, s) * narrow(b, s) >> 16), 32); });
    check("mad24.lo." + t + " d, a, b, c;", {32, {32, 32, 32}}, three(32),
          [&](u64 a, u64 b, u64 c, u64) { return low_bits(u64(narrow(a, s) * narrow(b, s) + wide(c)), 32); });
  }
}

BOOST_AUTO_TEST_CASE(packed_halves) {
  auto const in = two(32);
  check("add.u16x2 d, a, b;", {32, {32, 32}}, in,
        [](u64 a, u64 b, u64, u64) { return ((a + b) & 0xffff) | u64(u32((a >> 16) + (b >> 16)) << 16); });
  check("min.s16x2 d, a, b;", {32, {32, 32}}, in, [](u64 a, u64 b, u64, u64) {
    return u64(u16(std::min(s16(a), s16(b)))) | u64(u16(std::min(s16(a >> 16), s16(b >> 16)))) << 16;
  });
}

BOOST_AUTO_TEST_CASE(inner_products) {
  for (bool const sa : {false, true})
    for (bool const sb : {false, true}) {
      std::string const t = std::string(sa ? ".s32" : ".u32") + (sb ? ".s32" : ".u32");
      check("dp4a" + t + " d, a, b, c;", {32, {32, 32, 32}}, three(32), [&](u64 a, u64 b, u64 c, u64) {
        wide sum = wide(c);
        for (int i = 0; i < 32; i += 8) sum += value(a >> i, 8, sa) * value(b >> i, 8, sb);
        return low_bits(u64(sum), 32);
      });
      for (int const half : {0, 16})
        check(std::string("dp2a.") + (half ? "hi" : "lo") + t + " d, a, b, c;", {32, {32, 32, 32}}, three(32),
              [&](u64 a, u64 b, u64 c, u64) {
                wide const sum =
                    value(a, 16, sa) * value(b >> half, 8, sb) + value(a >> 16, 16, sa) * value(b >> (half + 8), 8, sb);
                return low_bits(u64(sum + wide(c)), 32);
              });
    }
}

BOOST_AUTO_TEST_CASE(comparisons) {
  struct comparison {
    char const* name;
    bool (*f)(wide, wide);
    bool of_unsigned_alone;
  };
  constexpr comparison comparisons[]{
      {"eq", [](wide a, wide b) { return a == b; }, false}, {"ne", [](wide a, wide b) { return a != b; }, false},
      {"lt", [](wide a, wide b) { return a < b; }, false},  {"le", [](wide a, wide b) { return a <= b; }, false},
      {"gt", [](wide a, wide b) { return a > b; }, false},  {"ge", [](wide a, wide b) { return a >= b; }, false},
      {"lo", [](wide a, wide b) { return a < b; }, true},   {"ls", [](wide a, wide b) { return a <= b; }, true},
      {"hi", [](wide a, wide b) { return a > b; }, true},   {"hs", [](wide a, wide b) { return a >= b; }, true}};
  for (type const& t : types)
    for (comparison const& c : comparisons) {
      if (c.of_unsigned_alone && t.is_signed) continue;
      auto const holds = [&](u64 a, u64 b) {
        return c.f(value(a, t.bits, t.is_signed), value(b, t.bits, t.is_signed));
      };
      std::string const name = std::string(c.name);
      check("{.reg .pred p; setp." + name + "." + t.name + " p, a, b; selp.b32 d, 5, 9, p;}", {32, {t.bits, t.bits}},
            two(t.bits), [&](u64 a, u64 b, u64, u64) { return holds(a, b) ? 5 : 9; });
      check("set." + name + ".u32." + t.name + " d, a, b;", {32, {t.bits, t.bits}}, two(t.bits),
            [&](u64 a, u64 b, u64, u64) { return holds(a, b) ? 0xffffffff : 0; });
      check("set." + name + ".f32." + t.name + " d, a, b;", {32, {t.bits, t.bits}}, two(t.bits),
            [&](u64 a, u64 b, u64, u64) { return holds(a, b) ? 0x3f800000 : 0; });
    }
}

BOOST_AUTO_TEST_CASE(comparisons_combine_with_a_predicate) {
  auto const in = combine({integer_edges(32), integer_edges(32), {0, 1}}, {32, 32, 1});
  struct combination {
    char const* name;
    bool (*f)(bool, bool);
  };
  for (combination const c : {combination{"and", [](bool a, bool b) { return a && b; }},
                              {"or", [](bool a, bool b) { return a || b; }},
                              {"xor", [](bool a, bool b) { return a != b; }}}) {
    auto const both = [&](u64 a, u64 b, bool q) { return u64(c.f(a < b, q)) | u64(c.f(!(a < b), q)) << 1; };
    std::string const tail = "selp.b32 x, 1, 0, p; selp.b32 d, 2, 0, q; or.b32 d, d, x;}";
    std::string const head =
        std::string("{.reg .pred p, q, r; .reg .b32 x; setp.ne.u32 r, c, 0; mov.pred p, r; setp.lt.") + c.name;
    check(head + ".u32 p|q, a, b, r; " + tail, {32, {32, 32, 32}}, in,
          [&](u64 a, u64 b, u64 r, u64) { return both(a, b, r); });
    check(head + ".u32 p|q, a, b, !r; " + tail, {32, {32, 32, 32}}, in,
          [&](u64 a, u64 b, u64 r, u64) { return both(a, b, !r); });
    check(head + ".u32 p|q, a, b, p; " + tail, {32, {32, 32, 32}}, in,
          [&](u64 a, u64 b, u64 r, u64) { return both(a, b, r); });
  }
}

BOOST_AUTO_TEST_SUITE_END()
