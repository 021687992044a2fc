// SPDX-License-Identifier: Apache-2.0
//
// shf: a shift of two registers with one register as the result.  [PTX ISA, "shf"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <bool Left, bool Wraps>
u32 funnel(u32 low, u32 high, u32 amount) {
  u32 const n = Wraps ? amount & 31 : amount < 32 ? amount : 32;
  u64 const both = u64(high) << 32 | low;
  return Left ? u32(both << n >> 32) : u32(both >> n);
}

void decode(decoder& d) {
  std::string_view const side = d.take_one_of({"l", "r"}), excess = d.take_one_of({"clamp", "wrap"});
  d.take_type({scalar::b32});
  if (side.empty() || excess.empty()) d.reject("needs .l or .r, and .clamp or .wrap");
  bool const wraps = excess == "wrap";
  if (side == "l") wraps ? emit<funnel<true, true>>(d) : emit<funnel<true, false>>(d);
  else wraps ? emit<funnel<false, true>>(d) : emit<funnel<false, false>>(d);
}

definition const shf("shf", ".{l,r}.{clamp,wrap}.b32", decode);

} // namespace
} // namespace emulator
