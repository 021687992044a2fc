// SPDX-License-Identifier: Apache-2.0
//
// barrier: the barrier object in shared memory, which requires sm_80, and the state space of an address.
// PTX ISA, "mbarrier". The host has no such object: has_shared_barrier() and is_shared() return false there, so no
// other function of this unit is called.
module;
#include "../../base/macros.hpp"
export module cudax.sync:device_barrier;
import :bits;
import :device_abi;
import :order;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine::gpu {

/// is_shared returns whether the object is in the calling block's shared memory; it returns false for another block's.
/// is_global returns whether the object is in global memory, is_local whether it is in the calling thread's own memory
/// (automatic storage), where the objects of several threads have the same address. The calls fold if the compiler
/// knows the state space. On the host all return false.
inline bool is_shared(void const* object) noexcept { return CUDAX_HERE(entry::cudax_is_shared(object), false); }
inline bool is_global(void const* object) noexcept { return CUDAX_HERE(entry::cudax_is_global(object), false); }
inline bool is_local(void const* object) noexcept { return CUDAX_HERE(entry::cudax_is_local(object), false); }

/// Whether an atomic operation must expect that `object` is automatic. CUDAX_NO_AUTOMATIC_ATOMICS promises that none
/// is.
inline bool may_be_automatic([[maybe_unused]] void const* object) noexcept {
#if defined(CUDAX_NO_AUTOMATIC_ATOMICS)
  return false;
#else
  return is_local(object);
#endif
}

/// Returns whether the device has barrier objects: true from sm_80. The result is a constant after device LTO.
inline bool has_shared_barrier() noexcept { return CUDAX_HERE(entry::cudax_has_shared_barrier(), false); }

} // namespace cudax::machine::gpu

/// Operations on a barrier object of 8 bytes in the block's shared memory, for threads of the block. Arrivals release
/// and successful waits acquire, both at block scope. A phase ends when no arrival and no byte is pending. A token
/// identifies a phase; so does the parity of the phase, which is 0 for the first phase.
/// Requires: has_shared_barrier(); otherwise a call stops the kernel. A count is 1 to 2^20 - 1; an arrival's count is
///           at most the number of pending arrivals
namespace cudax::machine::gpu::shared_barrier {

/// Begins the object's lifetime. The caller must make the object visible to the block, for example by sync_block().
inline void init(void* object, u32 count) noexcept {
  CUDAX_HERE(entry::cudax_shared_barrier_init(object, count), void());
}

/// Ends the object's lifetime. Before this call its bytes must not be used for anything else.
inline void invalidate(void* object) noexcept { CUDAX_HERE(entry::cudax_shared_barrier_invalidate(object), void()); }

/// Arrive `count` times and return a token of the phase. arrive_drop also lowers the expected count of all later phases
/// by `count`.
inline u64 arrive(void* object, u32 count) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_arrive(object, count), 0);
}
inline u64 arrive_drop(void* object, u32 count) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_arrive_drop(object, count), 0);
}

/// Returns how many arrivals were pending before the arrival that returned `token`.
inline u32 pending(u64 token) noexcept { return CUDAX_HERE(entry::cudax_shared_barrier_pending(token), 0); }

/// Make the phase await `bytes` more bytes. expect_bytes is relaxed. arrive_expect_bytes then arrives `count` times,
/// which releases, and returns a token of the phase.
/// Requires: has_bulk_copy()
inline void expect_bytes(void* object, u32 bytes) noexcept {
  CUDAX_HERE(entry::cudax_shared_barrier_expect_bytes(object, bytes), void());
}
inline u64 arrive_expect_bytes(void* object, u32 count, u32 bytes) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_arrive_expect_bytes(object, count, bytes), 0);
}

/// Makes the phase await `bytes` fewer bytes, as a copy does at its end. Relaxed.
/// Requires: has_bulk_copy()
inline void complete_bytes(void* object, u32 bytes) noexcept {
  CUDAX_HERE(entry::cudax_shared_barrier_complete_bytes(object, bytes), void());
}

