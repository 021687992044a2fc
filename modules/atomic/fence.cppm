// SPDX-License-Identifier: Apache-2.0
//
// fence: ordering without an object.  [atomics.fences]
module;
#include "../base/macros.hpp"
export module cudax.sync:fence;
import :machine;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Orders memory as `order` says, among the threads of `scope`.
/// Source:   [atomics.fences], atomic_thread_fence
/// Order:    acquire and release are one-sided from sm_90; before, both are fence.acq_rel. relaxed does nothing
/// Scope:    a constant argument costs nothing; thread scope only stops the compiler
/// Errors:   stops on a scope or an order that does not exist
inline void atomic_thread_fence(any_order order, thread_scope scope = thread_scope_system) noexcept
    CUDAX_REFUSE(!exists(scope), "atomic_thread_fence: this thread scope does not exist; use an enumerator of "
                                 "cudax::thread_scope") {
  switch (scope) {
  case thread_scope_system: return machine::fence<thread_scope_system>(order.value);
  case thread_scope_device: return machine::fence<thread_scope_device>(order.value);
  case thread_scope_block: return machine::fence<thread_scope_block>(order.value);
  case thread_scope_cluster: return machine::fence<thread_scope_cluster>(order.value);
  case thread_scope_thread: return machine::signal_fence(order.value);
  }
  machine::stop("cudax.sync: atomic_thread_fence: thread scope %lld does not exist; use an enumerator of "
                "cudax::thread_scope\n",
                scope);
}

/// Orders memory between a thread and a signal handler that it runs: stops the compiler, costs nothing at run time.
/// Source:   [atomics.fences], atomic_signal_fence
inline void atomic_signal_fence(any_order order) noexcept { machine::signal_fence(order.value); }

} // namespace cudax

CUDAX_EVERYWHERE_END
