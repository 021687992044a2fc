// SPDX-License-Identifier: Apache-2.0
//
// A dependency by an event, which the text names beside that by a kernel: two kernels in two streams, as in Stream.0,
// but the second stream waits for an event after the first kernel. No thread of `second` may start until `first` has
// completed. So the loop of `second` ends at its first poll, although `first` stores late, and `second` sees the plain
// store of `first`.
#include "flag.hpp"

using namespace execution_model;

namespace {

struct values {
  int stored;     ///< by `first`
  int seen;       ///< by `second`, of `stored`
  int first_poll; ///< by `second`, of the flag
};

} // namespace

static __global__ void first(system_flag* flag, values* v) {
  for (int i = 0; i < 100; ++i) cudax::this_thread::sleep_for(cudax::nanoseconds(1'000'000));
  v->stored = 42;
  flag->store(1, cudax::memory_order_relaxed);
}
static __global__ void second(system_flag* flag, values* v) {
  v->first_poll = flag->load(cudax::memory_order_relaxed);
  while (flag->load(cudax::memory_order_relaxed) == 0) {}
  v->seen = v->stored;
}

static system_flag flag = 0;

static end run() {
  begin();
  cudax::registered const here(flag);
  values* on_device = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&on_device), sizeof(values)));
  CUDA_MUST(cudaMemset(on_device, 0, sizeof(values)));
  CUDA_MUST(cudaDeviceSynchronize());
  cudaStream_t const s0 = new_stream(), s1 = new_stream();
  cudaEvent_t after_first{};
  CUDA_MUST(cudaEventCreateWithFlags(&after_first, cudaEventDisableTiming));
  first<<<1, 1, 0, s0>>>(here.device_pointer(), on_device);
  CUDA_MUST(cudaEventRecord(after_first, s0));
  CUDA_MUST(cudaStreamWaitEvent(s1, after_first, 0));
  second<<<1, 1, 0, s1>>>(here.device_pointer(), on_device);
  CUDA_MUST(cudaDeviceSynchronize());
  values found{};
  CUDA_MUST(cudaMemcpy(&found, on_device, sizeof(values), cudaMemcpyDeviceToHost));
  return found.first_poll == 1 && found.seen == 42 ? end::right : end::wrong;
}

static example const here("stream.event", outcome::ends, outcome::ends, "the event orders second after first", run);
