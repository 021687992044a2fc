// SPDX-License-Identifier: Apache-2.0
//
// Floating-point arithmetic: f32 and f64 against the host's processor in each of its rounding modes, f16 and bf16
// against a search among all their numbers.
#include "formats.hpp"

#include <cfenv>
#include <cmath>

#pragma STDC FENV_ACCESS ON

using namespace emulator_test;

namespace {

struct host_way {
  char const* name;
  int mode;
};
constexpr host_way host_ways[]{{"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// The host's result in a rounding mode, with PTX's canonical NaN.
template <class T, class F>
T host(int mode, F f) {
  std::fesetround(mode);
  T volatile result = f();
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T>
using bits_type = std::conditional_t<sizeof(T) == 4, u32, u64>;
template <class T>
u64 to_bits(T x) {
  return std::bit_cast<bits_type<T>>(x);
}
template <class T>
T from(u64 x) {
  return std::bit_cast<T>(bits_type<T>(x));
}
/// f64 NaNs keep the payload of the first operand that is a NaN.
template <class T>
u64 nan_of(std::initializer_list<T> operands) {
  if constexpr (sizeof(T) == 4) return 0x7fffffff;
  else {
    for (T x : operands)
      if (x != x) return to_bits(x) | u64(1) << 51;
    return 0xfff8000000000000;
  }
}
template <class T, class... A>
u64 canonical(T x, A... operands) {
  return x != x ? nan_of<T>({operands...}) : to_bits(x);
}

template <class T>
std::vector<u64> edges() {
  return sizeof(T) == 4
             ? float_edges(8, 23, {0x3effffff, 0x33800000, 0x4b800001, 0x7e800000, 0x00400000, 0x1f800000})
             : float_edges(11, 52, {0x3fdfffffffffffff, 0x3ca0000000000000, 0x7fd0000000000000, 0x0008000000000000});
}

/// Random operands: random bits, and numbers near one, whose sums cancel.
template <class T>
std::vector<operands> operands_of(int count) {
  std::vector<std::vector<u64>> const e(std::size_t(count), edges<T>());
  std::vector<operands> all = combine(e, std::vector<int>(std::size_t(count), int(sizeof(T) * 8)), 3000);
  for (u64 i = 0; i < 3000; ++i) {
    operands o{};
    for (int k = 0; k < count; ++k) {
      u64 const r = hash(i * 16 + u64(k) + 77);
      T x = T(1 + double(r >> 11) * 0x1p-53) * T(r & 1 ? -1 : 1) * T(r & 2 ? 1 : 0x1p-20);
      if (k == 2 && r & 4) x = -from<T>(o[0]) * from<T>(o[1]); // the last digits of a product remain
      o[std::size_t(k)] = to_bits(x);
    }
    all.push_back(o);
  }
  return all;
}

template <class T>
void check_type(std::string const& type) {
  int const n = int(sizeof(T) * 8);
  auto const two = operands_of<T>(2), three = operands_of<T>(3), one = operands_of<T>(1);
  for (host_way const& w : host_ways) {
    std::string const more = std::string(".") + w.name + "." + type;
    auto const binary = [&](std::string const& name, auto f) {
      check(name + more + " d, a, b;", {n, {n, n}}, two, [&](u64 a, u64 b, u64, u64) {
        T const volatile x = from<T>(a), y = from<T>(b);
        return canonical(host<T>(w.mode, [&] { return f(x, y); }), T(x), T(y));
      });
    };
    binary("add", [](T const volatile& x, T const volatile& y) -> T { return x + y; });
    binary("sub", [](T const volatile& x, T const volatile& y) -> T { return x - y; });
    binary("mul", [](T const volatile& x, T const volatile& y) -> T { return x * y; });
    binary("div", [](T const volatile& x, T const volatile& y) -> T { return x / y; });
    check("fma" + more + " d, a, b, c;", {n, {n, n, n}}, three, [&](u64 a, u64 b, u64 c, u64) {
      T const volatile x = from<T>(a), y = from<T>(b), z = from<T>(c);
      return canonical(host<T>(w.mode, [&] { return std::fma(x, y, z); }), T(x), T(y), T(z));
    });
    check("sqrt" + more + " d, a;", {n, {n}}, one, [&](u64 a, u64, u64, u64) {
      T const volatile x = from<T>(a);
      return canonical(host<T>(w.mode, [&] { return std::sqrt(x); }), T(x));
    });
    check("rcp" + more + " d, a;", {n, {n}}, one, [&](u64 a, u64, u64, u64) {
      T const volatile x = from<T>(a);
      return canonical(host<T>(w.mode, [&]() -> T { return 1 / x; }), T(x));
    });
  }
}

float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
float clamp(float x) { return x > 0 ? std::min(x, 1.0f) : 0.0f; }

/// Arithmetic in a format whose numbers are in a table.
void check_small(std::string const& type, format const& f, std::vector<u64> const& more) {
  auto const e = float_edges(f.exponent, f.mantissa, more);
  std::vector<operands> in = combine({e, e, e}, {16, 16, 16}, 2000);
  for (u64 i = 0; i < 2000; ++i) { // of moderate size
    operands o{};
    for (std::size_t k = 0; k < 3; ++k) {
      u64 const r = hash(i * 4 + k);
      u64 const bias = (u64(1) << (f.exponent - 1)) - 1;
      o[k] = (r >> 63 << 15) | (bias - 2 + (r >> 50 & 3)) << f.mantissa | (r & ((u64(1) << f.mantissa) - 1));
    }
    in.push_back(o);
  }
  // a * b + c. With `plain_product` there is no c, so the sign of zero is the product's.
  auto const fused = [&f](u64 a, u64 b, u64 c, bool plain_product) -> u64 {
    bool const negative = is_negative(f, a) != is_negative(f, b);
    bool const infinite = is_infinite(f, a) || is_infinite(f, b);
    quad const x = number(f, a), y = number(f, b), z = number(f, c);
    if (is_nan(f, a) || is_nan(f, b) || is_nan(f, c) || (infinite && (x == 0 || y == 0))) return f.nan;
    if (infinite && is_infinite(f, c) && is_negative(f, c) != negative) return f.nan;
    u64 const sign = u64(1) << 15;
    if (infinite) return (negative ? sign : 0) | (f.largest + 1);
    if (is_infinite(f, c)) return c;
    quad const sum = x * y + z;
    if (sum == 0) return (plain_product ? negative : negative && is_negative(f, c) && x * y == 0) ? sign : 0;
    quad const product = x * y, other = sum - product; // what the sum lacks, exactly
    quad const rest = (product - (sum - other)) + (z - other);
    return rounded(f, sum, sum < 0, way::nearest, rest);
  };
  u64 const one = ((u64(1) << (f.exponent - 1)) - 1) << f.mantissa;
  check("fma.rn." + type + " d, a, b, c;", {16, {16, 16, 16}}, in,
        [&](u64 a, u64 b, u64 c, u64) { return fused(a, b, c, false); });
  check("add." + type + " d, a, b;", {16, {16, 16}}, in,
        [&](u64 a, u64 b, u64, u64) { return fused(a, one, b, false); });
  check("sub." + type + " d, a, b;", {16, {16, 16}}, in,
        [&](u64 a, u64 b, u64, u64) { return fused(a, one, b ^ 0x8000, false); });
  check("mul." + type + " d, a, b;", {16, {16, 16}}, in, [&](u64 a, u64 b, u64, u64) { return fused(a, b, 0, true); });
  check("fma.rn.relu." + type + " d, a, b, c;", {16, {16, 16, 16}}, in, [&](u64 a, u64 b, u64 c, u64) {
    u64 const r = fused(a, b, c, false);
    return !is_nan(f, r) && is_negative(f, r) ? 0 : r;
  });
  check("{.reg .b16 l, h; mov.b32 {l, h}, a; fma.rn." + type + "x2 d, a, b, c;}", {32, {32, 32, 32}}, in,
        [&](u64 a, u64 b, u64 c, u64) { return fused(a, b, c, false) | fused(0, 0, 0, false) << 16; });
}

} // namespace

BOOST_AUTO_TEST_SUITE(arithmetic_float)

BOOST_AUTO_TEST_CASE(f32_in_every_rounding) { check_type<float>("f32"); }
BOOST_AUTO_TEST_CASE(f64_in_every_rounding) { check_type<double>("f64"); }
BOOST_AUTO_TEST_CASE(f16_rounds_once) { check_small("f16", half, {0x1000, 0x2c00, 0x7800}); }
BOOST_AUTO_TEST_CASE(bf16_rounds_once) { check_small("bf16", bfloat, {0x2000, 0x3300, 0x7e00, 0x0040}); }

BOOST_AUTO_TEST_CASE(subnormals_flush_and_results_clamp) {
  auto const in = operands_of<float>(3);
  for (host_way const& w : host_ways) {
    std::string const r = w.name;
    auto const add = [&](u64 a, u64 b, bool ftz) {
      float const volatile x = ftz ? flush(from<float>(a)) : from<float>(a),
                           y = ftz ? flush(from<float>(b)) : from<float>(b);
      float const sum = host<float>(w.mode, [&] { return x + y; });
      return ftz ? flush(sum) : sum;
    };
    check("add." + r + ".ftz.f32 d, a, b;", {32, {32, 32}}, in,
          [&](u64 a, u64 b, u64, u64) { return canonical(add(a, b, true)); });
    check("add." + r + ".sat.f32 d, a, b;", {32, {32, 32}}, in,
          [&](u64 a, u64 b, u64, u64) { return to_bits(clamp(add(a, b, false))); });
    check("add." + r + ".ftz.sat.f32 d, a, b;", {32, {32, 32}}, in,
          [&](u64 a, u64 b, u64, u64) { return to_bits(clamp(add(a, b, true))); });
    check("mul." + r + ".ftz.f32 d, a, b;", {32, {32, 32}}, in, [&](u64 a, u64 b, u64, u64) {
      float const volatile x = flush(from<float>(a)), y = flush(from<float>(b));
      double const product = double(x) * double(y); // exact; .ftz flushes it before it is rounded
      if (std::fabs(product) < 0x1p-126) return (a ^ b) & 0x80000000;
      return canonical(flush(host<float>(w.mode, [&] { return x * y; })));
    });
  }
}

BOOST_AUTO_TEST_CASE(extrema_prefer_numbers_to_nan) {
  auto const in = operands_of<float>(2);
  auto const least = [](u64 a, u64 b) {
    float const x = from<float>(a), y = from<float>(b);
    if (x != x && y != y) return u64(0x7fffffff);
    if (x != x) return b;
    if (y != y) return a;
    if (x == y) return std::signbit(x) ? a : b;
    return x < y ? a : b;
  };
  auto const greatest = [&](u64 a, u64 b) {
    u64 const sign = 0x80000000;
    u64 const r = least(a ^ sign, b ^ sign);
    return r == 0x7fffffff && from<float>(a) != from<float>(a) && from<float>(b) != from<float>(b) ? r : r ^ sign;
  };
  auto const any_nan = [](u64 a, u64 b) { return std::isnan(from<float>(a)) || std::isnan(from<float>(b)); };
  widths const w{32, {32, 32}};
  check("min.f32 d, a, b;", w, in, [&](u64 a, u64 b, u64, u64) { return least(a, b); });
  check("max.f32 d, a, b;", w, in, [&](u64 a, u64 b, u64, u64) { return greatest(a, b); });
  check("min.NaN.f32 d, a, b;", w, in,
        [&](u64 a, u64 b, u64, u64) { return any_nan(a, b) ? u64(0x7fffffff) : least(a, b); });
  check("max.NaN.f32 d, a, b;", w, in,
        [&](u64 a, u64 b, u64, u64) { return any_nan(a, b) ? u64(0x7fffffff) : greatest(a, b); });
  check("max.xorsign.abs.f32 d, a, b;", w, in, [&](u64 a, u64 b, u64, u64) {
    u64 const r = greatest(a & 0x7fffffff, b & 0x7fffffff);
    return r == 0x7fffffff && any_nan(a, b) ? r : (r & 0x7fffffff) | ((a ^ b) & 0x80000000);
  });
  check("min.f32 d, a, b, c;", {32, {32, 32, 32}}, operands_of<float>(3),
        [&](u64 a, u64 b, u64 c, u64) { return least(least(a, b), c); });
  check("min.ftz.f32 d, a, b;", w, in,
        [&](u64 a, u64 b, u64, u64) { return least(to_bits(flush(from<float>(a))), to_bits(flush(from<float>(b)))); });
}

BOOST_AUTO_TEST_CASE(signs) {
  auto const in = operands_of<float>(2);
  auto const f64s = operands_of<double>(2);
  check("abs.f32 d, a;", {32, {32}}, in, [](u64 a, u64, u64, u64) { return canonical(std::fabs(from<float>(a))); });
  check("neg.f32 d, a;", {32, {32}}, in, [](u64 a, u64, u64, u64) { return canonical(-from<float>(a)); });
  check("abs.ftz.f32 d, a;", {32, {32}}, in,
        [](u64 a, u64, u64, u64) { return canonical(flush(std::fabs(from<float>(a)))); });
  auto const quiet = [](u64 a) { return std::isnan(from<double>(a)) ? a | u64(1) << 51 : a; };
  u64 const sign = u64(1) << 63;
  check("abs.f64 d, a;", {64, {64}}, f64s,
        [&](u64 a, u64, u64, u64) { return std::isnan(from<double>(a)) ? quiet(a) : a & ~sign; });
  check("neg.f64 d, a;", {64, {64}}, f64s,
        [&](u64 a, u64, u64, u64) { return std::isnan(from<double>(a)) ? quiet(a) : a ^ sign; });
  check("copysign.f32 d, a, b;", {32, {32, 32}}, in,
        [](u64 a, u64 b, u64, u64) { return (a & 0x80000000) | (b & 0x7fffffff); });
  check("copysign.f64 d, a, b;", {64, {64, 64}}, f64s,
        [](u64 a, u64 b, u64, u64) { return (a >> 63 << 63) | (b << 1 >> 1); });
}

BOOST_AUTO_TEST_CASE(comparisons_of_nan) {
  struct comparison {
    char const* name;
    bool (*f)(double, double);
  };
  constexpr comparison comparisons[]{{"eq", [](double a, double b) { return a == b; }},
                                     {"ne", [](double a, double b) { return a < b || a > b; }},
                                     {"lt", [](double a, double b) { return a < b; }},
                                     {"le", [](double a, double b) { return a <= b; }},
                                     {"gt", [](double a, double b) { return a > b; }},
                                     {"ge", [](double a, double b) { return a >= b; }},
                                     {"equ", [](double a, double b) { return !(a < b || a > b); }},
                                     {"neu", [](double a, double b) { return a != b; }},
                                     {"ltu", [](double a, double b) { return !(a >= b); }},
                                     {"leu", [](double a, double b) { return !(a > b); }},
                                     {"gtu", [](double a, double b) { return !(a <= b); }},
                                     {"geu", [](double a, double b) { return !(a < b); }},
                                     {"num", [](double a, double b) { return a == a && b == b; }},
                                     {"nan", [](double a, double b) { return a != a || b != b; }}};
  auto const f32s = operands_of<float>(2), f64s = operands_of<double>(2);
  auto const e = float_edges(5, 10);
  auto const halves = combine({e, e}, {16, 16});
  auto const value_of = [](u64 x) {
    return is_nan(half, x) ? NAN : is_infinite(half, x) ? (x >> 15 ? -INFINITY : INFINITY) : double(number(half, x));
  };
  for (comparison const& c : comparisons) {
    auto const text = [&](std::string const& t) {
      return std::string("{.reg .pred p; setp.") + c.name + t + " p, a, b; selp.b32 d, 1, 0, p;}";
    };
    check(text(".f32"), {32, {32, 32}}, f32s,
          [&](u64 a, u64 b, u64, u64) { return u64(c.f(from<float>(a), from<float>(b))); });
    check(text(".ftz.f32"), {32, {32, 32}}, f32s,
          [&](u64 a, u64 b, u64, u64) { return u64(c.f(flush(from<float>(a)), flush(from<float>(b)))); });
    check(text(".f64"), {32, {64, 64}}, f64s,
          [&](u64 a, u64 b, u64, u64) { return u64(c.f(from<double>(a), from<double>(b))); });
    check(text(".f16"), {32, {16, 16}}, halves,
          [&](u64 a, u64 b, u64, u64) { return u64(c.f(value_of(a), value_of(b))); });
    check(std::string("{.reg .pred p, q; .reg .b32 x, y; mov.b32 x, {a, b}; mov.b32 y, {b, a}; setp.") + c.name +
              ".f16x2 p|q, x, y; selp.b32 x, 1, 0, p; selp.b32 d, 2, 0, q; or.b32 d, d, x;}",
          {32, {16, 16}}, halves, [&](u64 a, u64 b, u64, u64) {
            return u64(c.f(value_of(a), value_of(b))) | u64(c.f(value_of(b), value_of(a))) << 1;
          });
  }
}

BOOST_AUTO_TEST_CASE(classes_of_numbers) {
  auto const in = operands_of<double>(1);
  auto const kind = [&](char const* name, int wanted) {
    check(std::string("{.reg .pred p; testp.") + name + ".f64 p, a; selp.b32 d, 1, 0, p;}", {32, {64}}, in,
          [&](u64 a, u64, u64, u64) {
            return u64(std::fpclassify(from<double>(a)) == wanted ||
                       (wanted == FP_NORMAL && from<double>(a) == 0)); // neither infinite, NaN nor subnormal
          });
  };
  kind("infinite", FP_INFINITE);
  kind("notanumber", FP_NAN);
  kind("normal", FP_NORMAL);
  kind("subnormal", FP_SUBNORMAL);
}

BOOST_AUTO_TEST_CASE(approximations_are_within_their_errors) {
  struct function {
    char const* name;
    double (*f)(double);
    double relative, absolute;
  };
  constexpr function functions[]{{"rcp.approx", [](double x) { return 1 / x; }, 0x1p-23, 0},
                                 {"sqrt.approx", [](double x) { return std::sqrt(x); }, 0x1p-22, 0},
                                 {"rsqrt.approx", [](double x) { return 1 / std::sqrt(x); }, 0x1p-22, 0},
                                 {"ex2.approx", [](double x) { return std::exp2(x); }, 0x1p-22, 0},
                                 {"lg2.approx", [](double x) { return std::log2(x); }, 0x1p-22, 0x1p-22},
                                 {"sin.approx", [](double x) { return std::sin(x); }, 0x1p-20, 0x1p-20},
                                 {"cos.approx", [](double x) { return std::cos(x); }, 0x1p-20, 0x1p-20},
                                 {"tanh.approx", [](double x) { return std::tanh(x); }, 0x1p-11, 0}};
  std::vector<operands> in;
  for (u64 i = 1; i < 1000; ++i) in.push_back({to_bits(float(double(hash(i) >> 40) * 0x1p-23 * (i & 1 ? 1 : 3)))});
  for (function const& f : functions) {
    auto const out = results_of(std::string(f.name) + ".f32 d, a;", {32, {32}}, in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      double const x = from<float>(in[i][0]), want = f.f(x), is = from<float>(out[i]);
      BOOST_TEST(std::fabs(is - want) <= f.relative * std::fabs(want) + f.absolute,
                 f.name << " of " << x << " is " << is << ", not " << want);
    }
  }
  // What the tables of the PTX ISA say about extreme operands.
  constexpr u64 inf = 0x7f800000, minus = 0x80000000, nan = 0x7fffffff;
  auto const is = [&](char const* instruction, u64 a, u64 want) {
    check(instruction, {32, {32}}, {{a}}, [&](u64, u64, u64, u64) { return want; });
  };
  is("rcp.approx.f32 d, a;", minus | inf, minus);
  is("rcp.approx.f32 d, a;", 0, inf);
  is("rcp.approx.ftz.f32 d, a;", minus | 1, minus | inf);
  is("rsqrt.approx.f32 d, a;", minus, minus | inf);
  is("rsqrt.approx.f32 d, a;", inf, 0);
  is("rsqrt.approx.f32 d, a;", 0xbf800000, nan);
  is("sqrt.approx.f32 d, a;", minus, minus);
  is("sqrt.approx.f32 d, a;", minus | inf, nan);
  is("sin.approx.f32 d, a;", inf, nan);
  is("sin.approx.f32 d, a;", minus, minus);
  is("cos.approx.f32 d, a;", minus, 0x3f800000);
  is("lg2.approx.f32 d, a;", 0, minus | inf);
  is("lg2.approx.f32 d, a;", minus | inf, nan);
  is("ex2.approx.f32 d, a;", minus | inf, 0);
  is("ex2.approx.f32 d, a;", inf, inf);
  is("tanh.approx.f32 d, a;", minus | inf, 0xbf800000);
  auto const divided = [&](u64 a, u64 b, u64 want) {
    check("div.approx.f32 d, a, b;", {32, {32, 32}}, {{a, b}}, [&](u64, u64, u64, u64) { return want; });
  };
  divided(0x3f800000, 0x7e800000, 0x00800000); // by 2^126
  divided(0x3f800000, 0x7e800001, 0);          // by more than 2^126
  divided(inf, 0x7f000000, nan);
  divided(0xc0400000, 0x3f800000, 0xc0400000);
}

BOOST_AUTO_TEST_SUITE_END()
