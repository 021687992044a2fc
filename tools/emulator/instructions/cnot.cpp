// SPDX-License-Identifier: Apache-2.0
//
// cnot: 1 for zero, 0 for all other values.  [PTX ISA, "cnot"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class T>
T is_zero_number(T a) {
  return T(a == 0);
}

void decode(decoder& d) {
  for_type<u16, u32, u64>(d, d.take_type({scalar::b16, scalar::b32, scalar::b64}),
                          [&]<class T> { emit<is_zero_number<T>>(d); });
}

definition const cnot("cnot", ".{b16,b32,b64}", decode);

} // namespace
} // namespace emulator
