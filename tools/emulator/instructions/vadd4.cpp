// SPDX-License-Identifier: Apache-2.0
//
// vadd4: sums of four bytes.  [PTX ISA, "vadd4"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 sum(s32 a, s32 b) { return a + b; }

definition const vadd4("vadd4", video_forms, decode_video<4, sum>);

} // namespace
} // namespace emulator
