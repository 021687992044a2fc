// SPDX-License-Identifier: Apache-2.0
//
// async_store: stores to, and reductions in, the shared memory of the cluster, which complete their bytes at an
// mbarrier of the same block.  PTX ISA, "st.async", "red.async"
#pragma once

#include "../ptx.hpp"
#include "cluster_address.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {
// clang-format off

// st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [to], value, [a];     PTX ISA 8.1, sm_90
inline void st_async_b32(void* to, u32 value, void* a) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" : : "l"(cluster_address(to)), "r"(value), "l"(cluster_address(a)) : "memory");
}

// st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [to], value, [a];     PTX ISA 8.1, sm_90
inline void st_async_b64(void* to, u64 value, void* a) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" : : "l"(cluster_address(to)), "l"(value), "l"(cluster_address(a)) : "memory");
}

// st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [to], {low, high}, [a];    PTX ISA 8.1, sm_90
inline void st_async_v2_b64(void* to, u64 low, u64 high, void* a) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" : : "l"(cluster_address(to)), "l"(low), "l"(high), "l"(cluster_address(a)) : "memory");
}

// red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.op.type [to], value, [a];     PTX ISA 8.1, sm_90
template <reduction Op, element Type>
void red_async(void* to, u64 value, void* a) {
  constexpr text instruction("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes", spelling(Op), spelling_of<Op, Type>(), " [%0], %1, [%2];");
  if constexpr (size_of(Type) == 8) {
    asm volatile((instruction) : : "l"(cluster_address(to)), "l"(value), "l"(cluster_address(a)) : "memory");
  } else {
    asm volatile((instruction) : : "l"(cluster_address(to)), "r"(u32(value)), "l"(cluster_address(a)) : "memory");
  }
}

// clang-format on
} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
