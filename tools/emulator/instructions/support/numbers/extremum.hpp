// SPDX-License-Identifier: Apache-2.0
//
// extremum: the common part of min and max.  [PTX ISA, "min", "max"]
//
// For floating-point numbers, the result of a NaN and a number is the number, except with .NaN; -0 is less than +0.
#pragma once

#include "arithmetic.hpp"
#include "integer.hpp"

namespace emulator {

template <bool Max, class T>
T extremum(T a, T b) {
  return Max ? (a < b ? b : a) : (b < a ? b : a);
}
template <bool Max, class T>
T extremum_relu(T a, T b) {
  T const result = extremum<Max>(a, b);
  return result < 0 ? T(0) : result;
}

/// Orders numbers, zeros included, as integers order.
template <class T>
constexpr auto order_key(T x) {
  using key = std::make_signed_t<typename format<T>::bits>;
  key const magnitude = key(magnitude_of(x));
  return key(is_negative(x) ? -magnitude - 1 : magnitude);
}

template <bool Max, bool Nan, bool Abs, bool Xorsign, class T>
T extremum_of(mode m, T a, T b) {
  a = flushed(m, a);
  b = flushed(m, b);
  bool const sign = is_negative(a) != is_negative(b);
  if (is_nan(a) || is_nan(b)) {
    if (Nan || (is_nan(a) && is_nan(b))) return nan_from({a, b});
    a = b = is_nan(a) ? b : a;
  }
  if (Abs) {
    a = from_bits<T>(magnitude_of(a));
    b = from_bits<T>(magnitude_of(b));
  }
  T result = (Max ? order_key(a) < order_key(b) : order_key(b) < order_key(a)) ? b : a;
  if (Xorsign) result = from_bits<T>(magnitude_of(result) | (sign ? sign_bit<T> : 0));
  return finished(m, result);
}
/// Three operands: the extremum of the first two, and that with the third.
template <bool Max, bool Nan, bool Abs, class T>
T extremum_of_three(mode m, T a, T b, T c) {
  return extremum_of<Max, Nan, Abs, false>(m, extremum_of<Max, Nan, Abs, false>(m, a, b), c);
}

template <bool Max, bool Nan, bool Abs, bool Xorsign, class T>
void emit_extremum(decoder& d, mode m) {
  if constexpr (is_packed<T>) emit<on_halves<extremum_of<Max, Nan, Abs, Xorsign, decltype(T::low)>>>(d, m);
  else emit<extremum_of<Max, Nan, Abs, Xorsign, T>>(d, m);
}

template <bool Max>
void decode_float_extremum(decoder& d, scalar type) {
  mode m;
  bool nan = false, sign = false, absolute = false;
  if (type != scalar::f64) {
    if (!is_bfloat(type)) m.ftz = d.take("ftz");
    nan = d.take("NaN");
    sign = d.take("xorsign");
    absolute = d.take("abs");
  }
  if (d.operands() == 4 && type == scalar::f32 && !sign) {
    if (nan && absolute) emit<extremum_of_three<Max, true, true, float>>(d, m);
    else if (nan) emit<extremum_of_three<Max, true, false, float>>(d, m);
    else if (absolute) emit<extremum_of_three<Max, false, true, float>>(d, m);
    else emit<extremum_of_three<Max, false, false, float>>(d, m);
    return;
  }
  if (sign != absolute) d.reject(".xorsign and .abs belong together");
  for_type<float, double, f16, bf16, two<f16>, two<bf16>>(d, type, [&]<class T> {
    if (nan && sign) emit_extremum<Max, true, true, true, T>(d, m);
    else if (nan) emit_extremum<Max, true, false, false, T>(d, m);
    else if (sign) emit_extremum<Max, false, true, true, T>(d, m);
    else emit_extremum<Max, false, false, false, T>(d, m);
  });
}

template <bool Max>
void decode_extremum(decoder& d) {
  bool const relu = d.take("relu");
  if (d.take("u16x2")) {
    if (relu) d.reject("unsigned numbers have no .relu");
    emit<on_integer_halves<extremum<Max, u16>>>(d);
    return;
  }
  if (d.take("s16x2")) {
    relu ? emit<on_integer_halves<extremum_relu<Max, s16>>>(d) : emit<on_integer_halves<extremum<Max, s16>>>(d);
    return;
  }
  scalar const type = take_number_type(d);
  if (relu) {
    if (type != scalar::s32) d.reject(".relu needs .s32 or .s16x2");
    emit<extremum_relu<Max, s32>>(d);
  } else if (is_floating(type)) decode_float_extremum<Max>(d, type);
  else for_type<u16, u32, u64, s16, s32, s64>(d, type, [&]<class T> { emit<extremum<Max, T>>(d); });
}

inline constexpr std::string_view extremum_forms = ".{u16,u32,u64,u16x2,s16,s64}; {.relu}.{s32,s16x2}; "
                                                   "{.ftz}{.NaN}{.xorsign.abs}.{f32,f16,f16x2}; {.NaN}{.xorsign.abs}."
                                                   "{bf16,bf16x2}; .f64; {.ftz}{.NaN}{.abs}.f32 of three";

} // namespace emulator
