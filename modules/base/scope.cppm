// SPDX-License-Identifier: Apache-2.0
//
// scope: the set of threads among which an operation is atomic and orders memory.
module;
#include "macros.hpp"
export module cudax.sync:scope;

export namespace cudax {

/// The threads among which an operation is atomic and orders memory.
/// Source:   PTX ISA, "Scope"; the values of the first three are libcu++'s
/// Example:
///     __global__ void count(unsigned* hits) {
///       cudax::atomic_ref<unsigned, cudax::thread_scope_device>(*hits).fetch_add(1, cudax::memory_order_relaxed);
///     }
enum thread_scope : int {
  thread_scope_system,  ///< every thread of every device and of the host
  thread_scope_device,  ///< the threads of one device; on the host, all threads of the process
  thread_scope_block,   ///< the threads of one thread block
  thread_scope_thread,  ///< the calling thread: the operations of an atomic are plain accesses. For a primitive that
                        ///< several threads use by definition (latch, barrier, semaphores, mutexes, once_flag,
                        ///< stop_state, reduce_state, insert_only_map) it means the block
  thread_scope_cluster, ///< the threads of one cluster of blocks; one block before sm_90
};

} // namespace cudax

namespace cudax {

constexpr bool exists(thread_scope scope) noexcept {
  return scope >= thread_scope_system && scope <= thread_scope_cluster;
}

/// Whether the scope includes threads of several clusters.
constexpr bool is_wider_than_cluster(thread_scope scope) noexcept {
  return scope == thread_scope_device || scope == thread_scope_system;
}

/// Returns the scope of the operations of a primitive that several threads use by definition. There thread_scope_thread
/// means the block, as in libcu++: with plain accesses arrivals would be lost, and waiters would wait indefinitely.
constexpr thread_scope scope_among_threads(thread_scope scope) noexcept {
  return scope == thread_scope_thread ? thread_scope_block : scope;
}

} // namespace cudax
