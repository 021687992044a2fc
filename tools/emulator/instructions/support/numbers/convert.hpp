// SPDX-License-Identifier: Apache-2.0
//
// convert: converts from any type of number to any other.  [PTX ISA, "cvt"]
#pragma once

#include "floating.hpp"
#include "integer.hpp"

namespace emulator {

template <class To, class From>
To integer_to_integer(From a) {
  return To(a);
}
template <class To, class From>
To integer_to_integer_sat(From a) {
  return clamped<To>(a);
}

template <class To, class From>
To integer_to_float(mode m, From a) {
  bool const negative = a < 0;
  u64 const magnitude = negative ? -u64(s64(a)) : u64(a);
  return finished(m, pack<To>({negative, magnitude, 0}, m.rounding));
}

/// A NaN gives zero or, if a type has 64 bits, the number with only the highest bit set.
template <class To, class From>
To float_to_integer(mode m, From a) {
  if constexpr (std::is_same_v<From, float>) a = flushed(m, a);
  if (is_nan(a)) return sizeof(To) == 8 || sizeof(From) == 8 ? To(u64(1) << (bits_in<To> - 1)) : To(0);
  constexpr To least = std::numeric_limits<To>::min(), greatest = std::numeric_limits<To>::max();
  if (is_infinite(a)) return is_negative(a) ? least : greatest;
  finite const x = unpack(a);
  if (x.exponent > 64) return x.significand == 0 ? To(0) : x.negative ? least : greatest;
  u128 const magnitude = shift_right_rounded(x.significand, -x.exponent, x.negative, m.rounding);
  if (x.negative) return magnitude >= u128(-__int128(least)) ? least : To(-__int128(magnitude));
  return magnitude >= u128(greatest) ? greatest : To(magnitude);
}

/// In a conversion, .ftz applies to f32 only.
template <class T>
constexpr T flushed_if_single(mode m, T x) {
  if constexpr (std::is_same_v<T, float>) return flushed(m, x);
  else return x;
}
/// Returns a converted number after .ftz, .sat, .relu and .satfinite.
template <class To>
constexpr To converted(mode m, To x) {
  if (m.satfinite && is_infinite(x)) x = from_bits<To>(format<To>::largest | (is_negative(x) ? sign_bit<To> : 0));
  x = flushed_if_single(m, x);
  m.ftz = false;
  return finished(m, x);
}

/// Converts a NaN to another format. PTX guarantees only a NaN. An H100 gives: from and to f64, the sign and the
/// highest bits of the payload, made quiet; from bf16 to f32, every bit; otherwise the canonical NaN.
template <class To, class From>
constexpr To converted_nan(mode m, From a) {
  constexpr int wider = format<To>::mantissa - format<From>::mantissa;
  constexpr bool from_bfloat = std::is_same_v<From, bf16> && std::is_same_v<To, float>;
  if constexpr (std::is_same_v<To, double> || std::is_same_v<From, double> || from_bfloat) {
    if constexpr (std::is_same_v<From, float>)
      if (m.ftz) a = canonical_nan<float>(); // .ftz is a separate operation that comes first
    u64 const payload = magnitude_of(a) & ~infinity_bits<From>;
    u64 const quiet = from_bfloat ? 0 : u64(1) << (format<To>::mantissa - 1);
    u64 const kept = wider >= 0 ? payload << (wider & 63) : payload >> (-wider & 63);
    return from_bits<To>(kept | quiet | bits_of(signed_infinity<To>(is_negative(a))));
  } else return canonical_nan<To>();
}

/// To f16, .ftz has no effect on an H100, although PTX has it flush the operand: rounded away from zero, a subnormal
/// f32 gives the least f16.
template <class To, class From>
To float_to_float(mode m, From a) {
  if constexpr (!std::is_same_v<To, f16>) a = flushed_if_single(m, a);
  if constexpr (std::is_same_v<From, To>) return converted(m, is_nan(a) ? nan_from({a}) : a);
  else return converted(m, is_nan(a) ? converted_nan<To>(m, a) : convert<To>(a, m.rounding));
}

/// .rni and similar from a type to itself: an integer in the same format.
template <class T>
T float_to_integral(mode m, T a) {
  a = flushed_if_single(m, a);
  if (is_nan(a)) return converted(m, nan_from({a}));
  if (is_infinite(a)) return converted(m, a);
  finite const x = unpack(a);
  if (x.exponent < 0)
    a = pack<T>({x.negative, shift_right_rounded(x.significand, -x.exponent, x.negative, m.rounding), 0},
                rounding::zero);
  return converted(m, a);
}

/// Converts two numbers into one register: the first operand goes into the upper half.
template <class To>
two<To> floats_to_halves(mode m, float a, float b) {
  return {float_to_float<To>(m, b), float_to_float<To>(m, a)};
}

/// tf32: an f32 whose mantissa has 10 bits, the lowest 13 of the register being zero.
inline u32 float_to_tf32(mode m, float a) {
  if (is_nan(a)) // PTX guarantees a NaN, but with .rna an H100 cuts off bits, which can leave an infinity
    return m.rounding == rounding::nearest_away ? bits_of(a) & ~0x1fffu : format<float>::nan & ~0x1fffu;
  if (m.relu && is_negative(a)) return 0;
  u32 const sign = bits_of(a) & sign_bit<float>;
  constexpr u64 infinite = infinity_bits<float> >> 13;
  u64 bits = is_infinite(a) ? infinite : pack_magnitude(unpack(a), m.rounding, 8, 10);
  if (bits >= infinite) {
    bool const stays = m.satfinite || (m.rounding == rounding::zero && !is_infinite(a));
    bits = stays ? infinite - 1 : infinite;
  }
  return sign | u32(bits) << 13;
}

} // namespace emulator
