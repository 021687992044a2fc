// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Stream.0 with its launches in the other order: the program has the bug that Stream.0 has, and blocking
// launches, which let Stream.0 end, show it: `second` is never over, so `first` is never launched. No example of the text; it
// makes sure that the environments of this suite take effect.
#include "flag.hpp"

using namespace execution_model;

static system_flag flag = 0;
static __global__ void first(system_flag* flag) { flag->store(1, cudax::memory_order_relaxed); }
static __global__ void second(system_flag* flag) {
  while (flag->load(cudax::memory_order_relaxed) == 0) {}
}

static end run() {
  begin();
  cudax::registered const here(flag);
  cudaStream_t s0{}, s1{};
  CUDA_MUST(cudaStreamCreate(&s0));
  CUDA_MUST(cudaStreamCreate(&s1));
  second<<<1, 1, 0, s1>>>(here.device_pointer());
  first<<<1, 1, 0, s0>>>(here.device_pointer());
  return synchronized([] { return flag.load() == 1; });
}

static example const here("stream.0.reversed", outcome::may_not_end, outcome::never_ends,
                          "second may starve first; where launches block, it does", run);
