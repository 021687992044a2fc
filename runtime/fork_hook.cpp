// SPDX-License-Identifier: Apache-2.0
//
// fork_hook: the handlers.
#include "fork_hook.hpp"

#include <atomic>
#include <pthread.h>

namespace cudax::runtime::fork_hook {
namespace {

void prepare() {
  lock_registrations();
  lock_loaded_kernels();
  lock_resources();
  lock_shared_ranges();
}

void go_on(process which) {
  unlock_shared_ranges();
  unlock_resources();
  unlock_loaded_kernels();
  unlock_registrations(which);
}

void in_parent() { go_on(process::parent); }

void in_child() {
  go_on(process::child);
#if CUDAX_SYNC_WITH_CUDA
  lose_driver();
#endif
}

} // namespace

int join() noexcept {
  static constinit std::atomic<bool> joined = false;
  return joined.exchange(true, std::memory_order_relaxed) ? 0 : pthread_atfork(prepare, in_parent, in_child);
}

} // namespace cudax::runtime::fork_hook
