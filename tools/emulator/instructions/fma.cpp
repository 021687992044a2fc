// SPDX-License-Identifier: Apache-2.0
//
// fma: a product plus a summand, rounded once.  [PTX ISA, "fma"]
#include "support/numbers/arithmetic.hpp"

namespace emulator {
namespace {

/// sm_100: an f32 sum whose factors are narrower types.
template <class T>
float widened(mode m, T a, T b, float c) {
  float const x = flushed(m, convert<float>(a, rounding::nearest)),
              y = flushed(m, convert<float>(b, rounding::nearest));
  return finished(m, exact_fma(m.rounding, x, y, flushed(m, c)));
}

void decode(decoder& d) {
  if (decode_f32x2<multiply_add, 3>(d)) return;
  scalar const type = d.take_type({scalar::f16, scalar::f16x2, scalar::bf16, scalar::bf16x2, scalar::f32, scalar::f64});
  mode m;
  bool rounds = false;
  m.rounding = take_rounding(d, &rounds);
  if (!rounds) d.reject("needs a rounding modifier");
  if (type != scalar::f32 && type != scalar::f64 && m.rounding != rounding::nearest) d.reject("needs .rn");
  if (type == scalar::f32 || is_half(type)) {
    m.ftz = d.take("ftz");
    m.sat = d.take("sat");
  }
  if (is_half(type) || is_bfloat(type)) m.relu = d.take("relu");
  if (m.sat && m.relu) d.reject(".sat and .relu exclude each other");
  if (scalar const narrow = type == scalar::f32 ? d.take_type() : scalar::none; narrow != scalar::none)
    return for_type<f16, bf16>(d, narrow, [&]<class T> { emit<widened<T>>(d, m); });
  decode_arithmetic<multiply_add, 3>(d, type, m);
}

definition const
    fma("fma",
        ".{rn,rz,rm,rp}{.ftz}{.sat}.f32; .rnd.f64; .rn{.ftz}{.sat,.relu}.{f16,f16x2}; .rn{.relu}.{bf16,bf16x2}; "
        ".rnd{.ftz}.f32x2; .rnd{.sat}.f32.{f16,bf16}",
        decode);

} // namespace
} // namespace emulator
