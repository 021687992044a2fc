// SPDX-License-Identifier: Apache-2.0
//
// endless_loop: a host thread in a loop that never ends. Clauses of the assumptions for host threads forbid the
// compiler to assume that such a loop ends. If it does assume that, the loop disappears, and the thread leaves it.
// Include it after standard headers.
#pragma once

#include "example.hpp"

#include <atomic>
#include <chrono>
#include <pthread.h>
#include <thread>
#include <time.h>

namespace execution_model {

/// Runs `loop`, which never returns, in a thread. Returns whether the thread used processor time, that is, whether it
/// makes progress in its loop, although the calling thread makes progress, too; and whether the thread is still in the
/// loop. The thread runs until the process ends.
inline end keeps_running(void (*loop)()) {
  static std::atomic<bool> has_left = false;
  std::thread thread([loop] {
    loop();
    has_left = true;
  });
  clockid_t clock{};
  if (pthread_getcpuclockid(thread.native_handle(), &clock) != 0) return end::wrong;
  thread.detach();
  for (timespec used{}; used.tv_sec == 0 && used.tv_nsec < 20'000'000;) {
    if (has_left || clock_gettime(clock, &used) != 0) return end::wrong;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return has_left ? end::wrong : end::right;
}

} // namespace execution_model
