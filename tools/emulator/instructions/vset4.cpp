// SPDX-License-Identifier: Apache-2.0
//
// vset4: comparisons of four bytes, with 1 or 0 as the result in each.  [PTX ISA, "vset4"]
#include "support/numbers/video_compare.hpp"

namespace emulator {
namespace {

definition const vset4("vset4", video_comparison_forms, decode_video_comparison<4>);

} // namespace
} // namespace emulator
