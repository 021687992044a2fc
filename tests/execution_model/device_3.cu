// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Device.3: the thread need not make progress. The atomic object has automatic storage duration, which
// device.threads.4 excludes.
#include "example.hpp"
import cudax.sync;

using namespace execution_model;

static __global__ void ex3() {
  cudax::atomic<bool, cudax::thread_scope_thread> True = true;
  while (True.load()) {}
}

static end run() {
  begin();
  ex3<<<1, 1>>>();
  return synchronized();
}

static example const here("device.3", outcome::may_not_end,
                          "device threads do not support host.threads.5 for objects with automatic storage duration",
                          run);
