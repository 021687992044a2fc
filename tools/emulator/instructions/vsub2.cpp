// SPDX-License-Identifier: Apache-2.0
//
// vsub2: differences of two halfwords.  [PTX ISA, "vadd2"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 difference(s32 a, s32 b) { return a - b; }

definition const vsub2("vsub2", video_forms, decode_video<2, difference>);

} // namespace
} // namespace emulator
