// SPDX-License-Identifier: Apache-2.0
//
// dp4a: the inner product of four bytes and four bytes, plus a summand.  [PTX ISA, "dp4a"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class A, class B>
u32 inner_product(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i) c += u32(s32(A(a >> (8 * i))) * s32(B(b >> (8 * i))));
  return c;
}

void decode(decoder& d) {
  bool const a = d.take_type({scalar::u32, scalar::s32}) == scalar::s32,
             b = d.take_type({scalar::u32, scalar::s32}) == scalar::s32;
  if (a) b ? emit<inner_product<s8, s8>>(d) : emit<inner_product<s8, u8>>(d);
  else b ? emit<inner_product<u8, s8>>(d) : emit<inner_product<u8, u8>>(d);
}

definition const dp4a("dp4a", ".{u32,s32}.{u32,s32}", decode);

} // namespace
} // namespace emulator
