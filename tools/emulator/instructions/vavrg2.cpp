// SPDX-License-Identifier: Apache-2.0
//
// vavrg2: averages of two halfwords, rounded away from zero.  [PTX ISA, "vadd2"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 average(s32 a, s32 b) { return (a + b + (a + b >= 0)) >> 1; }

definition const vavrg2("vavrg2", video_forms, decode_video<2, average>);

} // namespace
} // namespace emulator
