// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.API.4: as API.3, but the query is in the loop. Repeated queries must not return "not ready"
// indefinitely without a device thread that makes progress. So the kernel begins and the loop ends.
#include "flag.hpp"

using namespace execution_model;

static system_flag flag = 0;
static __global__ void producer(system_flag* flag) { flag->store(1); }

static end run() {
  begin();
  cudax::registered const here(flag);
  producer<<<1, 1>>>(here.device_pointer());
  CUDA_MUST(cudaGetLastError());
  while (flag.load() == 0) (void)cudaStreamQuery(nullptr);
  return synchronized([] { return flag.load() == 1; });
}

static example const here("api.4", outcome::ends, outcome::ends,
                          "repeated queries guarantee that a device thread makes progress", run);
