// SPDX-License-Identifier: Apache-2.0
//
// vsub4: differences of four bytes.  [PTX ISA, "vadd4"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 difference(s32 a, s32 b) { return a - b; }

definition const vsub4("vsub4", video_forms, decode_video<4, difference>);

} // namespace
} // namespace emulator
