// SPDX-License-Identifier: Apache-2.0
//
// vabsdiff4: distances of four bytes.  [PTX ISA, "vadd4"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 distance(s32 a, s32 b) { return a < b ? b - a : a - b; }

definition const vabsdiff4("vabsdiff4", video_forms, decode_video<4, distance>);

} // namespace
} // namespace emulator
