// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.API.3: as API.2, with one query before the loop. One query may return "not ready" without any
// progress. Only repeated queries may not do so indefinitely (API.4).
#include "flag.hpp"

using namespace execution_model;

static system_flag flag = 0;
static __global__ void producer(system_flag* flag) { flag->store(1); }

static end run() {
  begin();
  cudax::registered const here(flag);
  producer<<<1, 1>>>(here.device_pointer());
  CUDA_MUST(cudaGetLastError());
  (void)cudaStreamQuery(nullptr);
  while (flag.load() == 0) {}
  return synchronized([] { return flag.load() == 1; });
}

static example const here("api.3", outcome::may_not_end, outcome::ends,
                          "one query does not guarantee that a device thread begins", run);
