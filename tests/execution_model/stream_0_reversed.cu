// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Stream.0 with its launches in the other order: the program has the bug that Stream.0 has, and blocking
// launches, which let Stream.0 end, show it: `second` is never over, so `first` is never launched. No example of the text; it
// makes sure that the environments of this suite take effect.
#include "two_kernels.hpp"

using namespace execution_model;

static system_flag flag = 0;

static end run() {
  begin();
  cudax::registered const here(flag);
  cudaStream_t const s0 = new_stream(), s1 = new_stream();
  second<<<1, 1, 0, s1>>>(here.device_pointer());
  first<<<1, 1, 0, s0>>>(here.device_pointer());
  return synchronized([] { return flag.load() == 1; });
}

static example const here("stream.0.reversed", outcome::may_not_end, outcome::never_ends,
                          "second may starve first; where launches block, it does", run);
