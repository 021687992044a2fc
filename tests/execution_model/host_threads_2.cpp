// SPDX-License-Identifier: Apache-2.0
//
// host.threads.2: a loop that only yields makes progress, and the compiler may not remove it. device.1 is the same loop
// in a device thread, for which the clause does not exist.
#include "endless_loop.hpp"

using namespace execution_model;

static end run() {
  started();
  return keeps_running([] {
    while (true) std::this_thread::yield();
  });
}

static example const here("host.threads.2", "the thread calls std::this_thread::yield", run);
