// SPDX-License-Identifier: Apache-2.0
//
// sad: an absolute difference plus a summand.  [PTX ISA, "sad"]
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T>
T distance(T a, T b, T c) {
  return wrapping_sum(a < b ? wrapping_difference(b, a) : wrapping_difference(a, b), c);
}

void decode(decoder& d) {
  for_type<u16, u32, u64, s16, s32, s64>(d, take_number_type(d), [&]<class T> { emit<distance<T>>(d); });
}

definition const sad("sad", ".{u16,u32,u64,s16,s32,s64}", decode);

} // namespace
} // namespace emulator
