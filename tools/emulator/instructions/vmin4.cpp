// SPDX-License-Identifier: Apache-2.0
//
// vmin4: minima of four bytes.  [PTX ISA, "vadd4"]
#include "support/numbers/video.hpp"

namespace emulator {
namespace {

s32 lesser(s32 a, s32 b) { return b < a ? b : a; }

definition const vmin4("vmin4", video_forms, decode_video<4, lesser>);

} // namespace
} // namespace emulator
