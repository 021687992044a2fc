// SPDX-License-Identifier: Apache-2.0
//
// sm_120a (Blackwell of workstations, code for this SM alone): sm_100, what sm_90a adds to sm_90, and the part of
// sm_100a that it has, too.
#pragma once

#include "../sm_100/target.hpp"
#include "../sm_100a/launch_control.hpp"
#include "../sm_90a/target.hpp"

namespace cudax::arch::sm_120a {
using namespace sm_100;

// One by one: see sm_100a/target.hpp.
using sm_100a::clusterlaunchcontrol_try_cancel_multicast;
using sm_100a::has_cluster_launch_control_multicast;
using sm_90a::setmaxnreg_dec;
using sm_90a::setmaxnreg_inc;
using sm_90a::tensormap_replace_global_address;
using sm_90a::tensormap_replace_global_dim;
using sm_90a::tensormap_replace_global_stride;

} // namespace cudax::arch::sm_120a
