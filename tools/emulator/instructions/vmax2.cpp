// SPDX-License-Identifier: Apache-2.0
//
// vmax2: maxima of two halfwords.  [PTX ISA, "vadd2"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 greater(s32 a, s32 b) { return a < b ? b : a; }

definition const vmax2("vmax2", video_forms, decode_video<2, greater>);

} // namespace
} // namespace emulator
