// SPDX-License-Identifier: Apache-2.0
//
// tcgen05: how operations of tensor cores and other threads wait for each other.  PTX ISA, "tcgen05.commit",
// "tcgen05.fence"
#pragma once

#include "../ptx.hpp"
#include "../sm_90/cluster_address.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_100a {
// clang-format off

// tcgen05.commit.cta_group.mbarrier::arrive::one.shared::cluster.b64 [a];      PTX ISA 8.6, sm_100a
template <u32 Blocks>
void tcgen05_commit(void* a) {
  asm volatile((text("tcgen05.commit.cta_group::", Blocks == 2 ? "2" : "1", ".mbarrier::arrive::one.shared::cluster.b64 [%0];")) : : "l"(cluster_address(a)) : "memory");
}

// tcgen05.commit.cta_group.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [a], blocks;   PTX ISA 8.6, sm_100a
template <u32 Blocks>
void tcgen05_commit_multicast(void* a, u16 blocks) {
  asm volatile((text("tcgen05.commit.cta_group::", Blocks == 2 ? "2" : "1", ".mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;")) : : "l"(cluster_address(a)), "h"(blocks) : "memory");
}

// tcgen05.fence::before_thread_sync;                     PTX ISA 8.6, sm_100a
inline void tcgen05_fence_before_thread_sync() { asm volatile("tcgen05.fence::before_thread_sync;" : : : "memory"); }

// tcgen05.fence::after_thread_sync;                      PTX ISA 8.6, sm_100a
inline void tcgen05_fence_after_thread_sync() { asm volatile("tcgen05.fence::after_thread_sync;" : : : "memory"); }

// clang-format on
} // namespace cudax::arch::sm_100a

#pragma clang force_cuda_host_device end
