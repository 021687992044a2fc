// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async: copies that a barrier waits for.  libcu++, "memcpy_async"
// A phase of the barrier ends when all of its threads have arrived and the copies that they began before their arrivals
// are complete. So a thread copies, arrives, does something else, and waits. copy_ways.cppm says how a copy is made.
// What waits for the copy:
//
//   an mbarrier: its phase awaits the copy's bytes (bulk copies), or one additional arrival, which is made when the
//   thread's cp.async are complete. memcpy_async returns immediately
//   any other barrier cannot await a copy. So memcpy_async returns when the thread's part of the copy is complete, and
//   the thread's arrival releases that part. The same holds for copies to global memory, which an mbarrier cannot await
module;
#include "../base/macros.hpp"
export module cudax.sync:memcpy_async;
import :aligned_size;
import :barrier;
import :barrier_state;
import :bits;
import :copy_plain;
import :copy_ways;
import :group;
import :proxy_fence;
import :scope;
import :this_thread;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Says whether a copy may be incomplete when memcpy_async returns: `async` if it may, `none` if it is complete.
/// Source:   libcu++, async_contract_fulfillment
enum class async_contract_fulfillment { none, async };

} // namespace cudax

namespace cudax::copy_detail {
using namespace machine;

template <copy_promise Promise, class T, class Size, thread_scope S, class Completion>
async_contract_fulfillment copy_for_barrier(auto const& group, T* to, T const* from, Size size,
                                            barrier<S, Completion>& barrier) noexcept {
  switch (begin_copy_of<copy_use::with_barrier, Promise>(group, to, from, size, barrier_of(barrier))) {
  case copy_way::awaited: return async_contract_fulfillment::async;
  case copy_way::units: wait_for_units(); break;
  case copy_way::bulk_to_global:
    if (group.thread_rank() == 0) wait_for_bulk_to_global();
    break;
  case copy_way::plain: break;
  }
  return async_contract_fulfillment::none;
}

} // namespace cudax::copy_detail

export namespace cudax {

/// Copies `size` bytes. The current phase of `barrier` ends only when the copy is complete. Returns `async` if the copy
/// may be incomplete on return.
/// Source:   libcu++, memcpy_async
/// Order:    the copy reads and writes as if the caller did so at the call. A thread that has waited for that phase
///           sees the complete copy
/// Units:    bytes; aligned_size_t<A> promises that size and addresses are multiples of A
/// Requires: with proxy_fenced as the last argument, what it promises; the current phase awaits an arrival of the
///           caller, which the caller makes after the call; source and target do not overlap; until the phase ends, no
///           thread writes the source or accesses the target; T is trivially copyable
/// Errors:   checked builds stop if the size is negative, an address is misaligned, or source and target overlap
template <class T, copy_detail::copy_size Size, thread_scope S, class Completion,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(T* to, T const* from, Size size, barrier<S, Completion>& barrier,
                                        Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::copy_for_barrier<Promise>(this_thread, to, from, size, barrier);
}
template <copy_detail::copy_size Size, thread_scope S, class Completion,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(void* to, void const* from, Size size, barrier<S, Completion>& barrier,
                                        Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::copy_for_barrier<Promise>(this_thread, to, from, size, barrier);
}

/// Copies as above, by all threads of a group together: each thread copies a part.
/// Requires: as above; every thread of the group calls it, with the same arguments, and arrives at the barrier. Which
///           thread copies which part is unspecified. So each earlier access of a thread of the group to source or
///           target must happen before the call of every thread of the group, for example by the group's sync()
/// Example:
///     __global__ void load(float const* from) {
///       __shared__ float tile[256];
///       __shared__ cudax::barrier<cudax::thread_scope_block> ready;
///       if (threadIdx.x == 0) init(&ready, blockDim.x);
///       __syncthreads();
///       cudax::memcpy_async(cudax::this_block, tile, from, sizeof(tile), ready);
///       ready.arrive_and_wait(); // `tile` is complete
///     }
template <thread_group G, class T, copy_detail::copy_size Size, thread_scope S, class Completion,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(G const& group, T* to, T const* from, Size size,
                                        barrier<S, Completion>& barrier, Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::copy_for_barrier<Promise>(group, to, from, size, barrier);
}
template <thread_group G, copy_detail::copy_size Size, thread_scope S, class Completion,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(G const& group, void* to, void const* from, Size size,
                                        barrier<S, Completion>& barrier, Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::copy_for_barrier<Promise>(group, to, from, size, barrier);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
