// SPDX-License-Identifier: Apache-2.0
//
// vabsdiff2: distances of two halfwords.  [PTX ISA, "vadd2"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 distance(s32 a, s32 b) { return a < b ? b - a : a - b; }

definition const vabsdiff2("vabsdiff2", video_forms, decode_video<2, distance>);

} // namespace
} // namespace emulator
