// SPDX-License-Identifier: Apache-2.0
//
// mad: a product plus a summand; for floating-point numbers the same as fma.  [PTX ISA, "mad"]
#include "support/numbers/arithmetic.hpp"
#include "support/numbers/carry.hpp"

namespace emulator {
namespace {

template <class T>
T low(T a, T b, T c) {
  return wrapping_sum(low_product(a, b), c);
}
template <class T>
T high(T a, T b, T c) {
  return wrapping_sum(high_product(a, b), c);
}
template <class T>
twice<T> wide(T a, T b, twice<T> c) {
  return wrapping_sum(full_product(a, b), c);
}
s32 saturated(s32 a, s32 b, s32 c) { return clamped<s32>(s64(high_product(a, b)) + c); }

void decode(decoder& d) {
  for (std::string_view const modifier : d.instruction.modifiers)
    if (modifier == "cc") return decode_multiply_add_carry(d, false);
  scalar const type = take_number_type(d);
  if (type == scalar::f32 || type == scalar::f64)
    return decode_arithmetic<multiply_add, 3>(d, type, take_arithmetic_mode(d, type));
  std::string_view const part = d.take_one_of({"lo", "hi", "wide"});
  if (part.empty()) d.reject("needs .lo, .hi or .wide");
  if (type == scalar::s32 && part == "hi" && d.take("sat")) {
    emit<saturated>(d);
    return;
  }
  for_type<u16, u32, u64, s16, s32, s64>(d, type, [&]<class T> {
    if (part == "lo") emit<low<T>>(d);
    else if (part == "hi") emit<high<T>>(d);
    else if constexpr (sizeof(T) < 8) emit<wide<T>>(d);
    else d.reject("there is no .wide of 64 bits");
  });
}

definition const
    mad("mad",
        ".{lo,hi}.{u16,u32,u64,s16,s32,s64}; .wide.{u16,u32,s16,s32}; .hi.sat.s32; .{lo,hi}.cc.{u32,s32,u64,s64}; "
        "{.rn,.rz,.rm,.rp}{.ftz}{.sat}.f32; {.rnd}.f64",
        decode);

} // namespace
} // namespace emulator
