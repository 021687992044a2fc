// SPDX-License-Identifier: Apache-2.0
//
// vset2: comparisons of two halfwords, with 1 or 0 as the result in each.  [PTX ISA, "vset2"]
#include "support/numbers/video_compare.hpp"

namespace emulator {
namespace {

definition const vset2("vset2", video_comparison_forms, decode_video_comparison<2>);

} // namespace
} // namespace emulator
