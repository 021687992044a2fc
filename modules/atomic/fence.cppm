// SPDX-License-Identifier: Apache-2.0
//
// fence: memory ordering without an atomic object.  [atomics.fences]
module;
#include "../base/macros.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:fence;
import :bits;
import :machine;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Orders the memory operations of the calling thread as `order` specifies, for the threads of `scope`.
/// Source:   [atomics.fences], atomic_thread_fence
/// Order:    acquire and release are one-sided from sm_90; on older SMs both are fence.acq_rel. relaxed has no effect
/// Scope:    a constant argument costs nothing; thread_scope_thread only keeps the compiler from reordering
/// Errors:   stops if the scope or the order does not exist
/// Example:
///     __global__ void publish(int* datum, cudax::atomic<int, cudax::thread_scope_device>* flag) {
///       *datum = 42;
///       cudax::atomic_thread_fence(cudax::memory_order_release, cudax::thread_scope_device);
///       flag->store(1, cudax::memory_order_relaxed);
///     }
constexpr void atomic_thread_fence(any_order order, thread_scope scope = thread_scope_system) noexcept
    CUDAX_REFUSE(!exists(scope), "atomic_thread_fence: this thread scope does not exist; use an enumerator of "
                                 "cudax::thread_scope") {
  if (__builtin_is_constant_evaluated()) return; // the evaluation has one thread
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
/// Rejects the scope of another library: a conversion by value would be wrong, because the values differ.
template <class E>
  requires(__is_enum(E) && !same_as<E, thread_scope>)
void atomic_thread_fence(any_order order, E scope) = delete (
    "cudax.sync: atomic_thread_fence: this thread scope is another library's, such as libcu++'s; use an enumerator of "
    "cudax::thread_scope, or include <cudax/as_cuda.hpp> before the headers of libcu++");

/// Orders memory between a thread and a signal handler that runs in this thread. It only keeps the compiler from
/// reordering, and costs nothing at run time.
/// Source:   [atomics.fences], atomic_signal_fence
/// Example:
///     inline int datum = 0;
///     inline volatile std::sig_atomic_t ready = 0; // read by the handler
///     inline void publish() {
///       datum = 42;
///       cudax::atomic_signal_fence(cudax::memory_order_release);
///       ready = 1;
///     }
constexpr void atomic_signal_fence(any_order order) noexcept {
  if (!__builtin_is_constant_evaluated()) machine::signal_fence(order.value);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
