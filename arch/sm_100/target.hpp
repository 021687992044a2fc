// SPDX-License-Identifier: Apache-2.0
//
// sm_100 (Blackwell): cancels launches; all else as sm_90, but for the query of local memory.
#pragma once

#include "../sm_90/target.hpp"
#include "launch_control.hpp"

namespace cudax::arch::sm_100 {
using namespace sm_90;

/// Not measured on this generation.
constexpr bool strong_access_to_local = false;

} // namespace cudax::arch::sm_100
