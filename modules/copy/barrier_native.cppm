// SPDX-License-Identifier: Apache-2.0
//
// barrier_native: what only an mbarrier can do: await bytes.  PTX ISA, "mbarrier"
// The barrier must have block scope and no completion, and must be in the block's shared memory, on sm_90 or later. On
// the host and before sm_90 the program stops with a message. A checked build also stops if the barrier is in other
// memory. barrier_native_handle checks nothing, and only requires sm_80. Barriers of other blocks:
// barrier_cluster.cppm.
//
// Before sm_90. No barrier can await bytes: an mbarrier of sm_80 is 8 bytes without a count of bytes, no instruction
// makes its current phase await more, and its object has no room for another count. So what expects bytes stops the
// kernel. memcpy_async_tx needs no such count if an arrival of its own thread follows it: there the thread itself
// copies during the call. The stages of a pipeline have such an arrival, producer_commit (pipeline.cppm).
module;
#include "../base/macros.hpp"
export module cudax.sync:barrier_native;
import :aligned_size;
import :barrier;
import :barrier_hardware;
import :barrier_state;
import :bits;
import :cache_policy;
import :copy_ways;
import :device_barrier;
import :device_copy;
import :machine;
import :memcpy_async;
import :proxy_fence;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

using block_barrier = barrier<thread_scope_block>;

/// The largest number of bytes that a phase can await: PTX ISA, "tx-count".
inline constexpr ptrdiff_t most_transactions = (1 << 20) - 1;

inline void ensure_bytes([[maybe_unused]] ptrdiff_t bytes) noexcept {
  CUDAX_ENSURE(bytes >= 0 && bytes <= most_transactions,
               "device::barrier_...: %lld bytes: negative, or more than the 2^20 - 1 that a phase can await", bytes);
}

inline void ensure_on_device() noexcept {
  if constexpr (!traits::has_grid)
    stop("cudax.sync: device::barrier_...: there are %lld mbarriers on the host; call it from a device\n", 0);
}

/// Returns the barrier's mbarrier, or the word that takes its place. On the host there is no shared memory to check.
inline void* ensure_own(block_barrier& barrier) noexcept {
  if constexpr (traits::has_grid)
    CUDAX_ENSURE(gpu::is_shared(thread_detail::barrier_access::word(barrier)),
                 "device::barrier_...: the barrier is not in this block's shared memory (%lld)", 0);
  return thread_detail::barrier_access::word(barrier);
}

inline void* ensure_hardware(block_barrier& barrier) noexcept {
  ensure_on_device();
  return ensure_own(barrier);
}

} // namespace cudax::copy_detail

