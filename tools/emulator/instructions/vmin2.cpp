// SPDX-License-Identifier: Apache-2.0
//
// vmin2: minima of two halfwords.  [PTX ISA, "vadd2"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 lesser(s32 a, s32 b) { return b < a ? b : a; }

definition const vmin2("vmin2", video_forms, decode_video<2, lesser>);

} // namespace
} // namespace emulator
