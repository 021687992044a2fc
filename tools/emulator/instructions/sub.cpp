// SPDX-License-Identifier: Apache-2.0
//
// sub: differences.  [PTX ISA, "sub", "sub.cc"]
#include "support/arithmetic.hpp"
#include "support/carry.hpp"

namespace emulator {
namespace {

s32 saturated(s32 a, s32 b) { return clamped<s32>(s64(a) - b); }

/// sm_100: an f32 difference whose first operand is narrower.
template <class T>
float widened(mode m, T a, float b) {
  return finished(m, subtraction::exact(m.rounding, flushed(m, convert<float>(a, rounding::nearest)), flushed(m, b)));
}

void decode(decoder& d) {
  for (std::string_view const modifier : d.instruction.modifiers)
    if (modifier == "cc") return decode_carry<true>(d, false);
  if (decode_f32x2<subtraction, 2>(d)) return;
  if (d.take("u16x2") || d.take("s16x2")) {
    emit<on_integer_halves<wrapping_difference<u16>>>(d);
    return;
  }
  scalar const type = take_number_type(d);
  if (type == scalar::s32 && d.take("sat")) {
    emit<saturated>(d);
    return;
  }
  if (is_floating(type)) {
    mode const m = take_arithmetic_mode(d, type);
    if (scalar const narrow = type == scalar::f32 ? take_number_type(d) : scalar::none; narrow != scalar::none)
      return for_type<f16, bf16>(d, narrow, [&]<class T> { emit<widened<T>>(d, m); });
    return decode_arithmetic<subtraction, 2>(d, type, m);
  }
  for_type<u16, u32, u64, s16, s32, s64>(d, type, [&]<class T> { emit<wrapping_difference<unsigned_of<T>>>(d); });
}

definition const
    sub("sub",
        ".{u16,u32,u64,s16,s32,s64,u16x2,s16x2}; .sat.s32; .cc.{u32,s32,u64,s64}; "
        "{.rn,.rz,.rm,.rp}{.ftz}{.sat}.f32; {.rnd}.f64; {.rn}{.ftz}{.sat}.{f16,f16x2}; {.rn}.{bf16,bf16x2}; "
        "{.rnd}{.ftz}.f32x2; {.rnd}{.sat}.f32.{f16,bf16}",
        decode);

} // namespace
} // namespace emulator
