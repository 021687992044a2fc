// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Device.1: no thread needs to make progress, since yield is nothing that a device thread may be assumed to do.
#include "example.hpp"
import cudax.sync;

using namespace execution_model;

static __global__ void ex1() {
  while (true) cudax::this_thread::yield();
}

static end run() {
  begin();
  ex1<<<1, 1>>>();
  return synchronized();
}

static example const here("device.1", outcome::may_not_end, "device threads do not support host.threads.2: yield", run);
