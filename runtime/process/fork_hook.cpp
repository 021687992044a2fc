// SPDX-License-Identifier: Apache-2.0
//
// fork_hook: the fork handlers.
#include "fork_hook.hpp"
#include "../base/kept_errno.hpp"

#include <atomic>
#include <pthread.h>

namespace cudax::runtime::fork_hook {
namespace {

void prepare() {
  kept_errno const keeps; // lock_registrations() reads /proc
  lock_registrations();
  lock_loaded_kernels();
  lock_resources();
  lock_shared_ranges();
  lock_hangs();
}

void unlock_all(process which) {
  unlock_hangs(which);
  unlock_shared_ranges();
  unlock_resources();
  unlock_loaded_kernels();
  unlock_registrations(which);
}

void in_parent() { unlock_all(process::parent); }

void in_child() {
  unlock_all(process::child);
#if CUDAX_SYNC_WITH_CUDA
  disable_driver();
#endif
}

} // namespace

int join() noexcept {
  static constinit std::atomic<bool> joined = false;
  return joined.exchange(true, std::memory_order_relaxed) ? 0 : pthread_atfork(prepare, in_parent, in_child);
}

} // namespace cudax::runtime::fork_hook
