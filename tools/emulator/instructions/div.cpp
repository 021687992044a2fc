// SPDX-License-Identifier: Apache-2.0
//
// div: quotients. An integer divided by zero gives all ones, as on hardware.  [PTX ISA, "div"]
#include "support/numbers/arithmetic.hpp"
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T>
T quotient(T a, T b) {
  if (b == 0) return T(-1);
  if constexpr (is_signed_integer<T>)
    if (b == -1) return wrapping_difference(T(0), a);
  return T(a / b);
}

/// a * (1 / b): a divisor beyond 2^126 has no reciprocal that is a normal number, and is treated as infinite.
float approximate(mode m, float a, float b) {
  a = flushed(m, a);
  b = flushed(m, b);
  if (std::fabs(b) > 0x1p126f && !is_infinite(b) && !is_nan(a))
    return is_infinite(a) ? canonical_nan<float>() : signed_zero<float>(is_negative(a) != is_negative(b));
  return finished(m, without_host_nan(a / b, a, b));
}
/// .full has no such bound: it is within 2 ulp of the quotient everywhere, so this returns the quotient itself.
float full(mode m, float a, float b) {
  a = flushed(m, a);
  b = flushed(m, b);
  return finished(m, without_host_nan(a / b, a, b));
}

void decode(decoder& d) {
  scalar const type = take_number_type(d);
  if (!is_floating(type))
    return for_type<u16, u32, u64, s16, s32, s64>(d, type, [&]<class T> { emit<quotient<T>>(d); });
  mode m;
  if (type == scalar::f32) m.ftz = d.take("ftz");
  if (type == scalar::f32 && d.take("approx")) emit<approximate>(d, m);
  else if (type == scalar::f32 && d.take("full")) emit<full>(d, m);
  else {
    bool rounds = false;
    m.rounding = take_rounding(d, &rounds);
    if (!rounds) d.reject("needs .approx, .full or a rounding modifier");
    for_type<float, double>(d, type, [&]<class T> { emit_arithmetic<division, 2, T>(d, m); });
  }
}

definition const div_("div", ".{u16,u32,u64,s16,s32,s64}; .{approx,full}{.ftz}.f32; .{rn,rz,rm,rp}{.ftz}.f32; .rnd.f64",
                      decode);

} // namespace
} // namespace emulator
