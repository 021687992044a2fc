// SPDX-License-Identifier: Apache-2.0
//
// xor: bitwise exclusive or.  [PTX ISA, "xor"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class T>
T bits(T a, T b) {
  return T(a ^ b);
}

void decode(decoder& d) {
  for_type<bool, u16, u32, u64>(d, d.take_type({scalar::pred, scalar::b16, scalar::b32, scalar::b64}),
                                [&]<class T> { emit<bits<T>>(d); });
}

definition const xor_("xor", ".{pred,b16,b32,b64}", decode);

} // namespace
} // namespace emulator
