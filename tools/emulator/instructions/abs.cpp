// SPDX-License-Identifier: Apache-2.0
//
// abs: absolute values; that of the least signed integer is itself.  [PTX ISA, "abs"]
#include "support/arithmetic.hpp"
#include "support/integer.hpp"

namespace emulator {
namespace {

template <class T>
T absolute(T a) {
  return a < 0 ? wrapping_difference(T(0), a) : a;
}
template <class T>
T magnitude(mode m, T a) {
  if (is_nan(a)) return nan_from({a}); // of f64, its sign and payload stay
  return flushed(m, from_bits<T>(magnitude_of(a)));
}

void decode(decoder& d) {
  mode m;
  m.ftz = d.take("ftz");
  scalar const type = take_number_type(d);
  if (m.ftz && type != scalar::f32 && !is_half(type)) d.refuse("this type has no .ftz");
  for_type<s16, s32, s64, float, double, f16, bf16, two<f16>, two<bf16>>(d, type, [&]<class T> {
    if constexpr (std::is_integral_v<T>) emit<absolute<T>>(d);
    else if constexpr (is_packed<T>) emit<on_halves<magnitude<decltype(T::low)>>>(d, m);
    else emit<magnitude<T>>(d, m);
  });
}

definition const abs_("abs", ".{s16,s32,s64,f64,bf16,bf16x2}; {.ftz}.{f32,f16,f16x2}", decode);

} // namespace
} // namespace emulator
