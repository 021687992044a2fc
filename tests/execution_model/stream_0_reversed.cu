// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Stream.0 with its launches in reverse order. The program has the same bug as Stream.0. Blocking
// launches, with which Stream.0 ends, expose the bug here: `second` never ends, so `first` is never launched. This is
// not an example of the text; it checks that the environments of this suite take effect.
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
                          "second may starve first; if launches block, it does", run);
