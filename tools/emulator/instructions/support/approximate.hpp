// SPDX-License-Identifier: Apache-2.0
//
// approximate: functions that PTX defines up to an error.
// Computed in f64 and rounded once, so that the error is below any that PTX allows; a GPU's last bits differ.
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
template <auto F, class T>
two<T> approximated_both(mode m, two<T> a) {
  return {approximated<F>(m, a.low), approximated<F>(m, a.high)};
}

/// Of f64, .approx.ftz works on the upper 32 bits: the rest of the operand is not read, that of the result is zero.
template <auto F>
double approximated_upper(mode m, double a) {
  constexpr u64 upper = ~u64(0xffffffff);
  a = flushed(m, from_bits<double>(bits_of(a) & upper));
  if (is_nan(a)) return canonical_nan<double>();
  return from_bits<double>(bits_of(finished(m, F(a))) & upper);
}

} // namespace emulator
