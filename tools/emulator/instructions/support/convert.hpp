// SPDX-License-Identifier: Apache-2.0
//
// convert: from any type of number to any other.  [PTX ISA, "cvt"]
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

/// A NaN gives zero, or, where 64 bits take part, the number of the highest bit.
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

/// .ftz of a conversion concerns f32 alone.
template <class T>
constexpr T flushed_if_single(mode m, T x) {
  if constexpr (std::is_same_v<T, float>) return flushed(m, x);
  else return x;
}
/// A converted number, after .ftz, .sat, .relu and .satfinite.
template <class To>
constexpr To converted(mode m, To x) {
  if (m.satfinite && is_infinite(x)) x = from_bits<To>(format<To>::largest | (is_negative(x) ? sign_bit<To> : 0));
  x = flushed_if_single(m, x);
  m.ftz = false;
  return finished(m, x);
}

template <class To, class From>
To float_to_float(mode m, From a) {
  a = flushed_if_single(m, a);
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double>) {
    if (is_nan(a)) // keeps its payload
      a = from_bits<float>(bits_of(a) | 1u << 22);
    return converted(m, is_nan(a) ? from_bits<double>(u64(is_negative(a)) << 63 | infinity_bits<double> |
                                                      u64(bits_of(a) & 0x7fffff) << 29)
                                  : double(a));
  } else if constexpr (std::is_same_v<From, To>) return converted(m, is_nan(a) ? nan_from({a}) : a);
  else return converted(m, convert<To>(a, m.rounding));
}

/// .rni and its kin from a type to itself: an integer in the same format.
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

/// Two numbers into one register: the first operand goes up.
template <class To>
two<To> floats_to_halves(mode m, float a, float b) {
  return {float_to_float<To>(m, b), float_to_float<To>(m, a)};
}

/// tf32: an f32 whose mantissa has 10 bits, the lowest 13 of the register being zero.
inline u32 float_to_tf32(mode m, float a) {
  if (is_nan(a)) return format<float>::nan;
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
