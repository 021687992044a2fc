// SPDX-License-Identifier: Apache-2.0
//
// Progress of an unrelated stream: while `second` polls in one stream, the host runs `first` in another stream and
// synchronizes with that stream only. The synchronization ensures that some device thread makes progress, and the text
// notes that this thread need not be related to the call: it may be the one of `second`. So the example may make no
// progress. If launches are blocking, the launch of `second` never returns.
#include "two_kernels.hpp"

using namespace execution_model;

static system_flag polled = 0, stored = 0;

static end run() {
  begin();
  cudax::registered const polled_here(polled), stored_here(stored);
  cudaStream_t const s0 = new_stream(), s1 = new_stream();
  second<<<1, 1, 0, s0>>>(polled_here.device_pointer());
  CUDA_MUST(cudaGetLastError());
  first<<<1, 1, 0, s1>>>(stored_here.device_pointer());
  CUDA_MUST(cudaStreamSynchronize(s1));
  bool const other_stream_is_right = stored.load() == 1 && cudaStreamQuery(s0) == cudaErrorNotReady;
  polled.store(1);
  CUDA_MUST(cudaStreamSynchronize(s0));
  return other_stream_is_right ? end::right : end::wrong;
}

static example const here("stream.unrelated", outcome::may_not_end, outcome::never_ends,
                          "a call ensures progress of a device thread, not of a thread in its own stream", run);
