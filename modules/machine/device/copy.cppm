// SPDX-License-Identifier: Apache-2.0
//
// copy: the copies that a device makes while the thread goes on: those of a thread (sm_80) and bulk copies (sm_90).
// PTX ISA, "cp.async", "cp.async.bulk". The host has neither: both questions are false there, so nothing else here is
// called.
module;
#include "../../../arch/abi.hpp"
#include "../../base/macros.hpp"
export module cudax.sync:device_copy;
import :bits;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine::gpu {

/// Return whether these copies exist. Constants after device LTO.
inline bool has_async_copy() noexcept { return CUDAX_HERE(cudax_has_async_copy(), false); }
inline bool has_bulk_copy() noexcept { return CUDAX_HERE(cudax_has_bulk_copy(), false); }

} // namespace cudax::machine::gpu

/// Copies of the calling thread from global to its block's shared memory. Those since its last commit are a group.
/// Requires: has_async_copy(); else a call stops the kernel
namespace cudax::machine::gpu::async_copy {

/// Begins a copy of `Bytes` bytes, to which both addresses are aligned.
template <size_t Bytes>
void begin(void* shared, void const* global) noexcept {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  CUDAX_HERE(cudax_async_copy(shared, global, Bytes), void());
}

/// Closes a group.
inline void commit() noexcept { CUDAX_HERE(cudax_async_copy_commit(), void()); }

/// Block until at most `pending` of the thread's groups are incomplete (more than 8 count as 8), and until all its
/// copies are complete.
inline void wait_group(u32 pending) noexcept { CUDAX_HERE(cudax_async_copy_wait_group(pending), void()); }
inline void wait_all() noexcept { CUDAX_HERE(cudax_async_copy_wait_all(), void()); }

/// Arrives at the barrier object when the thread's earlier copies are complete. The phase awaits this arrival in
/// addition to those that it awaited before.
inline void arrive_additional(void* barrier) noexcept {
  CUDAX_HERE(cudax_async_copy_arrive_additional(barrier), void());
}

} // namespace cudax::machine::gpu::async_copy

/// Copies by the asynchronous proxy. Sizes and addresses are multiples of 16 bytes.
/// Requires: has_bulk_copy(); else a call stops the kernel
namespace cudax::machine::gpu::bulk_copy {

/// Begins a copy that completes `bytes` of the bytes which the barrier object expects.
inline void to_shared(void* shared, void const* global, u32 bytes, void* barrier) noexcept {
  CUDAX_HERE(cudax_bulk_copy_to_shared(shared, global, bytes, barrier), void());
}

/// Begins a copy of the thread's current group.
inline void to_global(void* global, void const* shared, u32 bytes) noexcept {
  CUDAX_HERE(cudax_bulk_copy_to_global(global, shared, bytes), void());
}

/// Closes a group of copies to global memory.
inline void commit() noexcept { CUDAX_HERE(cudax_bulk_commit(), void()); }

/// Blocks until at most `pending` of the thread's groups are incomplete.
inline void wait_group(u32 pending) noexcept { CUDAX_HERE(cudax_bulk_wait_group(pending), void()); }

/// Orders plain accesses before the copies' accesses to the same memory, global or this block's shared memory.
inline void fence() noexcept { CUDAX_HERE(cudax_fence_bulk_copy(), void()); }

} // namespace cudax::machine::gpu::bulk_copy

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
