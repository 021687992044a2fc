// SPDX-License-Identifier: Apache-2.0
//
// sync: barriers of all threads of a block or of a warp, and what the lanes of a warp tell each other.  PTX ISA,
// "barrier", "bar.warp.sync", "shfl.sync", "match.sync", "vote.sync"
// The threads of a warp may arrive from different places in the code, so the forms are not .aligned, except where the
// caller knows that they do not.
#pragma once

#include "../ptx.hpp"
#include "sreg.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

// barrier.sync a;                                        PTX ISA 6.0, sm_30
inline void barrier_sync() { asm volatile("barrier.sync 0;" : : : "memory"); }

// barrier.sync.aligned a;                                PTX ISA 6.0, sm_30
inline void barrier_sync_aligned() { asm volatile("barrier.sync.aligned 0;" : : : "memory"); }

// barrier.sync a, b;                                     PTX ISA 6.0, sm_30
inline void barrier_sync_named(u32 a, u32 b) { asm volatile("barrier.sync %0, %1;" : : "r"(a), "r"(b) : "memory"); }

// barrier.arrive a, b;                                   PTX ISA 6.0, sm_30
inline void barrier_arrive_named(u32 a, u32 b) { asm volatile("barrier.arrive %0, %1;" : : "r"(a), "r"(b) : "memory"); }

// barrier.sync.aligned a, b;                             PTX ISA 6.0, sm_30
inline void barrier_sync_named_aligned(u32 a, u32 b) {
  asm volatile("barrier.sync.aligned %0, %1;" : : "r"(a), "r"(b) : "memory");
}

// barrier.arrive.aligned a, b;                           PTX ISA 6.0, sm_30
inline void barrier_arrive_named_aligned(u32 a, u32 b) {
  asm volatile("barrier.arrive.aligned %0, %1;" : : "r"(a), "r"(b) : "memory");
}

// clang-format off

// barrier.red.popc.u32 d, a, b, c;                       PTX ISA 6.0, sm_30
inline u32 barrier_red_popc(u32 a, u32 b, bool c) {
  u32 d;
  asm volatile("{ .reg .pred c; setp.ne.u32 c, %3, 0; barrier.red.popc.u32 %0, %1, %2, c; }" : "=r"(d) : "r"(a), "r"(b), "r"(u32(c)) : "memory");
  return d;
}

// barrier.red.and.pred p, a, b, c;                       PTX ISA 6.0, sm_30
inline u32 barrier_red_and(u32 a, u32 b, bool c) {
  u32 d;
  asm volatile("{ .reg .pred p, c; setp.ne.u32 c, %3, 0; barrier.red.and.pred p, %1, %2, c; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "r"(a), "r"(b), "r"(u32(c)) : "memory");
  return d;
}

// barrier.red.or.pred p, a, b, c;                        PTX ISA 6.0, sm_30
inline u32 barrier_red_or(u32 a, u32 b, bool c) {
  u32 d;
  asm volatile("{ .reg .pred p, c; setp.ne.u32 c, %3, 0; barrier.red.or.pred p, %1, %2, c; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "r"(a), "r"(b), "r"(u32(c)) : "memory");
  return d;
}

// clang-format on

/// Before sm_90 no instruction elects a lane. The lowest lane of the mask is the same for every call, too.
inline bool elect_sync(u32 mask) { return laneid() == u32(__builtin_ctz(mask)); }

// bar.warp.sync membermask;                              PTX ISA 6.0, sm_30
inline void bar_warp_sync(u32 mask) { asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory"); }

// shfl.sync.down.b32 d, a, b, c, membermask;             PTX ISA 6.0, sm_30
// c = 0x1f: no lane beyond 31, and one segment.
inline void shfl_sync_down(u32& a, u32 b, u32 mask) {
  asm volatile("shfl.sync.down.b32 %0, %0, %1, 0x1f, %2;" : "+r"(a) : "r"(b), "r"(mask) : "memory");
}

// shfl.sync.idx.b32 d, a, b, c, membermask;              PTX ISA 6.0, sm_30
// c = 0x1f: b is a lane of the warp, and all lanes are one segment.
inline void shfl_sync_idx(u32& a, u32 b, u32 mask) {
  asm volatile("shfl.sync.idx.b32 %0, %0, %1, 0x1f, %2;" : "+r"(a) : "r"(b), "r"(mask) : "memory");
}

// match.any.sync.b64 d, a, membermask;                   PTX ISA 6.0, sm_70
inline u32 match_any_sync_b64(u64 a, u32 mask) {
  u32 d;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(d) : "l"(a), "r"(mask) : "memory");
  return d;
}

// vote.sync.ballot.b32 d, a, membermask;                 PTX ISA 6.0, sm_30
// The builtin, because the operand a is a predicate, which asm cannot name.
inline u32 vote_sync_ballot(bool a, u32 mask) { return __nvvm_vote_ballot_sync(mask, a); }

/// A cluster is one block before sm_90. No barrier of a block can be awaited without arriving at it, so the arrival
/// waits for all threads, and nothing is left for the wait.
inline void barrier_cluster() { barrier_sync(); }
inline void barrier_cluster_arrive() { barrier_sync(); }
inline void barrier_cluster_arrive_relaxed() { barrier_sync(); }
inline void barrier_cluster_wait() {}

/// Before sm_90 a grid starts after the grids before it in the stream have completed: there is nothing to wait for, and
/// no grid to permit to start.
inline void griddepcontrol_wait() {}
inline void griddepcontrol_launch_dependents() {}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
