// SPDX-License-Identifier: Apache-2.0
//
// clz: the number of zero bits above the highest one.  [PTX ISA, "clz"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class T>
u32 count(T a) {
  return u32(std::countl_zero(a));
}

void decode(decoder& d) {
  for_type<u32, u64>(d, d.take_type({scalar::b32, scalar::b64}), [&]<class T> { emit<count<T>>(d); });
}

definition const clz("clz", ".{b32,b64}", decode);

} // namespace
} // namespace emulator
