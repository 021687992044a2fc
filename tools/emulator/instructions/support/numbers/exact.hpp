// SPDX-License-Identifier: Apache-2.0
//
// exact: arithmetic on any format in any rounding mode, from exact integers.
// The host's processor rounds to nearest, in f32 and f64; all other cases are implemented here. A sum keeps 128 bits,
// of which the lowest says whether bits were cut off. That suffices for a correctly rounded result, because the bits
// that were cut off are far below those that decide.
#pragma once

#include "format.hpp"

namespace emulator {

/// The sum of two finite numbers, exact except for the sticky lowest bit.
constexpr finite sum_of(finite a, finite b) {
  if (a.significand == 0) return b;
  if (b.significand == 0) return a;
  // Both get their highest bit at 125. This leaves room for a carry, and an alignment loses bits only of a number that
  // is far smaller.
  int const up_a = 126 - bit_width(a.significand), up_b = 126 - bit_width(b.significand);
  a = {a.negative, a.significand << up_a, a.exponent - up_a};
  b = {b.negative, b.significand << up_b, b.exponent - up_b};
  if (a.exponent < b.exponent) std::swap(a, b);
  b.significand = shift_right_sticky(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.negative, a.significand + b.significand, a.exponent};
  if (a.significand >= b.significand) return {a.negative, a.significand - b.significand, a.exponent};
  return {b.negative, b.significand - a.significand, a.exponent};
}

/// The NaN that an operation on these operands returns: the canonical one; for f64, whose NaNs keep their payload, that
/// of the first NaN operand.
template <class T>
constexpr T nan_from(std::initializer_list<T> operands) {
  if constexpr (std::is_same_v<T, double>) {
    for (T x : operands)
      if (is_nan(x)) return from_bits<T>(bits_of(x) | u64(1) << 51);
  }
  return canonical_nan<T>();
}

template <class T>
constexpr T exact_fma(rounding r, T a, T b, T c) {
  bool const negative = is_negative(a) != is_negative(b);
  bool const infinite = is_infinite(a) || is_infinite(b);
  if (is_nan(a) || is_nan(b) || is_nan(c) || (infinite && (is_zero(a) || is_zero(b))) ||
      (infinite && is_infinite(c) && is_negative(c) != negative))
    return nan_from({a, b, c});
  if (infinite) return signed_infinity<T>(negative);
  if (is_infinite(c)) return c;
  finite const x = unpack(a), y = unpack(b), z = unpack(c);
  finite const product{negative, x.significand * y.significand, x.exponent + y.exponent};
  finite const sum = sum_of(product, z);
  if (sum.significand != 0) return pack<T>(sum, r);
  if (product.significand == 0 && z.significand == 0 && negative == z.negative) return signed_zero<T>(negative);
  return signed_zero<T>(r == rounding::down); // IEEE 754: a sum that is exactly zero
}

template <class T>
constexpr T one() {
  return pack<T>({false, 1, 0}, rounding::nearest);
}
template <class T>
constexpr T negated(T x) {
  return from_bits<T>(bits_of(x) ^ sign_bit<T>);
}
template <class T>
constexpr T exact_add(rounding r, T a, T b) {
  if (is_nan(a) || is_nan(b)) return nan_from({a, b});
  return exact_fma(r, a, one<T>(), b);
}
template <class T>
constexpr T exact_mul(rounding r, T a, T b) {
  bool const negative = is_negative(a) != is_negative(b);
  if (is_nan(a) || is_nan(b)) return nan_from({a, b});
  if (!is_infinite(a) && !is_infinite(b) && (is_zero(a) || is_zero(b))) return signed_zero<T>(negative);
  return exact_fma(r, a, b, signed_zero<T>(negative)); // that zero never changes a sum that is not zero
}

template <class T>
constexpr T exact_div(rounding r, T a, T b) {
  bool const negative = is_negative(a) != is_negative(b);
  if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
    return nan_from({a, b});
  if (is_infinite(a) || is_zero(b)) return signed_infinity<T>(negative);
  if (is_infinite(b) || is_zero(a)) return signed_zero<T>(negative);
  finite const x = unpack(a), y = unpack(b);
  int const up =
      127 - bit_width(x.significand); // at least 74 bits more than the divisor: at least 64 bits in the quotient
  u128 const numerator = x.significand << up;
  u128 const quotient = numerator / y.significand;
  bool const rest = numerator % y.significand != 0;
  return pack<T>({negative, quotient << 1 | rest, x.exponent - up - y.exponent - 1}, r);
}

template <class T>
constexpr T exact_sqrt(rounding r, T a) {
  if (is_nan(a)) return nan_from({a});
  if (is_zero(a)) return a;
  if (is_negative(a)) return canonical_nan<T>();
  if (is_infinite(a)) return a;
  finite const x = unpack(a);
  int up = 126 - bit_width(x.significand);
  if ((x.exponent - up) % 2 != 0) --up; // half of the exponent must be an integer
  u128 rest = x.significand << up, root = 0;
  for (u128 bit = u128(1) << 126; bit != 0; bit >>= 2) { // digit by digit, as in longhand
    if (rest >= root + bit) {
      rest -= root + bit;
      root = root >> 1 | bit;
    } else root >>= 1;
  }
  return pack<T>({false, root << 1 | (rest != 0), (x.exponent - up) / 2 - 1}, r);
}

} // namespace emulator
