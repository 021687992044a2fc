// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.API.1: must end where nobody else uses the device. cudaDeviceSynchronize makes sure that a device thread makes
// progress, so the grid begins; all threads of its block do then, meet, and end.
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
