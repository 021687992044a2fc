// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Stream.0: two kernels in two streams; `second` polls for what `first` stores. Nothing orders them, so the
// device may run `second` for ever and `first` never. Where launches are blocking, `first` has ended before `second` is
// launched: then it must end.
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
  first<<<1, 1, 0, s0>>>(here.device_pointer());
  second<<<1, 1, 0, s1>>>(here.device_pointer());
  return synchronized([] { return flag.load() == 1; });
}

static example const here("stream.0", outcome::may_not_end, outcome::ends,
                          "second may starve first: there is no dependency between them", run);
