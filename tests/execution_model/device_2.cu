// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Device.2: the thread need not make progress. The volatile object has automatic storage duration,
// which device.threads.3 excludes.
#include "example.hpp"
import cudax.sync;

using namespace execution_model;

static __global__ void ex2() {
  bool volatile True = true;
  while (True) {}
}

static end run() {
  begin();
  ex2<<<1, 1>>>();
  return synchronized();
}

static example const here("device.2", outcome::may_not_end,
                          "device threads do not support host.threads.4 for objects with automatic storage duration",
                          run);
