// SPDX-License-Identifier: Apache-2.0
//
// format: floating-point numbers as integers.
// Every format of PTX has a sign, an exponent and a mantissa. unpack() splits a number into these, pack() rounds an
// exact number into a format in any rounding mode. Every operation that does not round as the host's own instructions
// do is built from the two, so it does not depend on the state of the host's processor.
#pragma once

#include "../../../machine/decoder.hpp"
#include "mode.hpp"

#include <bit>

namespace emulator {

struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
/// f16x2, bf16x2, f32x2, ...
template <class T>
struct two {
  T low, high;
};

/// A format: how wide its parts are, its canonical NaN and its largest finite number.
template <class T>
struct format;
template <>
struct format<double> {
  using bits = u64;
  static constexpr int exponent = 11, mantissa = 52;
  static constexpr bits nan = 0xfff8000000000000, largest = 0x7fefffffffffffff;
};
template <>
struct format<float> {
  using bits = u32;
  static constexpr int exponent = 8, mantissa = 23;
  static constexpr bits nan = 0x7fffffff, largest = 0x7f7fffff;
};
template <>
struct format<f16> {
  using bits = u16;
  static constexpr int exponent = 5, mantissa = 10;
  static constexpr bits nan = 0x7fff, largest = 0x7bff;
};
template <>
struct format<bf16> {
  using bits = u16;
  static constexpr int exponent = 8, mantissa = 7;
  static constexpr bits nan = 0x7fff, largest = 0x7f7f;
};

template <class T>
inline constexpr typename format<T>::bits sign_bit = typename format<T>::bits(1) << (sizeof(T) * 8 - 1);
template <class T>
inline constexpr typename format<T>::bits infinity_bits =
    ((typename format<T>::bits(1) << format<T>::exponent) - 1) << format<T>::mantissa;
template <class T>
constexpr auto bits_of(T x) {
  return std::bit_cast<typename format<T>::bits>(x);
}
template <class T>
constexpr T from_bits(u64 bits) {
  return std::bit_cast<T>(static_cast<typename format<T>::bits>(bits));
}
template <class T>
constexpr auto magnitude_of(T x) {
  return static_cast<typename format<T>::bits>(bits_of(x) & ~sign_bit<T>);
}
template <class T>
constexpr bool is_negative(T x) {
  return (bits_of(x) & sign_bit<T>) != 0;
}
template <class T>
constexpr bool is_nan(T x) {
  return magnitude_of(x) > infinity_bits<T>;
}
template <class T>
constexpr bool is_infinite(T x) {
  return magnitude_of(x) == infinity_bits<T>;
}
template <class T>
constexpr bool is_zero(T x) {
  return magnitude_of(x) == 0;
}
template <class T>
constexpr bool is_subnormal(T x) {
  return magnitude_of(x) != 0 && magnitude_of(x) >> format<T>::mantissa == 0;
}
template <class T>
constexpr T canonical_nan() {
  return from_bits<T>(format<T>::nan);
}
template <class T>
constexpr T signed_zero(bool negative) {
  return from_bits<T>(negative ? sign_bit<T> : 0);
}
template <class T>
constexpr T signed_infinity(bool negative) {
  return from_bits<T>(infinity_bits<T> | (negative ? sign_bit<T> : 0));
}

/// A finite number: significand * 2^exponent, negated if `negative`.
struct finite {
  bool negative = false;
  u128 significand = 0;
  int exponent = 0;
};

/// Requires: x is finite
template <class T>
constexpr finite unpack(T x) {
  constexpr int mantissa = format<T>::mantissa;
  constexpr int bias = (1 << (format<T>::exponent - 1)) - 1;
  u64 const m = magnitude_of(x);
  u64 const fraction = m & ((u64(1) << mantissa) - 1);
  int const exponent = int(m >> mantissa);
  if (exponent == 0) return {is_negative(x), fraction, 1 - bias - mantissa};
  return {is_negative(x), fraction | u64(1) << mantissa, exponent - bias - mantissa};
}

constexpr int bit_width(u128 x) {
  return x >> 64 ? 128 - std::countl_zero(u64(x >> 64)) : 64 - std::countl_zero(u64(x));
}

/// x / 2^shift, with the bits that are cut off collected in the lowest bit, so that rounding takes them into account.
constexpr u128 shift_right_sticky(u128 x, int shift) {
  if (shift <= 0) return x;
  if (shift > 127) return x != 0;
  return x >> shift | ((x & ((u128(1) << shift) - 1)) != 0);
}

/// x / 2^shift, rounded to an integer.
/// Requires: x < 2^100, and the result fits
constexpr u128 shift_right_rounded(u128 x, int shift, bool negative, rounding r) {
  if (shift <= 0) return x << -shift;
  if (shift > 126) { // less than one half in every case
    x = x != 0;
    shift = 2;
  }
  u128 const kept = x >> shift;
  u128 const rest = x & ((u128(1) << shift) - 1);
  u128 const half = u128(1) << (shift - 1);
  bool more = false;
  switch (r) {
  case rounding::nearest: more = rest > half || (rest == half && (kept & 1)); break;
  case rounding::nearest_away: more = rest >= half; break;
  case rounding::zero: break;
  case rounding::down: more = negative && rest != 0; break;
  case rounding::up: more = !negative && rest != 0; break;
  }
  return kept + more;
}

/// Magnitude bits of a format of `exponent_bits` and `mantissa` bits; may exceed its largest number.
constexpr u64 pack_magnitude(finite x, rounding r, int exponent_bits, int mantissa) {
  if (x.significand == 0) return 0;
  if (int const excess = bit_width(x.significand) - 100; excess > 0) // leaves room for the shifts below
    x = {x.negative, shift_right_sticky(x.significand, excess), x.exponent + excess};
  int const bias = (1 << (exponent_bits - 1)) - 1;
  int const top = x.exponent + bit_width(x.significand) - 1; // 2^top <= |x| < 2^(top + 1)
  if (top > bias + 1) return (u64(1) << (exponent_bits + mantissa)) - 1;
  int const biased = top + bias < 1 ? 1 : top + bias;
  int const unit = biased - bias - mantissa; // the exponent of the lowest bit
  u64 const kept = u64(shift_right_rounded(x.significand, unit - x.exponent, x.negative, r));
  return (u64(biased - 1) << mantissa) + kept; // a carry correctly increments the exponent
}

/// Rounds a finite number into a format.
template <class T>
constexpr T pack(finite x, rounding r) {
  u64 bits = pack_magnitude(x, r, format<T>::exponent, format<T>::mantissa);
  if (bits > format<T>::largest) {
    bool const stays = r == rounding::zero || (r == rounding::down && !x.negative) || (r == rounding::up && x.negative);
    bits = stays ? format<T>::largest : infinity_bits<T>;
  }
  return from_bits<T>(bits | (x.negative ? sign_bit<T> : 0));
}

/// Converts from one format to another; NaN becomes the canonical one.
template <class To, class From>
constexpr To convert(From x, rounding r) {
  if (is_nan(x)) return canonical_nan<To>();
  if (is_infinite(x)) return signed_infinity<To>(is_negative(x));
  return pack<To>(unpack(x), r);
}

} // namespace emulator
