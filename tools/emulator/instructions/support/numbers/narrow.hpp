// SPDX-License-Identifier: Apache-2.0
//
// narrow: conversions to and from pairs of numbers of 8, 6 and 4 bits.  [PTX ISA, "Alternate Floating-Point Data
// Formats"]
//
// A narrow format is defined by four numbers. Only e5m2 has an infinity, and a number that is too large becomes the
// largest number (.satfinite, which is always present). The first operand goes into the upper part.
#pragma once

#include "convert.hpp"

namespace emulator {

struct narrow_format {
  std::string_view name; ///< as PTX writes it
  int exponent, mantissa;
  u32 largest;
  u32 nan;   ///< the result for a NaN
  int width; ///< bits of one, with padding
};
inline constexpr narrow_format e4m3{"e4m3x2", 4, 3, 0x7e, 0x7f, 8};
inline constexpr narrow_format e5m2{"e5m2x2", 5, 2, 0x7b, 0x7f, 8};
inline constexpr narrow_format e3m2{"e3m2x2", 3, 2, 0x1f, 0x1f, 8};
inline constexpr narrow_format e2m3{"e2m3x2", 2, 3, 0x1f, 0x1f, 8};
inline constexpr narrow_format e2m1{"e2m1x2", 2, 1, 0x7, 0x7, 4};

template <narrow_format const& N, class From>
constexpr u32 to_narrow(mode m, From x) {
  if (is_nan(x)) return N.nan;
  if (m.relu && is_negative(x)) return 0;
  u32 const sign = is_negative(x) ? 1u << (N.exponent + N.mantissa) : 0;
  u64 const bits = is_infinite(x) ? N.largest : pack_magnitude(unpack(x), m.rounding, N.exponent, N.mantissa);
  return sign | (bits > N.largest ? N.largest : u32(bits));
}

template <narrow_format const& N>
constexpr f16 from_narrow(mode m, u32 bits) {
  u32 const sign = 1u << (N.exponent + N.mantissa), magnitude = bits & (sign - 1);
  bool const negative = (bits & sign) != 0;
  constexpr bool has_nan = N.nan != N.largest;
  if (has_nan && magnitude > N.largest) {
    constexpr u32 infinite = ((1u << N.exponent) - 1) << N.mantissa;
    return magnitude == infinite ? converted(m, signed_infinity<f16>(negative)) : canonical_nan<f16>();
  }
  constexpr int bias = (1 << (N.exponent - 1)) - 1;
  u32 const fraction = magnitude & ((1u << N.mantissa) - 1);
  int const exponent = int(magnitude >> N.mantissa);
  finite const x{negative, exponent ? fraction | 1u << N.mantissa : fraction,
                 (exponent ? exponent : 1) - bias - N.mantissa};
  return converted(m, pack<f16>(x, rounding::nearest));
}

template <narrow_format const& N>
u16 floats_to_narrow(mode m, float a, float b) {
  return u16(to_narrow<N>(m, a) << N.width | to_narrow<N>(m, b));
}
template <narrow_format const& N, class T>
u16 halves_to_narrow(mode m, two<T> a) {
  return u16(to_narrow<N>(m, a.high) << N.width | to_narrow<N>(m, a.low));
}
template <narrow_format const& N>
two<f16> narrow_to_halves(mode m, u16 a) {
  constexpr u32 mask = (1u << N.width) - 1;
  return {from_narrow<N>(m, a & mask), from_narrow<N>(m, a >> N.width & mask)};
}

/// The body of cvt with format N, whose name was taken; `into` says whether N is the destination.
template <narrow_format const& N>
void decode_narrow(decoder& d, mode m, bool into, bool rounds) {
  if (!rounds || m.rounding != rounding::nearest) d.reject("needs .rn");
  scalar const other = d.take_type({scalar::f32, scalar::f16x2});
  if (!into) {
    if (other != scalar::f16x2 || m.satfinite) d.reject("narrow numbers convert to .f16x2");
    emit<narrow_to_halves<N>>(d, m);
  } else if (!m.satfinite) d.reject("needs .satfinite");
  else if (other == scalar::f32) emit<floats_to_narrow<N>>(d, m);
  else emit<halves_to_narrow<N, f16>>(d, m);
}

} // namespace emulator
