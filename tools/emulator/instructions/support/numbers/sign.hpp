// SPDX-License-Identifier: Apache-2.0
//
// sign: the common part of abs and neg.  [PTX ISA, "abs", "neg"]
//
// An operation is a struct of two functions: `integer`, and `number` for floating-point numbers that are not NaN.
#pragma once

#include "arithmetic.hpp"
#include "integer.hpp"

namespace emulator {

template <class Operation, class T>
T with_sign(mode m, T a) {
  if (is_nan(a)) return nan_from({a}); // for f64, sign and payload stay unchanged
  return flushed(m, Operation::number(a));
}

template <class Operation>
void decode_sign(decoder& d) {
  mode m;
  m.ftz = d.take("ftz");
  scalar const type = take_number_type(d);
  if (m.ftz && type != scalar::f32 && !is_half(type)) d.reject("this type has no .ftz");
  for_type<s16, s32, s64, float, double, f16, bf16, two<f16>, two<bf16>>(d, type, [&]<class T> {
    if constexpr (std::is_integral_v<T>) emit<Operation::template integer<T>>(d);
    else if constexpr (is_packed<T>) emit<on_halves<with_sign<Operation, decltype(T::low)>>>(d, m);
    else emit<with_sign<Operation, T>>(d, m);
  });
}

inline constexpr std::string_view sign_forms = ".{s16,s32,s64,f64,bf16,bf16x2}; {.ftz}.{f32,f16,f16x2}";

} // namespace emulator
