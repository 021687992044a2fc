// SPDX-License-Identifier: Apache-2.0
//
// host.threads.6: a trivial infinite loop makes progress, and the compiler may not remove it. device.4 is the same loop
// in a device thread, for which the clause does not exist.
#include "endless_loop.hpp"

using namespace execution_model;

static end run() {
  started();
  return keeps_running([] {
    while (true) { /* empty */
    }
  });
}

static example const here("host.threads.6", "the thread is in a trivial infinite loop", run);
