// SPDX-License-Identifier: Apache-2.0
//
// dp2a: the inner product of two halves and two bytes, plus a summand.  [PTX ISA, "dp2a"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class A, class B, bool High>
u32 inner_product(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i) c += u32(s32(A(a >> (16 * i)))) * u32(s32(B(b >> (8 * i + (High ? 16 : 0)))));
  return c;
}

template <bool High>
void decode_half(decoder& d) {
  bool const a = d.take_type({scalar::u32, scalar::s32}) == scalar::s32,
             b = d.take_type({scalar::u32, scalar::s32}) == scalar::s32;
  if (a) b ? emit<inner_product<s16, s8, High>>(d) : emit<inner_product<s16, u8, High>>(d);
  else b ? emit<inner_product<u16, s8, High>>(d) : emit<inner_product<u16, u8, High>>(d);
}

void decode(decoder& d) {
  std::string_view const half = d.take_one_of({"lo", "hi"});
  if (half.empty()) d.reject("needs .lo or .hi");
  half == "hi" ? decode_half<true>(d) : decode_half<false>(d);
}

definition const dp2a("dp2a", ".{lo,hi}.{u32,s32}.{u32,s32}", decode);

} // namespace
} // namespace emulator
