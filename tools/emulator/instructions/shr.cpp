// SPDX-License-Identifier: Apache-2.0
//
// shr: a shift to the right; an amount beyond the width leaves only the sign.  [PTX ISA, "shr"]
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T>
T shifted(T a, u32 amount) {
  constexpr u32 most = bits_in<T> - 1;
  if (amount > most) return is_signed_integer<T> ? T(a >> most) : T(0);
  return T(a >> amount);
}

void decode(decoder& d) {
  for_type<u16, u32, u64, s16, s32, s64>(d, d.take_type(), [&]<class T> { emit<shifted<T>>(d); });
}

definition const shr("shr", ".{b16,b32,b64,u16,u32,u64,s16,s32,s64}", decode);

} // namespace
} // namespace emulator
