// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async: copies that a barrier waits for.  libcu++, "memcpy_async"
// A phase of the barrier ends when all of its threads have arrived and all copies are there that they began before, so a
// thread copies, arrives, does something else, and waits. How a copy is made: copy_ways.cppm. What waits for it:
//
//   the barrier is an mbarrier: its phase awaits the copy's bytes (bulk copies), or one more arrival, which the thread's
//   cp.async make when they are there. memcpy_async returns at once
//   any other barrier cannot await a copy: memcpy_async returns when the thread's part of the copy is there, and the
//   thread's arrival releases it. So with copies to global memory, of which an mbarrier is not told
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
import :scope;
import :this_thread;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Whether a copy may still be under way when memcpy_async returns.
/// Source:   libcu++, async_contract_fulfillment
enum class async_contract_fulfillment { none, async };

} // namespace cudax

namespace cudax::machine {

template <class T, class Size, thread_scope S, class Completion>
async_contract_fulfillment copy_for_barrier(auto const& group, T* to, T const* from, Size size,
                                            barrier<S, Completion>& barrier) noexcept {
  copy_barrier const told = barrier_of(barrier);
  switch (begin_copy_of(group, to, from, size, told)) {
  case copy_way::bytes: return async_contract_fulfillment::async;
  case copy_way::units:
    if (told.is_there) {
      arrive_with_units(told.mbarrier);
      return async_contract_fulfillment::async;
    }
    wait_for_units();
    return async_contract_fulfillment::none;
  case copy_way::others_units:
    return told.is_there ? async_contract_fulfillment::async : async_contract_fulfillment::none;
  case copy_way::bulk_to_global:
    if (group.thread_rank() == 0) wait_for_bulk_to_global();
    return async_contract_fulfillment::none;
  case copy_way::plain: break;
  }
  return async_contract_fulfillment::none;
}

} // namespace cudax::machine

export namespace cudax {

/// Copies `size` bytes; the phase of `barrier` that awaits the caller ends when they are there.
/// Source:   libcu++, memcpy_async. Returns async where the copy may still be under way
/// Order:    the copy reads and writes as the caller does here, and is there for who has waited for that phase
/// Units:    bytes; aligned_size_t<A> promises that size and addresses are multiples of A
/// Requires: the phase awaits the caller's arrival, which follows; source and target do not overlap, and nobody writes the
///           one or touches the other until the phase is over; T is trivially copyable
/// Errors:   checked builds stop where the size is negative, an address is not aligned as it must be, or they overlap
template <class T, machine::copy_size Size, thread_scope S, class Completion>
async_contract_fulfillment memcpy_async(T* to, T const* from, Size size, barrier<S, Completion>& barrier) noexcept
    CUDAX_REFUSE(machine::negative(size), "memcpy_async: the size is negative") {
  return machine::copy_for_barrier(this_thread, to, from, size, barrier);
}
template <machine::copy_size Size, thread_scope S, class Completion>
async_contract_fulfillment memcpy_async(void* to, void const* from, Size size, barrier<S, Completion>& barrier) noexcept
    CUDAX_REFUSE(machine::negative(size), "memcpy_async: the size is negative") {
  return machine::copy_for_barrier(this_thread, to, from, size, barrier);
}

/// The same by all threads of a group together: each copies a part.
/// Requires: every thread of the group calls it, with the same arguments, and arrives at the barrier. Which thread copies
///           which part is open: what any of them did to source or target before is known to all, by the group's sync() say
template <thread_group G, class T, machine::copy_size Size, thread_scope S, class Completion>
async_contract_fulfillment memcpy_async(G const& group, T* to, T const* from, Size size,
                                        barrier<S, Completion>& barrier) noexcept
    CUDAX_REFUSE(machine::negative(size), "memcpy_async: the size is negative") {
  return machine::copy_for_barrier(group, to, from, size, barrier);
}
template <thread_group G, machine::copy_size Size, thread_scope S, class Completion>
async_contract_fulfillment memcpy_async(G const& group, void* to, void const* from, Size size,
                                        barrier<S, Completion>& barrier) noexcept
    CUDAX_REFUSE(machine::negative(size), "memcpy_async: the size is negative") {
  return machine::copy_for_barrier(group, to, from, size, barrier);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
