// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Stream.1: as Stream.0, but in one stream, which makes `second` depend on `first`. Must end.
#include "two_kernels.hpp"

using namespace execution_model;

static system_flag flag = 0;

static end run() {
  begin();
  cudax::registered const here(flag);
  cudaStream_t const s0 = new_stream();
  first<<<1, 1, 0, s0>>>(here.device_pointer());
  second<<<1, 1, 0, s0>>>(here.device_pointer());
  return synchronized([] { return flag.load() == 1; });
}

static example const here("stream.1", outcome::ends, outcome::ends, "the stream orders second after first", run);
