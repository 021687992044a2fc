// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Device.4: the thread need not make progress in a trivial infinite loop.
// Corrected: the text says `__global` instead of `__global__`.
#include "example.hpp"
import cudax.sync;

using namespace execution_model;

static __global__ void ex4() {
  while (true) { /* empty */
  }
}

static end run() {
  begin();
  ex4<<<1, 1>>>();
  return synchronized();
}

static example const here("device.4", outcome::may_not_end,
                          "device threads do not support host.threads.6: a trivial infinite loop", run);