/// As expect_bytes, complete_bytes and arrive_expect_bytes, at the barrier of any block of the cluster. The arrival
/// returns no token. `order`, here and below: of cluster scope. An arrival releases or is relaxed, a wait acquires or
/// is relaxed.
/// Requires: has_bulk_copy()
inline void expect_bytes_remote(void* object, u32 bytes) noexcept {
  CUDAX_HERE(entry::cudax_shared_barrier_expect_bytes_remote(object, bytes), void());
}
inline void complete_bytes_remote(void* object, u32 bytes) noexcept {
  CUDAX_HERE(entry::cudax_shared_barrier_complete_bytes_remote(object, bytes), void());
}
inline void arrive_expect_bytes_remote(void* object, u32 count, u32 bytes,
                                       memory_order order = memory_order::release) noexcept {
  CUDAX_HERE(entry::cudax_shared_barrier_arrive_expect_bytes_remote(object, count, bytes, int(order)), void());
}

/// Releases, at cluster scope, the caller's earlier calls of init and nothing else.
/// Requires: has_bulk_copy()
inline void fence_init() noexcept { CUDAX_HERE(entry::cudax_shared_barrier_fence_init(), void()); }

/// Arrives `count` times at the barrier of any block of the cluster. Pairs with try_wait_cluster and
/// try_wait_parity_cluster.
/// Requires: has_bulk_copy()
inline void arrive_remote(void* object, u32 count, memory_order order = memory_order::release) noexcept {
  CUDAX_HERE(entry::cudax_shared_barrier_arrive_remote(object, count, int(order)), void());
}

/// Fences of cluster scope, of shared memory alone: a release of what the caller and those before it did in the shared
/// memory of its block, an acquire for what the caller does next in that of any block of the cluster. With `for_async`
/// the two order accesses of the program before later ones of bulk copies.
/// Requires: has_bulk_copy(); `order` is acquire or release
inline void fence_shared(memory_order order, bool for_async = false) noexcept {
  CUDAX_HERE(entry::cudax_fence_shared(int(order), for_async), void());
}

/// Return whether the phase is complete. test_wait polls once. try_wait may suspend the thread for a time that the
/// hardware chooses, and may then return false; on sm_80 it polls once.
inline bool test_wait(void const* object, u64 token) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_test_wait(const_cast<void*>(object), token), true);
}
inline bool test_wait_parity(void const* object, u32 parity) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_test_wait_parity(const_cast<void*>(object), parity), true);
}
inline bool try_wait(void const* object, u64 token) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_try_wait(const_cast<void*>(object), token), true);
}
inline bool try_wait_parity(void const* object, u32 parity) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_try_wait_parity(const_cast<void*>(object), parity), true);
}

/// As test_wait and try_wait, but at cluster scope, for barriers at which other blocks arrive: an arrival that another
/// block makes at cluster scope does not synchronize with a wait at block scope. Requires: has_bulk_copy()
inline bool test_wait_cluster(void const* object, u64 token, memory_order order = memory_order::acquire) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_test_wait_cluster(const_cast<void*>(object), token, int(order)), true);
}
inline bool test_wait_parity_cluster(void const* object, u32 parity,
                                     memory_order order = memory_order::acquire) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_test_wait_parity_cluster(const_cast<void*>(object), parity, int(order)),
                    true);
}
inline bool try_wait_cluster(void const* object, u64 token, memory_order order = memory_order::acquire) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_try_wait_cluster(const_cast<void*>(object), token, int(order)), true);
}
inline bool try_wait_parity_cluster(void const* object, u32 parity,
                                    memory_order order = memory_order::acquire) noexcept {
  return CUDAX_HERE(entry::cudax_shared_barrier_try_wait_parity_cluster(const_cast<void*>(object), parity, int(order)),
                    true);
}

/// Arrive at a barrier, or at the barriers at the same place in several blocks, when the operations of tensor cores
/// that the thread has issued are complete. `Group` is their .cta_group.
/// Requires: sm_100a or sm_103a: for others the program does not link
template <int Group>
void tensor_core_commit(void* object) noexcept {
  if constexpr (Group == 1) CUDAX_HERE(entry::cudax_tensor_core_commit(object), void());
  else CUDAX_HERE(entry::cudax_tensor_core_commit_pair(object), void());
}
template <int Group>
void tensor_core_commit_multicast(void* object, u32 blocks) noexcept {
  if constexpr (Group == 1) CUDAX_HERE(entry::cudax_tensor_core_commit_multicast(object, blocks), void());
  else CUDAX_HERE(entry::cudax_tensor_core_commit_multicast_pair(object, blocks), void());
}
inline void tensor_core_fence_before() noexcept { CUDAX_HERE(entry::cudax_tensor_core_fence_before(), void()); }
inline void tensor_core_fence_after() noexcept { CUDAX_HERE(entry::cudax_tensor_core_fence_after(), void()); }

} // namespace cudax::machine::gpu::shared_barrier

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
