// SPDX-License-Identifier: Apache-2.0
//
// launch_control: a request to cancel a launch whose answer all blocks of the cluster get.  PTX ISA,
// "clusterlaunchcontrol.try_cancel"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_100a {
// clang-format off

constexpr bool has_cluster_launch_control_multicast = true;

// clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [to], [a];  PTX ISA 8.6, sm_100a
inline void clusterlaunchcontrol_try_cancel_multicast(void* to, void* a) {
  asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%0], [%1];" : : "l"(shared_address(to)), "l"(shared_address(a)) : "memory");
}

// clang-format on
} // namespace cudax::arch::sm_100a

#pragma clang force_cuda_host_device end
