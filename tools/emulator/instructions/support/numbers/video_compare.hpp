// SPDX-License-Identifier: Apache-2.0
//
// video_compare: vset2 and vset4.  [PTX ISA, "vset2", "vset4"]
// Numbers are compared by value, even if one is signed and the other unsigned.
#pragma once

#include "video.hpp"

namespace emulator {

/// The supported forms, for README.md.
inline constexpr std::string_view video_comparison_forms =
    ".{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}{.add}; masks of the destination, selectors of the sources";

inline s32 equal_lane(s32 a, s32 b) { return a == b; }
inline s32 unequal_lane(s32 a, s32 b) { return a != b; }
inline s32 less_lane(s32 a, s32 b) { return a < b; }
inline s32 at_most_lane(s32 a, s32 b) { return a <= b; }
inline s32 greater_lane(s32 a, s32 b) { return a > b; }
inline s32 at_least_lane(s32 a, s32 b) { return a >= b; }

template <int Lanes>
void decode_video_comparison(decoder& d) {
  std::string_view const name = d.take_one_of({"eq", "ne", "lt", "le", "gt", "ge"});
  auto const is_signed = [&] { return d.take_type({scalar::u32, scalar::s32}) == scalar::s32; };
  bool const a = is_signed(), b = is_signed();
  video_form const form{.least = 0, .greatest = 1};
  if (name == "eq") emit_video<Lanes, equal_lane>(d, form, a, b);
  else if (name == "ne") emit_video<Lanes, unequal_lane>(d, form, a, b);
  else if (name == "lt") emit_video<Lanes, less_lane>(d, form, a, b);
  else if (name == "le") emit_video<Lanes, at_most_lane>(d, form, a, b);
  else if (name == "gt") emit_video<Lanes, greater_lane>(d, form, a, b);
  else if (name == "ge") emit_video<Lanes, at_least_lane>(d, form, a, b);
  else d.refuse("needs a comparison");
}

} // namespace emulator
