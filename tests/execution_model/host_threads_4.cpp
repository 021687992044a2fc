// SPDX-License-Identifier: Apache-2.0
//
// host.threads.4: a loop that only reads a volatile object makes progress. First the object is set by a signal handler
// that runs in the same thread: a volatile sig_atomic_t, the case in which this is no data race. The loop must end.
// Then the object has automatic storage duration, and no other code sets it. The compiler may not remove the loop.
// device.2 is the second loop in a device thread, for which the clause does not include such objects.
#include "endless_loop.hpp"

#include <csignal>

using namespace execution_model;

static std::sig_atomic_t volatile was_raised = 0;
static std::atomic<bool> is_polling = false;

static void poll_for_signal() {
  is_polling = true;
  while (was_raised == 0) {}
}

static end run() {
  started();
  if (std::signal(SIGUSR1, [](int) { was_raised = 1; }) == SIG_ERR) return end::wrong;
  std::thread thread(poll_for_signal);
  while (!is_polling) std::this_thread::yield();
  if (pthread_kill(thread.native_handle(), SIGUSR1) != 0) return end::wrong;
  thread.join();
  return keeps_running([] {
    bool volatile True = true;
    while (True) {}
  });
}

static example const here("host.threads.4", "the thread reads a volatile object", run);
