// SPDX-License-Identifier: Apache-2.0
//
// approximate: functions that PTX defines up to an error.
//
// They are computed in f64 and rounded once, so that the error is smaller than any that PTX allows. The last bits of a
// GPU's results differ.
#pragma once

#include "floating.hpp"

#include <cmath>

namespace emulator {

template <auto F, class T>
T approximated(mode m, T a) {
  a = flushed(m, a);
  if (is_nan(a)) return nan_from({a});
  double const exact = F(convert<double>(a, rounding::nearest));
  return finished(m, convert<T>(exact, rounding::nearest));
}

/// For f64, .approx.ftz uses the upper 32 bits: the lower half of the operand is not read, and that of the result is
/// zero.
template <auto F>
double approximated_upper(mode m, double a) {
  constexpr u64 upper = ~u64(0xffffffff);
  a = flushed(m, from_bits<double>(bits_of(a) & upper));
  if (is_nan(a)) return canonical_nan<double>();
  return from_bits<double>(bits_of(finished(m, F(a))) & upper);
}

/// Emits the function in this type, f32 or one of 16 bits.
template <double (*F)(double)>
void emit_approximated(decoder& d, scalar type, mode m = {}) {
  for_type<float, f16, bf16, two<f16>, two<bf16>>(d, type, [&]<class T> {
    if constexpr (is_packed<T>) emit<on_halves<approximated<F, decltype(T::low)>>>(d, m);
    else emit<approximated<F, T>>(d, m);
  });
}

/// The body of instructions that only f32 has.
template <double (*F)(double)>
void decode_approximated_f32(decoder& d) {
  if (!d.take("approx")) d.reject("needs .approx");
  mode m;
  m.ftz = d.take("ftz");
  d.take_type({scalar::f32});
  emit<approximated<F, float>>(d, m);
}

} // namespace emulator
