// SPDX-License-Identifier: Apache-2.0
//
// sum: the common part of add and sub.  [PTX ISA, "add", "sub", "add.cc", "sub.cc"]
#pragma once

#include "arithmetic.hpp"
#include "carry.hpp"

namespace emulator {

template <bool Subtracts>
using sum = std::conditional_t<Subtracts, subtraction, addition>;

template <bool Subtracts, class T>
constexpr T wrapping(T a, T b) {
  return Subtracts ? wrapping_difference(a, b) : wrapping_sum(a, b);
}

template <bool Subtracts>
s32 saturated(s32 a, s32 b) {
  return clamped<s32>(Subtracts ? s64(a) - b : s64(a) + b);
}

/// sm_100: in f32, with a narrower first operand.
template <bool Subtracts, class T>
float widened(mode m, T a, float b) {
  float const wide = flushed(m, convert<float>(a, rounding::nearest));
  return finished(m, sum<Subtracts>::exact(m.rounding, wide, flushed(m, b)));
}

template <bool Subtracts>
void decode_sum(decoder& d) {
  for (std::string_view const modifier : d.instruction.modifiers)
    if (modifier == "cc") return decode_carry<Subtracts>(d, false);
  if (decode_f32x2<sum<Subtracts>, 2>(d)) return;
  if (d.take("u16x2") || d.take("s16x2")) {
    emit<on_integer_halves<wrapping<Subtracts, u16>>>(d);
    return;
  }
  scalar const type = take_number_type(d);
  if (type == scalar::s32 && d.take("sat")) {
    emit<saturated<Subtracts>>(d);
    return;
  }
  if (is_floating(type)) {
    mode const m = take_arithmetic_mode(d, type);
    if (scalar const narrow = type == scalar::f32 ? take_number_type(d) : scalar::none; narrow != scalar::none)
      return for_type<f16, bf16>(d, narrow, [&]<class T> { emit<widened<Subtracts, T>>(d, m); });
    return decode_arithmetic<sum<Subtracts>, 2>(d, type, m);
  }
  for_type<u16, u32, u64, s16, s32, s64>(d, type, [&]<class T> { emit<wrapping<Subtracts, unsigned_of<T>>>(d); });
}

inline constexpr std::string_view sum_forms =
    ".{u16,u32,u64,s16,s32,s64,u16x2,s16x2}; .sat.s32; .cc.{u32,s32,u64,s64}; "
    "{.rn,.rz,.rm,.rp}{.ftz}{.sat}.f32; {.rnd}.f64; {.rn}{.ftz}{.sat}.{f16,f16x2}; {.rn}.{bf16,bf16x2}; "
    "{.rnd}{.ftz}.f32x2; {.rnd}{.sat}.f32.{f16,bf16}";

} // namespace emulator
