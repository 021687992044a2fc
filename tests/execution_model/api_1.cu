// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.API.1: must end if no other program uses the device. cudaDeviceSynchronize ensures that a device
// thread makes progress, so the grid begins. Then all threads of its block make progress, reach the barrier, and end.
#include "example.hpp"

using namespace execution_model;

static __global__ void hello_world() { __syncthreads(); }

static end run() {
  begin();
  hello_world<<<1, 2>>>();
  return synchronized();
}

static example const here("api.1", outcome::ends, outcome::ends,
                          "cudaDeviceSynchronize ensures that a device thread makes progress", run);
