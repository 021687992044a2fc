// SPDX-License-Identifier: Apache-2.0
//
// float16: sums, minima and maxima of numbers in memory, as bits.
// Sums of f16 and bf16 are computed in f32 and rounded once more. The result equals one rounding, because f32 has more
// than twice their digits plus two. A NaN that an operation returns is the one that GPUs return.
#pragma once

#include "../../../machine/decoder.hpp"

#include <bit>
#include <cmath>

namespace emulator {

/// A format of 16 bits: to_float is exact, from_float rounds to nearest even.
struct format_f16 {
  static float to_float(u16 bits) { return float(std::bit_cast<_Float16>(bits)); }
  static u16 from_float(float f) { return f != f ? u16(0x7fff) : std::bit_cast<u16>(_Float16(f)); }
};
struct format_bf16 {
  static float to_float(u16 bits) { return std::bit_cast<float>(u32(bits) << 16); }
  static u16 from_float(float f) {
    if (f != f) return 0x7fff;
    u32 const bits = std::bit_cast<u32>(f);
    return u16((bits + 0x7fff + (bits >> 16 & 1)) >> 16); // a carry out of the fraction rightly increments the exponent
  }
};

/// -0 is less than +0; the result of a NaN and a number is the number.  [PTX ISA, "min", "max"]
inline float minimum(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
inline float maximum(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

inline float sum_of(float a, float b) { return a + b; }

/// F on one number of 16 bits, or on both of 32 bits.
template <class Format, float (*F)(float, float), class T>
T on_16_bits(T a, T b) {
  auto const one = [](u16 x, u16 y) { return Format::from_float(F(Format::to_float(x), Format::to_float(y))); };
  if constexpr (sizeof(T) == 2) return one(a, b);
  else return u32(one(u16(a), u16(b))) | u32(one(u16(a >> 16), u16(b >> 16))) << 16;
}

/// Returns a zero of the same sign for a subnormal number.
inline float flushed(float f) { return std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.f, f) : f; }

inline float add_f32(float a, float b) {
  float const sum = a + b;
  return sum != sum ? std::bit_cast<float>(0x7fffffffu) : sum;
}
inline float add_f32_flushing(float a, float b) { return flushed(add_f32(flushed(a), flushed(b))); }

} // namespace emulator
