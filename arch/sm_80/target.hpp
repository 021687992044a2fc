// SPDX-License-Identifier: Apache-2.0
//
// sm_80 (Ampere, Ada): barrier objects in shared memory, asynchronous copies, cache policies, reductions over lanes;
// atomics, fences and clocks as sm_70.
#pragma once

#include "../sm_70/target.hpp"
#include "cp_async.hpp"
#include "createpolicy.hpp"
#include "mbarrier.hpp"
#include "redux.hpp"

namespace cudax::arch::sm_80 {
using namespace sm_70;
} // namespace cudax::arch::sm_80
