// SPDX-License-Identifier: Apache-2.0
//
// neg: the other sign.  [PTX ISA, "neg"]
#include "support/arithmetic.hpp"
#include "support/integer.hpp"

namespace emulator {
namespace {

template <class T>
T opposite(T a) {
  return wrapping_difference(T(0), a);
}
template <class T>
T other_sign(mode m, T a) {
  if (is_nan(a)) return nan_from({a}); // of f64, its sign and payload stay
  return flushed(m, negated(a));
}

void decode(decoder& d) {
  mode m;
  m.ftz = d.take("ftz");
  scalar const type = take_number_type(d);
  if (m.ftz && type != scalar::f32 && !is_half(type)) d.refuse("this type has no .ftz");
  for_type<s16, s32, s64, float, double, f16, bf16, two<f16>, two<bf16>>(d, type, [&]<class T> {
    if constexpr (std::is_integral_v<T>) emit<opposite<T>>(d);
    else if constexpr (is_packed<T>) emit<on_halves<other_sign<decltype(T::low)>>>(d, m);
    else emit<other_sign<T>>(d, m);
  });
}

definition const neg("neg", ".{s16,s32,s64,f64,bf16,bf16x2}; {.ftz}.{f32,f16,f16x2}", decode);

} // namespace
} // namespace emulator
