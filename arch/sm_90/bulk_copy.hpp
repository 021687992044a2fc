// SPDX-License-Identifier: Apache-2.0
//
// bulk_copy: copies of any number of bytes by the asynchronous proxy.  PTX ISA, "cp.async.bulk",
// "fence.proxy"
#pragma once

#include "../ptx.hpp"
#include "cluster_address.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {
// clang-format off

constexpr bool has_bulk_copy = true;

// cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [to], [from], size, [a];       PTX ISA 8.6, sm_90
inline void cp_async_bulk_shared_global(void* to, void const* from, u32 size, void* a) {
  asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" : : "l"(shared_address(to)), "l"(global_address(from)), "r"(size), "l"(shared_address(a)) : "memory");
}

// cp.async.bulk.global.shared::cta.bulk_group [to], [from], size;      PTX ISA 8.0, sm_90
inline void cp_async_bulk_global_shared(void* to, void const* from, u32 size) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" : : "l"(global_address(to)), "l"(shared_address(from)), "r"(size) : "memory");
}

// cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [from], size, [a];     PTX ISA 8.0, sm_90
inline void cp_async_bulk_cluster_shared(void* to, void const* from, u32 size, void* a) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" : : "l"(cluster_address(to)), "l"(shared_address(from)), "r"(size), "l"(cluster_address(a)) : "memory");
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [to], [from], size, [a], blocks;    PTX ISA 8.0, sm_90
inline void cp_async_bulk_multicast_global(void* to, void const* from, u32 size, void* a, u16 blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" : : "l"(cluster_address(to)), "l"(global_address(from)), "r"(size), "l"(cluster_address(a)), "h"(blocks) : "memory");
}

// cp.async.bulk.prefetch.L2.global [from], size;         PTX ISA 8.0, sm_90
inline void cp_async_bulk_prefetch_L2(void const* from, u32 size) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(global_address(from)), "r"(size) : "memory");
}

// The same with a cache policy, which says how L2 treats what is accessed in global memory.
// cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [to], [from], size, [a], policy;     PTX ISA 8.6, sm_90
inline void cp_async_bulk_shared_global_cache_hint(void* to, void const* from, u32 size, void* a, u64 policy) {
  asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" : : "l"(shared_address(to)), "l"(global_address(from)), "r"(size), "l"(shared_address(a)), "l"(policy) : "memory");
}

// cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [to], [from], size, policy;      PTX ISA 8.0, sm_90
inline void cp_async_bulk_global_shared_cache_hint(void* to, void const* from, u32 size, u64 policy) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" : : "l"(global_address(to)), "l"(shared_address(from)), "r"(size), "l"(policy) : "memory");
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [to], [from], size, [a], blocks, policy;    PTX ISA 8.0, sm_90
inline void cp_async_bulk_multicast_global_cache_hint(void* to, void const* from, u32 size, void* a, u16 blocks, u64 policy) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1], %2, [%3], %4, %5;" : : "l"(cluster_address(to)), "l"(global_address(from)), "r"(size), "l"(cluster_address(a)), "h"(blocks), "l"(policy) : "memory");
}

// cp.async.bulk.prefetch.L2.global.L2::cache_hint [from], size, policy;         PTX ISA 8.0, sm_90
inline void cp_async_bulk_prefetch_L2_cache_hint(void const* from, u32 size, u64 policy) {
  asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" : : "l"(global_address(from)), "r"(size), "l"(policy) : "memory");
}

// cp.async.bulk.commit_group;                            PTX ISA 8.0, sm_90
inline void cp_async_bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" : : : "memory"); }

// cp.async.bulk.wait_group n;                            PTX ISA 8.0, sm_90
template <u32 Pending>
void cp_async_bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" : : "n"(Pending) : "memory");
}

// cp.async.bulk.wait_group.read n;                       PTX ISA 8.0, sm_90
template <u32 Pending>
void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(Pending) : "memory");
}

// A fence for each of the two spaces that the copies access. The fence without a state space would also become a fence of
// device scope, which waits for every access under way.
// fence.proxy.async.global;                              PTX ISA 8.0, sm_90
inline void fence_proxy_async_global() { asm volatile("fence.proxy.async.global;" : : : "memory"); }

// fence.proxy.async.shared::cta;                         PTX ISA 8.0, sm_90
inline void fence_proxy_async_shared() { asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); }

// The same for the shared memory of every block of the cluster, the own block's included.
// fence.proxy.async.shared::cluster;                     PTX ISA 8.0, sm_90
inline void fence_proxy_async_cluster() { asm volatile("fence.proxy.async.shared::cluster;" : : : "memory"); }

// clang-format on
} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
