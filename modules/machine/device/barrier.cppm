// SPDX-License-Identifier: Apache-2.0
//
// barrier: the barrier object that sm_80 and later have in shared memory, and the state space of an address.
// PTX ISA, "mbarrier". The host has no such object: has_shared_barrier() and is_shared() are false there, so nothing
// else here is called.
module;
#include "../../../arch/abi.hpp"
#include "../../base/macros.hpp"
export module cudax.sync:device_barrier;
import :bits;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine::gpu {

/// Return whether the object lies in the calling block's shared memory (not in another block's), or in global memory.
/// They fold where the compiler knows the state space. False on the host.
inline bool is_shared(void const* object) noexcept { return CUDAX_HERE(cudax_is_shared(object), false); }
inline bool is_global(void const* object) noexcept { return CUDAX_HERE(cudax_is_global(object), false); }

/// Returns whether barrier objects exist: from sm_80. A constant after device LTO.
inline bool has_shared_barrier() noexcept { return CUDAX_HERE(cudax_has_shared_barrier(), false); }

} // namespace cudax::machine::gpu

/// Operations on a barrier object of 8 bytes in the block's shared memory, for threads of the block. Arrivals release
/// and successful waits acquire, both at block scope. A phase ends when no arrival and no byte is pending. A token
/// names a phase, and so does its parity, 0 for the first.
/// Requires: has_shared_barrier(); else a call stops the kernel. Counts are 1 to 2^20 - 1, at most what is pending
namespace cudax::machine::gpu::shared_barrier {

/// Begins the object's life. The program makes it visible to the block, by sync_block() for example.
inline void init(void* object, u32 count) noexcept { CUDAX_HERE(cudax_shared_barrier_init(object, count), void()); }

/// Ends it. Until then the bytes must not be used for anything else.
inline void invalidate(void* object) noexcept { CUDAX_HERE(cudax_shared_barrier_invalidate(object), void()); }

/// Arrive `count` times and return a token of the phase; arrive_drop also takes the arrivals from all later phases.
inline u64 arrive(void* object, u32 count) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_arrive(object, count), 0);
}
inline u64 arrive_drop(void* object, u32 count) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_arrive_drop(object, count), 0);
}

/// Returns the arrivals that were pending before the one that returned `token`.
inline u32 pending(u64 token) noexcept { return CUDAX_HERE(cudax_shared_barrier_pending(token), 0); }

/// Add `bytes` to what the phase awaits: relaxed, and together with `count` arrivals.
/// Requires: has_bulk_copy()
inline void expect_bytes(void* object, u32 bytes) noexcept {
  CUDAX_HERE(cudax_shared_barrier_expect_bytes(object, bytes), void());
}
inline u64 arrive_expect_bytes(void* object, u32 count, u32 bytes) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_arrive_expect_bytes(object, count, bytes), 0);
}

/// Arrives at the barrier of any block of the cluster. Releases at cluster scope; pairs with the waits of cluster
/// scope.
/// Requires: has_bulk_copy()
inline void arrive_remote(void* object, u32 count) noexcept {
  CUDAX_HERE(cudax_shared_barrier_arrive_remote(object, count), void());
}

/// Return whether the phase is complete. test_wait polls once. try_wait may suspend the thread for as long as the
/// machine sees fit, and fail; on sm_80 it polls once.
inline bool test_wait(void const* object, u64 token) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_test_wait(const_cast<void*>(object), token), true);
}
inline bool test_wait_parity(void const* object, u32 parity) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_test_wait_parity(const_cast<void*>(object), parity), true);
}
inline bool try_wait(void const* object, u64 token) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_try_wait(const_cast<void*>(object), token), true);
}
inline bool try_wait_parity(void const* object, u32 parity) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_try_wait_parity(const_cast<void*>(object), parity), true);
}

/// As try_wait, acquire at cluster scope, for barriers at which other blocks arrive: an arrival of cluster scope and
/// a wait of block scope in another block do not synchronize.
/// Requires: has_bulk_copy()
inline bool try_wait_cluster(void const* object, u64 token) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_try_wait_cluster(const_cast<void*>(object), token), true);
}
inline bool try_wait_parity_cluster(void const* object, u32 parity) noexcept {
  return CUDAX_HERE(cudax_shared_barrier_try_wait_parity_cluster(const_cast<void*>(object), parity), true);
}

} // namespace cudax::machine::gpu::shared_barrier

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
