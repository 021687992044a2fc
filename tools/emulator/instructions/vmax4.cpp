// SPDX-License-Identifier: Apache-2.0
//
// vmax4: maxima of four bytes.  [PTX ISA, "vadd4"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 greater(s32 a, s32 b) { return a < b ? b : a; }

definition const vmax4("vmax4", video_forms, decode_video<4, greater>);

} // namespace
} // namespace emulator
