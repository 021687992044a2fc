// SPDX-License-Identifier: Apache-2.0
//
// cluster: the barrier of a cluster's threads, and the rank of a block in the cluster.  PTX ISA, "barrier.cluster"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

// barrier.cluster.arrive.release;                        PTX ISA 8.0, sm_90
inline void barrier_cluster_arrive() { asm volatile("barrier.cluster.arrive.release;" : : : "memory"); }

// barrier.cluster.arrive.relaxed;                        PTX ISA 8.0, sm_90
inline void barrier_cluster_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed;" : : : "memory"); }

// barrier.cluster.wait.acquire;                          PTX ISA 8.0, sm_90
inline void barrier_cluster_wait() { asm volatile("barrier.cluster.wait.acquire;" : : : "memory"); }

inline void barrier_cluster() {
  barrier_cluster_arrive();
  barrier_cluster_wait();
}

// mov.u32 d, %cluster_ctarank;                           PTX ISA 7.8, sm_90
inline u32 cluster_ctarank() { return u32(__nvvm_read_ptx_sreg_cluster_ctarank()); }

// mov.u32 d, %cluster_nctarank;                          PTX ISA 7.8, sm_90
inline u32 cluster_nctarank() { return u32(__nvvm_read_ptx_sreg_cluster_nctarank()); }

// mov.u32 d, %cluster_nctaid.x;                          PTX ISA 7.8, sm_90
inline u32 cluster_nctaid_x() { return u32(__nvvm_read_ptx_sreg_cluster_nctaid_x()); }
inline u32 cluster_nctaid_y() { return u32(__nvvm_read_ptx_sreg_cluster_nctaid_y()); }
inline u32 cluster_nctaid_z() { return u32(__nvvm_read_ptx_sreg_cluster_nctaid_z()); }

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
