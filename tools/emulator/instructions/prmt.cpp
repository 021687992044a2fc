// SPDX-License-Identifier: Apache-2.0
//
// prmt: selects bytes of two registers.  [PTX ISA, "prmt"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

u32 picked(u32 a, u32 b, u32 selectors) {
  u64 const bytes = u64(b) << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    u32 const selector = selectors >> (4 * i) & 15;
    u32 byte = u32(bytes >> (8 * (selector & 7))) & 0xff;
    if (selector & 8) byte = byte & 0x80 ? 0xff : 0; // its sign bit, replicated
    result |= byte << (8 * i);
  }
  return result;
}

/// The modes are tables: for each value of the selector's two low bits, four selectors of the general form.
template <u16 For0, u16 For1, u16 For2, u16 For3>
u32 by_mode(u32 a, u32 b, u32 selector) {
  constexpr u16 table[]{For0, For1, For2, For3};
  return picked(a, b, table[selector & 3]);
}

void decode(decoder& d) {
  d.take_type({scalar::b32});
  std::string_view const way = d.take_one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (way == "f4e") emit<by_mode<0x3210, 0x4321, 0x5432, 0x6543>>(d);
  else if (way == "b4e") emit<by_mode<0x5670, 0x6701, 0x7012, 0x0123>>(d);
  else if (way == "rc8") emit<by_mode<0x0000, 0x1111, 0x2222, 0x3333>>(d);
  else if (way == "ecl") emit<by_mode<0x3210, 0x3211, 0x3222, 0x3333>>(d);
  else if (way == "ecr") emit<by_mode<0x0000, 0x1110, 0x2210, 0x3210>>(d);
  else if (way == "rc16") emit<by_mode<0x1010, 0x3232, 0x1010, 0x3232>>(d);
  else emit<picked>(d);
}

definition const prmt("prmt", ".b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", decode);

} // namespace
} // namespace emulator