export namespace cudax::device {

/// Returns the barrier's mbarrier, for instructions that this library does not wrap. The type is std::uint64_t*, which
/// the functions of cuda::ptx take. If std::uint64_t is unsigned long, this is not a pointer to unsigned long long.
/// Source:   libcu++, device::barrier_native_handle
/// Requires: the barrier is in shared memory, on sm_80 or later
inline __UINT64_TYPE__* barrier_native_handle(barrier<thread_scope_block>& barrier) noexcept {
  return reinterpret_cast<__UINT64_TYPE__*>(thread_detail::barrier_access::word(barrier));
}

/// Makes the current phase await `bytes` more bytes. Asynchronous copies complete these bytes.
/// Source:   libcu++, device::barrier_expect_tx
/// Order:    relaxed
/// Requires: sm_90; 0 <= bytes, and the sum of the bytes of a phase is at most 2^20 - 1; an arrival of the phase is
///           pending, so that the phase does not end before the call
inline void barrier_expect_tx(barrier<thread_scope_block>& barrier, ptrdiff_t bytes) noexcept
    CUDAX_REFUSE(bytes<0 || bytes> copy_detail::most_transactions,
                 "barrier_expect_tx: negative, or more than the 2^20 - 1 bytes that a phase can await") {
  copy_detail::ensure_bytes(bytes);
  machine::gpu::shared_barrier::expect_bytes(copy_detail::ensure_hardware(barrier), u32(bytes));
}

/// Makes the current phase await `bytes` more bytes, then arrives `update` times.
/// Source:   libcu++, device::barrier_arrive_tx
/// Order:    release; pairs with the wait
/// Requires: as barrier_expect_tx, and as barrier::arrive
[[nodiscard]] inline copy_detail::block_barrier::arrival_token
barrier_arrive_tx(barrier<thread_scope_block>& barrier, ptrdiff_t update, ptrdiff_t bytes) noexcept
    CUDAX_REFUSE(update <= 0, "barrier_arrive_tx: the update is not positive; use 1 or more")
        CUDAX_REFUSE(bytes<0 || bytes> copy_detail::most_transactions,
                     "barrier_arrive_tx: negative, or more than the 2^20 - 1 bytes that a phase can await") {
  copy_detail::ensure_bytes(bytes);
  CUDAX_ENSURE(update > 0 && update <= copy_detail::block_barrier::max(),
               "barrier_arrive_tx: update %lld is not positive, or above max()", update);
  return thread_detail::barrier_access::token<copy_detail::block_barrier>(
      machine::gpu::shared_barrier::arrive_expect_bytes(copy_detail::ensure_hardware(barrier), u32(update),
                                                        u32(bytes)));
}

/// Makes the current phase await `bytes` fewer bytes, as a copy does at its end. For bytes that were expected and that
/// no copy brings: the end of an array, for example.
/// Source:   extension; PTX ISA, mbarrier.complete_tx
/// Order:    relaxed: it publishes nothing that the caller wrote
/// Units:    bytes; any number, not only multiples of 16
/// Requires: sm_90; 0 <= bytes <= 2^20 - 1; the phase expects these bytes, before or after the call
inline void barrier_complete_tx(barrier<thread_scope_block>& barrier, ptrdiff_t bytes) noexcept
    CUDAX_REFUSE(bytes<0 || bytes> copy_detail::most_transactions,
                 "barrier_complete_tx: negative, or more than the 2^20 - 1 bytes that a phase can await") {
  copy_detail::ensure_bytes(bytes);
  machine::gpu::shared_barrier::complete_bytes(copy_detail::ensure_hardware(barrier), u32(bytes));
}

/// Begins a bulk copy from global to shared memory. The copy completes its bytes at the barrier's current phase. Before
/// sm_90 the caller copies, and the copy is complete when the function returns.
/// Source:   libcu++, device::memcpy_async_tx
/// Order:    the copy reads and writes as if the caller did so at the call: a proxy fence precedes the copy, unless the
///           last arguments include proxy_fenced. A thread that has waited for the phase sees the complete copy
/// Requires: with proxy_fenced, what it promises; the phase expects the bytes: barrier_expect_tx, barrier_arrive_tx or
///           pipeline::producer_expect is called before this function, or after it but before the phase ends; before
///           sm_90 only the last of them exists. T is trivially copyable. A last argument may also be an l2_policy, for
///           the source
/// Example:
///     __device__ void load(float* tile, float const* from, cudax::barrier<cudax::thread_scope_block>& ready) {
///       cudax::aligned_size_t<16> const size(1024);
///       if (threadIdx.x != 0) return ready.arrive_and_wait();
///       cudax::device::memcpy_async_tx(tile, from, size, ready);
///       ready.wait(cudax::device::barrier_arrive_tx(ready, 1, size));
///     }
template <class T, size_t Alignment, class... Option>
  requires copy_detail::valid_copy_options<Option...>
async_contract_fulfillment memcpy_async_tx(T* to, T const* from, aligned_size_t<Alignment> size,
                                           barrier<thread_scope_block>& barrier, Option... option) noexcept {
  static_assert(Alignment >= 16,
                "cudax.sync: memcpy_async_tx: bulk copies need an alignment of 16; use aligned_size_t<16>");
  if constexpr (!__is_void(T))
    static_assert(__is_trivially_copyable(T),
                  "cudax.sync: memcpy_async_tx: the objects are not trivially copyable; copy them one by one");
  copy_detail::ensure_on_device();
  CUDAX_ENSURE(machine::gpu::is_shared(to) && machine::gpu::is_global(from),
               "memcpy_async_tx: copies from global to this block's shared memory, not what was given (%lld bytes)",
               (long long)size.value);
  copy_detail::ensure_copy(to, from, size.value, Alignment);
  void* const mbarrier = copy_detail::ensure_hardware(barrier);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) machine::gpu::bulk_copy::fence();
  machine::gpu::bulk_copy::to_shared(to, from, u32(size.value), mbarrier, copy_detail::options_of(option...));
  return async_contract_fulfillment::async;
}

} // namespace cudax::device

CUDAX_EVERYWHERE_END
