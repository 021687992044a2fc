// SPDX-License-Identifier: Apache-2.0
//
// Conversions: integers against 128-bit integers; floating-point numbers against a search among all numbers of the
// format, or against the host's processor in its rounding modes.
#include "formats.hpp"

#include <cfenv>
#include <cmath>

#pragma STDC FENV_ACCESS ON

using namespace emulator_test;

namespace {

struct type {
  char const* name;
  int bits;
  bool is_signed;
};
constexpr type types[]{{"u8", 8, false}, {"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                       {"s8", 8, true},  {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};
wide least(type const& t) { return t.is_signed ? -(wide(1) << (t.bits - 1)) : 0; }
wide greatest(type const& t) { return t.is_signed ? (wide(1) << (t.bits - 1)) - 1 : (wide(1) << t.bits) - 1; }
int register_of(type const& t) { return t.bits == 8 ? 16 : t.bits; }

float as_float(u64 x) { return std::bit_cast<float>(u32(x)); }
double as_double(u64 x) { return std::bit_cast<double>(x); }
u64 bits(float x) { return x != x ? 0x7fffffff : std::bit_cast<u32>(x); }

std::vector<u64> f32_edges() {
  std::vector<u64> more;
  for (int e = 100; e < 160; ++e) // ties of integers and of narrower formats
    for (u64 fraction : {0u, 1u, 0x200000u, 0x400000u, 0x600000u, 0x7fffffu, 0x1000u, 0x3000u, 0x8000u, 0x18000u,
                         0x080000u, 0x180000u})
      more.push_back(u64(e) << 23 | fraction);
  for (u64 const e : {190u, 189u, 191u, 142u, 143u, 135u})
    more.insert(more.end(), {e << 23, (e << 23) - 1, e << 23 | 1});
  return float_edges(8, 23, more);
}
std::vector<u64> f64_edges() {
  std::vector<u64> more;
  for (u64 e = 990; e < 1090; ++e)
    for (u64 fraction : {u64(0), u64(1), u64(1) << 51, u64(3) << 50, (u64(1) << 52) - 1, u64(1) << 28, u64(3) << 28})
      more.push_back(e << 52 | fraction);
  for (u64 const e : {u64(874), u64(896), u64(897), u64(1150), u64(1151)})
    for (u64 fraction : {u64(0), u64(1), (u64(1) << 52) - 1, u64(1) << 28, (u64(1) << 52) - (u64(1) << 28)})
      more.push_back(e << 52 | fraction);
  return float_edges(11, 52, more);
}
std::vector<operands> f32s() { return combine({f32_edges()}, {32}, 3000); }
std::vector<operands> f64s() { return combine({f64_edges()}, {64}, 3000); }

struct integral_way {
  char const* name;
  int mode;
};
constexpr integral_way integral_ways[]{
    {"rni", FE_TONEAREST}, {"rzi", FE_TOWARDZERO}, {"rmi", FE_DOWNWARD}, {"rpi", FE_UPWARD}};
double integral(int mode, double x) {
  std::fesetround(mode);
  double const volatile y = x;
  double const result = std::nearbyint(y);
  std::fesetround(FE_TONEAREST);
  return result;
}
u64 to_integer(type const& t, double whole, bool nan_is_high) {
  u64 result;
  if (whole != whole) result = nan_is_high ? u64(1) << (t.bits - 1) : 0;
  else if (whole <= double(least(t))) result = u64(least(t));
  else if (whole >= double(greatest(t))) result = u64(greatest(t));
  else result = u64(wide(whole));
  return low_bits(result, t.bits);
}
/// The low `bits` bits, as a register of that width holds them.
u64 in_register(type const& t, u64 x, int width) { return low_bits(u64(value(x, t.bits, t.is_signed)), width); }

} // namespace

BOOST_AUTO_TEST_SUITE(arithmetic_convert)

BOOST_AUTO_TEST_CASE(integers_are_truncated_or_extended_to_the_register) {
  for (type const& from : types)
    for (type const& to : types) {
      auto const in = combine({integer_edges(register_of(from))}, {register_of(from)});
      for (int const width : {16, 32, 64}) {
        if (width < to.bits) continue;
        check(std::string("cvt.") + to.name + "." + from.name + " d, a;", {width, {register_of(from)}}, in,
              [&](u64 a, u64, u64, u64) { return in_register(to, u64(value(a, from.bits, from.is_signed)), width); });
        if (least(to) <= least(from) && greatest(to) >= greatest(from)) continue;
        check(std::string("cvt.sat.") + to.name + "." + from.name + " d, a;", {width, {register_of(from)}}, in,
              [&](u64 a, u64, u64, u64) {
                wide const x = value(a, from.bits, from.is_signed);
                return in_register(to, u64(x < least(to) ? least(to) : x > greatest(to) ? greatest(to) : x), width);
              });
      }
    }
}

BOOST_AUTO_TEST_CASE(floats_to_integers) {
  auto const singles = f32s(), doubles = f64s();
  auto const halves = combine({float_edges(5, 10)}, {16}, 3000);
  for (type const& t : types)
    for (integral_way const& w : integral_ways) {
      std::string const name = std::string("cvt.") + w.name + "." + t.name;
      int const width = register_of(t);
      check(name + ".f32 d, a;", {width, {32}}, singles, [&](u64 a, u64, u64, u64) {
        return in_register(t, to_integer(t, integral(w.mode, as_float(a)), t.bits == 64), width);
      });
      check(name + ".f64 d, a;", {width, {64}}, doubles, [&](u64 a, u64, u64, u64) {
        return in_register(t, to_integer(t, integral(w.mode, as_double(a)), true), width);
      });
      check(name + ".f16 d, a;", {width, {16}}, halves, [&](u64 a, u64, u64, u64) {
        double const x = is_nan(half, a)        ? NAN
                         : is_infinite(half, a) ? (a >> 15 ? -INFINITY : INFINITY)
                                                : double(number(half, a));
        return in_register(t, to_integer(t, integral(w.mode, x), t.bits == 64), width);
      });
    }
  check("cvt.rpi.ftz.u32.f32 d, a;", {32, {32}}, {{1}, {0x7fffff}, {0x800000}},
        [](u64 a, u64, u64, u64) { return u64(a >= 0x800000); });
}

BOOST_AUTO_TEST_CASE(integers_to_floats) {
  for (type const& t : types) {
    std::vector<u64> more = integer_edges(register_of(t));
    for (int shift = 8; shift < t.bits; ++shift)
      for (u64 const x : {0x1000001u, 0x1000003u, 0xffffffu, 0x1ffffffu, 0x801u, 0x803u, 0xfffu})
        more.push_back(low_bits(u64(x) << shift >> 8, register_of(t)));
    auto const in = combine({more}, {register_of(t)}, 2000);
    auto const x = [&](u64 a) { return value(a, t.bits, t.is_signed); };
    for (auto const& w : ways) {
      std::string const tail = std::string(".") + t.name + " d, a;";
      check(std::string("cvt.") + w.name + ".f16" + tail, {16, {register_of(t)}}, in,
            [&](u64 a, u64, u64, u64) { return rounded(half, quad(x(a)), x(a) < 0, w.rounding); });
      check(std::string("cvt.") + w.name + ".bf16" + tail, {16, {register_of(t)}}, in,
            [&](u64 a, u64, u64, u64) { return rounded(bfloat, quad(x(a)), x(a) < 0, w.rounding); });
      constexpr format single{8, 23, 0x7f7fffff, 0x7fffffff}, twice{11, 52, 0x7fefffffffffffff, 0};
      check(std::string("cvt.") + w.name + ".f32" + tail, {32, {register_of(t)}}, in,
            [&](u64 a, u64, u64, u64) { return rounded(single, quad(x(a)), x(a) < 0, w.rounding); });
      check(std::string("cvt.") + w.name + ".f64" + tail, {64, {register_of(t)}}, in,
            [&](u64 a, u64, u64, u64) { return rounded(twice, quad(x(a)), x(a) < 0, w.rounding); });
    }
  }
}

BOOST_AUTO_TEST_CASE(narrower_floats) {
  auto const singles = f32s(), doubles = f64s();
  auto const round = [](format const& f, double x, way w) {
    u64 const sign = std::signbit(x) ? u64(1) << (f.exponent + f.mantissa) : 0;
    return x != x ? f.nan : std::isinf(x) ? sign | (f.largest + 1) : rounded(f, quad(x), std::signbit(x), w);
  };
  // The NaNs here and below are those of an H100. PTX specifies no particular NaN.
  auto const round_double = [&](format const& f, u64 a, way w) {
    if (as_double(a) == as_double(a)) return round(f, as_double(a), w);
    u64 const sign = a >> 63 << (f.exponent + f.mantissa), quiet = u64(1) << (f.mantissa - 1);
    return sign | (f.largest + 1) | quiet | (a << 12 >> 12 >> (52 - f.mantissa));
  };
  for (auto const& w : ways) {
    std::string const name = std::string("cvt.") + w.name;
    constexpr format single{8, 23, 0x7f7fffff, 0x7fffffff};
    check(name + ".f16.f32 d, a;", {16, {32}}, singles,
          [&](u64 a, u64, u64, u64) { return round(half, as_float(a), w.rounding); });
    check(name + ".f16.f64 d, a;", {16, {64}}, doubles,
          [&](u64 a, u64, u64, u64) { return round_double(half, a, w.rounding); });
    check(name + ".bf16.f32 d, a;", {16, {32}}, singles,
          [&](u64 a, u64, u64, u64) { return round(bfloat, as_float(a), w.rounding); });
    check(name + ".bf16.f64 d, a;", {16, {64}}, doubles,
          [&](u64 a, u64, u64, u64) { return round_double(bfloat, a, w.rounding); });
    check(name + ".f32.f64 d, a;", {32, {64}}, doubles,
          [&](u64 a, u64, u64, u64) { return round_double(single, a, w.rounding); });
    check(name + ".sat.f32.f64 d, a;", {32, {64}}, doubles, [&](u64 a, u64, u64, u64) {
      float const x = as_float(round_double(single, a, w.rounding));
      return u64(x > 0 ? bits(std::min(x, 1.0f)) : 0);
    });
    check(name + ".ftz.f32.f64 d, a;", {32, {64}}, doubles, [&](u64 a, u64, u64, u64) {
      u64 const x = round_double(single, a, w.rounding);
      return (x & 0x7f800000) == 0 ? x & 0x80000000 : x;
    });
  }
  check("cvt.rn.relu.bf16.f32 d, a;", {16, {32}}, singles, [&](u64 a, u64, u64, u64) {
    u64 const r = round(bfloat, as_float(a), way::nearest);
    return r == bfloat.nan ? r : r >> 15 ? 0 : r;
  });
  check("cvt.rna.tf32.f32 d, a;", {32, {32}}, singles, [&](u64 a, u64, u64, u64) {
    return as_float(a) != as_float(a) ? a >> 13 << 13 : round(tf32, as_float(a), way::away) << 13;
  });
  check("cvt.rz.tf32.f32 d, a;", {32, {32}}, singles, [&](u64 a, u64, u64, u64) {
    return as_float(a) != as_float(a) ? 0x7fffe000 : round(tf32, as_float(a), way::zero) << 13;
  });
}

BOOST_AUTO_TEST_CASE(wider_floats_are_exact) {
  auto const halves = combine({float_edges(5, 10)}, {16}, 3000), bfloats = combine({float_edges(8, 7)}, {16}, 3000);
  check("cvt.f32.f16 d, a;", {32, {16}}, halves, [](u64 a, u64, u64, u64) {
    return is_nan(half, a)        ? 0x7fffffff
           : is_infinite(half, a) ? (a >> 15 << 31) | 0x7f800000
                                  : bits(std::copysign(float(number(half, a)), a >> 15 ? -1.0f : 1.0f));
  });
  check("cvt.f32.bf16 d, a;", {32, {16}}, bfloats, [](u64 a, u64, u64, u64) { return a << 16; });
  check("cvt.f64.bf16 d, a;", {64, {16}}, bfloats,
        [](u64 a, u64, u64, u64) { return std::bit_cast<u64>(double(as_float(a << 16))); });
  check("cvt.ftz.f64.f32 d, a;", {64, {32}}, {{0x7f800001}, {0xffc00003}},
        [](u64, u64, u64, u64) { return u64(0x7fffffffe0000000); });
  check("cvt.f64.f16 d, a;", {64, {16}}, {{0x7c01}, {0xfe03}, {0x3c00}}, [](u64 a, u64, u64, u64) {
    return a == 0x7c01 ? u64(0x7ff8040000000000) : a == 0xfe03 ? u64(0xfff80c0000000000) : u64(0x3ff0000000000000);
  });
  check("cvt.f64.f32 d, a;", {64, {32}}, f32s(),
        [](u64 a, u64, u64, u64) { return std::bit_cast<u64>(double(as_float(a))); });
}

BOOST_AUTO_TEST_CASE(integral_floats) {
  for (integral_way const& w : integral_ways) {
    check(std::string("cvt.") + w.name + ".f32.f32 d, a;", {32, {32}}, f32s(),
          [&](u64 a, u64, u64, u64) { return bits(float(integral(w.mode, as_float(a)))); });
    check(std::string("cvt.") + w.name + ".f64.f64 d, a;", {64, {64}}, f64s(), [&](u64 a, u64, u64, u64) {
      double const x = as_double(a);
      return x != x ? a | u64(1) << 51 : std::bit_cast<u64>(integral(w.mode, x));
    });
  }
}

BOOST_AUTO_TEST_CASE(two_numbers_into_one_register) {
  auto const in = combine({f32_edges(), f32_edges()}, {32, 32}, 3000);
  auto const round = [](format const& f, u64 bits, way w) -> u64 {
    float const x = as_float(bits);
    u64 const sign = std::signbit(x) ? u64(1) << (f.exponent + f.mantissa) : 0;
    if (x != x) return f.nan;
    if (f.exponent + f.mantissa == 15)
      return std::isinf(x) ? sign | (f.largest + 1) : rounded(f, quad(x), sign != 0, w);
    u64 const r = std::isinf(x) ? f.largest : rounded(f, quad(std::fabs(x)), false, w);
    return sign | std::min(r, f.largest); // narrow formats are satfinite
  };
  struct pair {
    char const* name;
    format f;
    int width;
  };
  for (pair const& p : {pair{"rn.f16x2", half, 16},
                        {"rn.bf16x2", bfloat, 16},
                        {"rn.satfinite.e4m3x2", e4m3, 8},
                        {"rn.satfinite.e5m2x2", e5m2, 8},
                        {"rn.satfinite.e2m3x2", e2m3, 8},
                        {"rn.satfinite.e3m2x2", e3m2, 8}}) {
    check(std::string("cvt.") + p.name + ".f32 d, a, b;", {2 * p.width, {32, 32}}, in,
          [&](u64 a, u64 b, u64, u64) { return round(p.f, a, way::nearest) << p.width | round(p.f, b, way::nearest); });
  }
  check("cvt.rz.relu.f16x2.f32 d, a, b;", {32, {32, 32}}, in, [&](u64 a, u64 b, u64, u64) {
    auto const one = [&](u64 x) {
      u64 const r = round(half, x, way::zero);
      return r >> 15 ? 0 : r;
    };
    return one(a) << 16 | one(b);
  });
}

BOOST_AUTO_TEST_CASE(eight_bits_into_halves) {
  std::vector<operands> all;
  for (u64 i = 0; i < 256; ++i) all.push_back({i << 8 | (255 - i)});
  for (auto const& [name, f] : {std::pair{"e4m3x2", e4m3}, {"e5m2x2", e5m2}}) {
    auto const one = [&f](u64 x) -> u64 {
      if (is_nan(f, x)) return 0x7fff;
      return is_infinite(f, x) ? (x >> 7 << 15) | 0x7c00 : rounded(half, number(f, x), x >> 7, way::nearest);
    };
    check(std::string("cvt.rn.f16x2.") + name + " d, a;", {32, {16}}, all,
          [&](u64 a, u64, u64, u64) { return one(a >> 8) << 16 | one(a & 255); });
  }
}

BOOST_AUTO_TEST_CASE(integers_are_packed) {
  auto const in = combine({integer_edges(32), integer_edges(32), integer_edges(32)}, {32, 32, 32});
  for (auto const& [name, n, is_signed] : {std::tuple{"u8", 8, false},
                                           {"s8", 8, true},
                                           {"u4", 4, false},
                                           {"s4", 4, true},
                                           {"u2", 2, false},
                                           {"s2", 2, true}})
    check(std::string("cvt.pack.sat.") + name + ".s32.b32 d, a, b, c;", {32, {32, 32, 32}}, in,
          [n, is_signed](u64 a, u64 b, u64 c, u64) {
            type const t{"", n, is_signed};
            auto const one = [&](u64 x) {
              return low_bits(u64(std::clamp(value(x, 32, true), least(t), greatest(t))), n);
            };
            return low_bits(c << (2 * n) | one(a) << n | one(b), 32);
          });
  check("cvt.pack.sat.s16.s32 d, a, b;", {32, {32, 32}}, in, [](u64 a, u64 b, u64, u64) {
    auto const one = [](u64 x) { return u64(u16(std::clamp<wide>(value(x, 32, true), -32768, 32767))); };
    return one(a) << 16 | one(b);
  });
}

BOOST_AUTO_TEST_SUITE_END()
