// SPDX-License-Identifier: Apache-2.0
//
// vadd2: sums of two halfwords.  [PTX ISA, "vadd2"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 sum(s32 a, s32 b) { return a + b; }

definition const vadd2("vadd2", video_forms, decode_video<2, sum>);

} // namespace
} // namespace emulator
