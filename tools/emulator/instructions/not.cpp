// SPDX-License-Identifier: Apache-2.0
//
// not: the bitwise complement.  [PTX ISA, "not"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class T>
T complement(T a) {
  if constexpr (std::is_same_v<T, bool>) return !a;
  else return T(~a);
}

void decode(decoder& d) {
  for_type<bool, u16, u32, u64>(d, d.take_type({scalar::pred, scalar::b16, scalar::b32, scalar::b64}),
                                [&]<class T> { emit<complement<T>>(d); });
}

definition const not_("not", ".{pred,b16,b32,b64}", decode);

} // namespace
} // namespace emulator
