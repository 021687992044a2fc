// SPDX-License-Identifier: Apache-2.0
//
// sm_100a (Blackwell of data centers, code for this SM alone): sm_100, what sm_90a adds to sm_90, cancelled launches of
// which all blocks of a cluster learn, arrivals of tensor cores.
#pragma once

#include "../sm_100/target.hpp"
#include "../sm_90a/target.hpp"
#include "launch_control.hpp"
#include "tcgen05.hpp"

namespace cudax::arch::sm_100a {
using namespace sm_100;

// One by one: a declaration here replaces that of sm_70/missing.hpp, which `using namespace` would only join.
using sm_90a::setmaxnreg_dec;
using sm_90a::setmaxnreg_inc;
using sm_90a::tensormap_replace_global_address;
using sm_90a::tensormap_replace_global_dim;
using sm_90a::tensormap_replace_global_stride;

} // namespace cudax::arch::sm_100a
