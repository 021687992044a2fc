// SPDX-License-Identifier: Apache-2.0
//
// rem: remainders, with the sign of the dividend.  [PTX ISA, "rem"]
//
// PTX does not define the remainder of a division by zero: an H100 gives all ones for every type.
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T>
T remainder(T a, T b) {
  if (b == 0) return T(~T(0));
  if constexpr (is_signed_integer<T>)
    if (b == -1) return 0;
  return T(a % b);
}

void decode(decoder& d) {
  for_type<u16, u32, u64, s16, s32, s64>(d, take_number_type(d), [&]<class T> { emit<remainder<T>>(d); });
}

definition const rem("rem", ".{u16,u32,u64,s16,s32,s64}", decode);

} // namespace
} // namespace emulator
