// SPDX-License-Identifier: Apache-2.0
//
// sync: barriers of all threads of a block or of a warp, and shuffles.  PTX ISA, "barrier", "bar.warp.sync",
// "shfl.sync" Not the .aligned forms: the threads of a warp may arrive from different places in the code.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

// barrier.sync a;                                        PTX ISA 6.0, sm_30
inline void barrier_sync() { asm volatile("barrier.sync 0;" : : : "memory"); }

// bar.warp.sync membermask;                              PTX ISA 6.0, sm_30
inline void bar_warp_sync(u32 mask) { asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory"); }

// shfl.sync.down.b32 d, a, b, c, membermask;             PTX ISA 6.0, sm_30
// c = 0x1f: no lane beyond 31, and one segment.
inline void shfl_sync_down(u32& a, u32 b, u32 mask) {
  asm volatile("shfl.sync.down.b32 %0, %0, %1, 0x1f, %2;" : "+r"(a) : "r"(b), "r"(mask) : "memory");
}

/// A cluster is one block before sm_90.
inline void barrier_cluster() { barrier_sync(); }

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
