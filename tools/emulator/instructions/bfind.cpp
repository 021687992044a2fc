// SPDX-License-Identifier: Apache-2.0
//
// bfind: the position of the highest bit that is not the sign; all ones if there is none.  [PTX ISA, "bfind"]
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T, bool Shift_amount>
u32 highest(T a) {
  using bits = unsigned_of<T>;
  bits const x = a < 0 ? bits(~a) : bits(a);
  if (x == 0) return ~0u;
  u32 const above = u32(std::countl_zero(x)); // the distance of the highest bit from the top
  return Shift_amount ? above : u32(bits_in<T>) - 1 - above;
}

void decode(decoder& d) {
  bool const amount = d.take("shiftamt");
  for_type<u32, u64, s32, s64>(d, take_number_type(d),
                               [&]<class T> { amount ? emit<highest<T, true>>(d) : emit<highest<T, false>>(d); });
}

definition const bfind("bfind", "{.shiftamt}.{u32,u64,s32,s64}", decode);

} // namespace
} // namespace emulator
