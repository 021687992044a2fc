// SPDX-License-Identifier: Apache-2.0
//
// formats: floating-point formats for tests: a small format has a table of all its numbers. Rounding is then a search
// for the neighbours of an exact result, in quadruple precision.
#pragma once

#include "numbers.hpp"

#include <algorithm>

namespace emulator_test {

using quad = __float128;

struct format {
  int exponent, mantissa;
  u64 largest, nan; ///< bits of the largest finite number and of the canonical NaN
  bool has_infinity = true;
};
inline constexpr format half{5, 10, 0x7bff, 0x7fff}, bfloat{8, 7, 0x7f7f, 0x7fff}, tf32{8, 10, 0x3fbff, 0x3ffff},
    e4m3{4, 3, 0x7e, 0x7f, false}, e5m2{5, 2, 0x7b, 0x7f}, e2m3{2, 3, 0x1f, 0x1f, false}, e3m2{3, 2, 0x1f, 0x1f, false},
    e2m1{2, 1, 7, 7, false};

inline quad power_of_two(int e) {
  static std::vector<quad> const powers = [] { // loops would take most of the tests' time
    std::vector<quad> all(4401);
    all[2200] = 1;
    for (std::size_t i = 2200; i < 4400; ++i) all[i + 1] = all[i] * 2;
    for (std::size_t i = 2200; i > 0; --i) all[i - 1] = all[i] / 2;
    return all;
  }();
  return powers[std::size_t(e + 2200)];
}

/// The number that a magnitude represents, including the step beyond the largest number, from which overflow rounds.
inline quad magnitude(format const& f, u64 bits) {
  int const bias = (1 << (f.exponent - 1)) - 1, exponent = int(bits >> f.mantissa);
  u64 const fraction = bits & ((u64(1) << f.mantissa) - 1);
  return exponent == 0 ? quad(fraction) * power_of_two(1 - bias - f.mantissa)
                       : quad(fraction + (u64(1) << f.mantissa)) * power_of_two(exponent - bias - f.mantissa);
}

enum class way { nearest, zero, down, up, away };
inline constexpr struct {
  char const* name;
  way rounding;
} ways[]{{"rn", way::nearest}, {"rz", way::zero}, {"rm", way::down}, {"rp", way::up}};

/// Bits of the format's number to which x + rest rounds. Beyond the largest number, the result is infinity, or what the
/// rounding mode specifies. `rest` is less than the last digit of x, and decides ties to nearest.
inline u64 rounded(format const& f, quad x, bool negative, way w, quad rest = 0) {
  u64 const sign = negative ? u64(1) << (f.exponent + f.mantissa) : 0;
  if (x < 0) {
    x = -x;
    rest = -rest;
  }
  u64 low = 0, high = f.largest + 1; // low's magnitude <= x, high's > x
  if (x >= magnitude(f, high)) low = high;
  while (high - low > 1) {
    u64 const middle = (low + high) / 2;
    (magnitude(f, middle) <= x ? low : high) = middle;
  }
  if (low > f.largest) {
    bool const stays = w == way::zero || (w == way::down && !negative) || (w == way::up && negative);
    return sign | (stays ? f.largest : f.largest + 1);
  }
  quad const below = x - magnitude(f, low), above = magnitude(f, low + 1) - x;
  bool up = false;
  if (below != 0) switch (w) {
    case way::nearest: up = below > above || (below == above && (rest > 0 || (rest == 0 && (low & 1)))); break;
    case way::away: up = below >= above; break;
    case way::zero: break;
    case way::down: up = negative; break;
    case way::up: up = !negative; break;
    }
  return sign | (low + up);
}

inline bool is_nan(format const& f, u64 bits) {
  u64 const m = bits & ((u64(1) << (f.exponent + f.mantissa)) - 1);
  return m > f.largest + (f.has_infinity ? 1 : 0) && f.nan != f.largest;
}
inline bool is_infinite(format const& f, u64 bits) {
  return f.has_infinity && (bits & ((u64(1) << (f.exponent + f.mantissa)) - 1)) == f.largest + 1;
}
inline bool is_negative(format const& f, u64 bits) { return bits >> (f.exponent + f.mantissa) & 1; }
/// The number. Infinity is a number larger than all products in the format.
inline quad number(format const& f, u64 bits) {
  quad const m = magnitude(f, bits & ((u64(1) << (f.exponent + f.mantissa)) - 1));
  return is_negative(f, bits) ? -m : m;
}

/// Zeros, subnormals, one, its neighbours, limits, infinities and NaNs, of both signs, and the given numbers.
inline std::vector<u64> float_edges(int exponent, int mantissa, std::vector<u64> more = {}) {
  u64 const unit = u64(1) << mantissa, one = ((u64(1) << (exponent - 1)) - 1) * unit,
            infinity = ((u64(1) << exponent) - 1) * unit;
  std::vector<u64> all{0,
                       1,
                       2,
                       unit - 1,
                       unit,
                       unit + 1,
                       one - 1,
                       one,
                       one + 1,
                       one + unit / 2,
                       one + unit,
                       one + 3 * unit / 2,
                       one + unit * 3 + unit / 4,
                       infinity - 1,
                       infinity,
                       infinity + 1,
                       infinity + unit / 2,
                       infinity + unit - 1};
  all.insert(all.end(), more.begin(), more.end());
  std::size_t const count = all.size();
  for (std::size_t i = 0; i < count; ++i) all.push_back(all[i] | u64(1) << (exponent + mantissa));
  return all;
}

} // namespace emulator_test
