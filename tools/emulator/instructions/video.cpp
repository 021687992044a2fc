// SPDX-License-Identifier: Apache-2.0
//
// video: the instructions on two halfwords (2) or four bytes (4) of a register, as a table of what each lane computes.
// numbers/video.hpp decodes and runs them.  [PTX ISA, "SIMD Video Instructions"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

constexpr std::string_view forms =
    ".{u32,s32}.{u32,s32}.{u32,s32}{.sat,.add}; masks of the destination, selectors of the sources";
constexpr std::string_view comparison_forms =
    ".{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}{.add}; masks of the destination, selectors of the sources";

s32 sum(s32 a, s32 b) { return a + b; }
s32 difference(s32 a, s32 b) { return a - b; }
s32 distance(s32 a, s32 b) { return a < b ? b - a : a - b; }
/// Rounded away from zero.
s32 average(s32 a, s32 b) { return (a + b + (a + b >= 0)) >> 1; }
s32 lesser(s32 a, s32 b) { return b < a ? b : a; }
s32 greater(s32 a, s32 b) { return a < b ? b : a; }

// Numbers are compared by value, even if one is signed and the other unsigned. The result of a lane is 1 or 0.
s32 is_equal(s32 a, s32 b) { return a == b; }
s32 is_unequal(s32 a, s32 b) { return a != b; }
s32 is_less(s32 a, s32 b) { return a < b; }
s32 is_at_most(s32 a, s32 b) { return a <= b; }
s32 is_greater(s32 a, s32 b) { return a > b; }
s32 is_at_least(s32 a, s32 b) { return a >= b; }

template <int Lanes>
void decode_comparison(decoder& d) {
  std::string_view const name = d.take_one_of({"eq", "ne", "lt", "le", "gt", "ge"});
  bool const a = take_is_signed(d), b = take_is_signed(d);
  video_form const form{.least = 0, .greatest = 1};
  if (name == "eq") emit_video<Lanes, is_equal>(d, form, a, b);
  else if (name == "ne") emit_video<Lanes, is_unequal>(d, form, a, b);
  else if (name == "lt") emit_video<Lanes, is_less>(d, form, a, b);
  else if (name == "le") emit_video<Lanes, is_at_most>(d, form, a, b);
  else if (name == "gt") emit_video<Lanes, is_greater>(d, form, a, b);
  else if (name == "ge") emit_video<Lanes, is_at_least>(d, form, a, b);
  else d.reject("needs a comparison: .eq, .ne, .lt, .le, .gt or .ge");
}

definition const table[] = {
    {"vabsdiff2", forms, decode_video<2, distance>},
    {"vabsdiff4", forms, decode_video<4, distance>},
    {"vadd2", forms, decode_video<2, sum>},
    {"vadd4", forms, decode_video<4, sum>},
    {"vavrg2", forms, decode_video<2, average>},
    {"vavrg4", forms, decode_video<4, average>},
    {"vmax2", forms, decode_video<2, greater>},
    {"vmax4", forms, decode_video<4, greater>},
    {"vmin2", forms, decode_video<2, lesser>},
    {"vmin4", forms, decode_video<4, lesser>},
    {"vset2", comparison_forms, decode_comparison<2>},
    {"vset4", comparison_forms, decode_comparison<4>},
    {"vsub2", forms, decode_video<2, difference>},
    {"vsub4", forms, decode_video<4, difference>},
};

} // namespace
} // namespace emulator
