// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.API.2: the host polls a flag that a kernel sets. No call of the host makes the kernel begin, so the
// host may poll indefinitely. If launches are blocking, the launch returns after the kernel has ended, and the example
// must end.
#include "flag.hpp"

using namespace execution_model;

static system_flag flag = 0;
static __global__ void producer(system_flag* flag) { flag->store(1); }

static end run() {
  begin();
  cudax::registered const here(flag);
  producer<<<1, 1>>>(here.device_pointer());
  CUDA_MUST(cudaGetLastError());
  while (flag.load() == 0) {}
  return synchronized([] { return flag.load() == 1; });
}

static example const
    here("api.2", outcome::may_not_end, outcome::ends,
         "a device thread is guaranteed to begin only when an API call synchronizes, which comes too late here", run);
