// SPDX-License-Identifier: Apache-2.0
//
// vavrg4: averages of four bytes, rounded away from zero.  [PTX ISA, "vadd4"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 average(s32 a, s32 b) { return (a + b + (a + b >= 0)) >> 1; }

definition const vavrg4("vavrg4", video_forms, decode_video<4, average>);

} // namespace
} // namespace emulator
