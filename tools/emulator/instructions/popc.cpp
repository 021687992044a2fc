// SPDX-License-Identifier: Apache-2.0
//
// popc: the number of ones.  [PTX ISA, "popc"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class T>
u32 count(T a) {
  return u32(std::popcount(a));
}

void decode(decoder& d) {
  for_type<u32, u64>(d, d.take_type({scalar::b32, scalar::b64}), [&]<class T> { emit<count<T>>(d); });
}

definition const popc("popc", ".{b32,b64}", decode);

} // namespace
} // namespace emulator
