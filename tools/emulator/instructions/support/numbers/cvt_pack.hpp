// SPDX-License-Identifier: Apache-2.0
//
// cvt_pack: cvt.pack, which clamps two integers and packs them; small ones above bits of a third operand. [PTX ISA,
// "cvt.pack"]
#pragma once

#include "function.hpp"

namespace emulator {

/// operation::extra: the width, and 0x100 for signed numbers.
inline void pack_integers(u64* registers, operation const& o) {
  u32 const width = o.extra & 0xff;
  s64 const span = s64(1) << width;
  s64 const least = o.extra & 0x100 ? -span / 2 : 0, greatest = o.extra & 0x100 ? span / 2 - 1 : span - 1;
  auto const part = [&](slot s) {
    s64 const x = get<s32>(registers, s);
    return u64(x < least ? least : x > greatest ? greatest : x) & u64(span - 1);
  };
  u64 const above = u64(get<u32>(registers, o.c)) << (2 * width);
  put<u32>(registers, o.d, u32(above | part(o.a) << width | part(o.b)));
}

inline void decode_cvt_pack(decoder& d) {
  if (!d.take("sat")) d.reject(".pack needs .sat");
  std::string_view const to = d.take_one_of({"u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16"});
  if (to.empty()) d.reject(".pack needs a type of 2 to 16 bits");
  d.take_type({scalar::s32});
  u32 const width = to.substr(1) == "16" ? 16 : u32(to[1] - '0');
  if (width < 16) d.take_type({scalar::b32});
  slot const a = d.source(1, scalar::s32), b = d.source(2, scalar::s32);
  slot const c = width < 16 ? d.source(3, scalar::b32) : d.slot_of(0);
  d.emit(computes<pack_integers>, d.destination(0), a, b, c).extra = width | (to[0] == 's' ? 0x100 : 0);
}

} // namespace emulator
