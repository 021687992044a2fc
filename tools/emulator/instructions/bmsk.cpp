// SPDX-License-Identifier: Apache-2.0
//
// bmsk: a mask with a given number of ones from a given bit upwards.  [PTX ISA, "bmsk"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <bool Wraps>
u32 mask(u32 start, u32 width) {
  if (Wraps) {
    start &= 31;
    width &= 31;
  }
  if (start > 31) return 0;
  u64 const ones = width > 31 ? 0xffffffff : (u64(1) << width) - 1;
  return u32(ones << start);
}

void decode(decoder& d) {
  std::string_view const excess = d.take_one_of({"clamp", "wrap"});
  if (excess.empty()) d.reject("needs .clamp or .wrap");
  d.take_type({scalar::b32});
  excess == "wrap" ? emit<mask<true>>(d) : emit<mask<false>>(d);
}

definition const bmsk("bmsk", ".{clamp,wrap}.b32", decode);

} // namespace
} // namespace emulator
