// SPDX-License-Identifier: Apache-2.0
//
// shl: a shift to the left; an amount beyond the width gives zero.  [PTX ISA, "shl"]
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T>
T shifted(T a, u32 amount) {
  return amount < u32(bits_in<T>) ? T(a << amount) : T(0);
}

void decode(decoder& d) {
  for_type<u16, u32, u64>(d, d.take_type({scalar::b16, scalar::b32, scalar::b64}),
                          [&]<class T> { emit<shifted<T>>(d); });
}

definition const shl("shl", ".{b16,b32,b64}", decode);

} // namespace
} // namespace emulator
