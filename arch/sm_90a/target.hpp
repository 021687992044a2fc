// SPDX-License-Identifier: Apache-2.0
//
// sm_90a (Hopper, code for this SM alone): sm_90, the number of registers of a warp, changes of tensor maps.
#pragma once

#include "../sm_90/target.hpp"
#include "setmaxnreg.hpp"
#include "tensormap.hpp"

namespace cudax::arch::sm_90a {
using namespace sm_90;
} // namespace cudax::arch::sm_90a
