// SPDX-License-Identifier: Apache-2.0
//
// bulk_copy: copies of any number of bytes by the asynchronous proxy.  PTX ISA, "cp.async.bulk",
// "fence.proxy"
#pragma once

#include "../ptx.hpp"
#include "cluster_address.hpp"
#include "copy_form.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {
// clang-format off

constexpr bool has_bulk_copy = true;

// cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.L2::cache_hint} [to], [from], size, [a]{, policy};       PTX ISA 8.6, sm_90
template <u32 Options>
void cp_async_bulk_shared_global(void* to, void const* from, u32 size, void* a, copy_operands const& o) {
  using form = copy_form<Options>;
  asm volatile((text("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", form::qualifiers, " [%[to]], [%[from]], %[size], [%[a]]", form::operands, ";")) : : [to] "l"(shared_address(to)), [from] "l"(global_address(from)), [size] "r"(size), [a] "l"(shared_address(a)), CUDAX_OPTION_OPERANDS(form, o) : "memory");
}

// cp.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint} [to], [from], size{, policy};      PTX ISA 8.0, sm_90
template <u32 Options>
void cp_async_bulk_global_shared(void* to, void const* from, u32 size, copy_operands const& o) {
  using form = copy_form<Options>;
  asm volatile((text("cp.async.bulk.global.shared::cta.bulk_group", form::qualifiers, " [%[to]], [%[from]], %[size]", form::operands, ";")) : : [to] "l"(global_address(to)), [from] "l"(shared_address(from)), [size] "r"(size), CUDAX_OPTION_OPERANDS(form, o) : "memory");
}

// cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [from], size, [a];     PTX ISA 8.0, sm_90
inline void cp_async_bulk_cluster_shared(void* to, void const* from, u32 size, void* a) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" : : "l"(cluster_address(to)), "l"(shared_address(from)), "r"(size), "l"(cluster_address(a)) : "memory");
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster{.L2::cache_hint} [to], [from], size, [a], blocks{, policy};    PTX ISA 8.0, sm_90
template <u32 Options>
void cp_async_bulk_multicast_global(void* to, void const* from, u32 size, void* a, u16 blocks, copy_operands const& o) {
  using form = copy_form<Options>;
  asm volatile((text("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", form::qualifiers, " [%[to]], [%[from]], %[size], [%[a]], %[blocks]", form::operands, ";")) : : [to] "l"(cluster_address(to)), [from] "l"(global_address(from)), [size] "r"(size), [a] "l"(cluster_address(a)), [blocks] "h"(blocks), CUDAX_OPTION_OPERANDS(form, o) : "memory");
}

// cp.async.bulk.prefetch.L2.global{.L2::cache_hint} [from], size{, policy};         PTX ISA 8.0, sm_90
template <u32 Options>
void cp_async_bulk_prefetch_L2(void const* from, u32 size, copy_operands const& o) {
  using form = copy_form<Options>;
  asm volatile((text("cp.async.bulk.prefetch.L2.global", form::qualifiers, " [%[from]], %[size]", form::operands, ";")) : : [from] "l"(global_address(from)), [size] "r"(size), CUDAX_OPTION_OPERANDS(form, o) : "memory");
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
