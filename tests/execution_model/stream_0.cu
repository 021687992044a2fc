// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Stream.0: two kernels in two streams; `second` polls for the store of `first`. Nothing orders the
// kernels, so the device may run `second` indefinitely and never run `first`. If launches are blocking, `first` has
// ended before `second` is launched, and the example must end.
#include "two_kernels.hpp"

using namespace execution_model;

static system_flag flag = 0;

static end run() {
  begin();
  cudax::registered const here(flag);
  cudaStream_t const s0 = new_stream(), s1 = new_stream();
  first<<<1, 1, 0, s0>>>(here.device_pointer());
  second<<<1, 1, 0, s1>>>(here.device_pointer());
  return synchronized([] { return flag.load() == 1; });
}

static example const here("stream.0", outcome::may_not_end, outcome::ends,
                          "second may starve first: there is no dependency between them", run);
