// SPDX-License-Identifier: Apache-2.0
//
// A program stops whatever locks its other threads hold: the message and the abort need no lock of <cstdio>. The same
// for the messages of checked builds about atomicity: atomicity.death.cpp. report.cpp tests the writing.
#include "runtime/simulated/held_streams.hpp"
#include "support/death.hpp"

#include <cstdio>
#include <thread>
#include <unistd.h>
import cudax.sync;

#if !CUDAX_TEST_ABORT_TAKES_STREAMS

namespace {

/// Misuse that is detected on the host.
void unlock_what_is_not_locked() {
  cudax::mutex<> m{};
  m.unlock();
}

} // namespace

#define NOT_LOCKED                                                                                                     \
  "cudax.sync: mutex::unlock: the mutex is not locked (0); only the thread that locked it may unlock it, once "        \
  "[thread.mutex]"

DEATH("another thread holds standard output", NOT_LOCKED) {
  cudax_test::hold_for_ever(stdout);
  unlock_what_is_not_locked();
}
DEATH("another thread holds standard error", NOT_LOCKED) {
  cudax_test::hold_for_ever(stderr);
  unlock_what_is_not_locked();
}
DEATH("another thread holds both", NOT_LOCKED) {
  cudax_test::hold_for_ever(stdout, stderr);
  unlock_what_is_not_locked();
}
DEATH("this thread holds both, and another one misuses", NOT_LOCKED) {
  alarm(300);
  flockfile(stdout);
  flockfile(stderr);
  std::thread(unlock_what_is_not_locked).join();
}

#endif
