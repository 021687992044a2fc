// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Device.1: the thread need not make progress, since yield is not among the operations that a device
// thread may be assumed to perform eventually.
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
