// SPDX-License-Identifier: Apache-2.0
//
// scope: which threads an operation synchronizes with.
module;
#include "macros.hpp"
export module cudax.sync:scope;

export namespace cudax {

/// The threads among which an operation is atomic and orders memory.
/// Source:   PTX ISA, "Scope"; the values of the first four are libcu++'s
/// Example:
///     __global__ void count(unsigned* hits) {
///       cudax::atomic_ref<unsigned, cudax::thread_scope_device>(*hits).fetch_add(1, cudax::memory_order_relaxed);
///     }
enum thread_scope : int {
  thread_scope_system, ///< every thread of every device and of the host
  thread_scope_device, ///< the threads of one device; on the host, all threads of the process
  thread_scope_block,  ///< the threads of one thread block
  thread_scope_thread, ///< the thread itself: an atomic's plain accesses. For a primitive that several threads use by its
                       ///< meaning (latch, barrier, semaphores, mutexes, once_flag, stop_state, reduce_state) the block
  thread_scope_cluster, ///< the threads of one cluster of blocks; one block before sm_90
};

} // namespace cudax

namespace cudax {

constexpr bool exists(thread_scope scope) noexcept {
  return scope >= thread_scope_system && scope <= thread_scope_cluster;
}

/// The scope at which the operations of a primitive are performed that several threads use by its meaning. thread_scope_thread
/// means the block there, as in libcu++: plain accesses would lose arrivals, and waiters would wait indefinitely.
constexpr thread_scope scope_among_threads(thread_scope scope) noexcept {
  return scope == thread_scope_thread ? thread_scope_block : scope;
}

} // namespace cudax
