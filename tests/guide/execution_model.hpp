// SPDX-License-Identifier: Apache-2.0
//
// execution_model: the code of the page "The execution model".
#pragma once
#include "guide.hpp"

namespace guide::execution_model {

// [one warp]
__global__ void wait_within_a_warp(int* flag) { // <<<1, 2>>>
  cudax::atomic_ref<int, cudax::thread_scope_block> f(*flag);
  if (threadIdx.x == 0) {
    while (f.load(cudax::memory_order_relaxed) == 0) {} // waits for its neighbour
  } else {
    f.store(1, cudax::memory_order_relaxed);
  }
}
// [/one warp]

// [one stream]
__global__ void first(cudax::atomic<int>* flag) { flag->store(1, cudax::memory_order_relaxed); }
__global__ void second(cudax::atomic<int>* flag) {
  while (flag->load(cudax::memory_order_relaxed) == 0) {}
}

void in_one_stream(cudax::atomic<int>* flag) {
  first<<<1, 1>>>(flag);
  second<<<1, 1>>>(flag); // starts after `first` has ended
}
// [/one stream]

// [event]
void in_order(cudax::atomic<int>* flag, cudaStream_t a, cudaStream_t b, cudaEvent_t event) {
  first<<<1, 1, 0, a>>>(flag);
  cudaEventRecord(event, a);
  cudaStreamWaitEvent(b, event);
  second<<<1, 1, 0, b>>>(flag); // starts after `first` has ended
}
// [/event]

// These two functions may make no progress, so they are compiled and not run. tests/execution_model runs such programs.
// [two streams]
void in_two_streams(cudax::atomic<int>* flag, cudaStream_t a, cudaStream_t b) {
  first<<<1, 1, 0, a>>>(flag);
  second<<<1, 1, 0, b>>>(flag); // may keep `first` from starting
}
// [/two streams]

// [no query]
void wait_without_query(cudax::atomic<int> const& flag) {
  while (flag.load(cudax::memory_order_acquire) == 0) {} // the kernel may never start
}
// [/no query]

// [query]
bool wait_for(cudax::atomic<int> const& flag, cudaStream_t stream) {
  while (flag.load(cudax::memory_order_acquire) == 0)
    if (cudaStreamQuery(stream) != cudaErrorNotReady) // each query lets a device thread make progress
      return flag.load(cudax::memory_order_acquire) != 0;
  return true;
}
// [/query]

inline void run() {
  auto const flag = cudax::make_managed<int>(0);
  wait_within_a_warp<<<1, 2>>>(flag.device_pointer());
  finish("execution model: one warp");
  auto const system_flag = cudax::make_mapped<cudax::atomic<int>>(0);
  in_one_stream(system_flag.device_pointer());
  expect(wait_for(*system_flag, nullptr), "execution model: query");
  finish("execution model: one stream");
  *system_flag = 0;
  cudaStream_t streams[2] = {};
  cudaEvent_t event{};
  for (cudaStream_t& s : streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  in_order(system_flag.device_pointer(), streams[0], streams[1], event);
  finish("execution model: event"); // `second` ends only if `first` has stored
  for (cudaStream_t const s : streams) cudaStreamDestroy(s);
  cudaEventDestroy(event);
}

} // namespace guide::execution_model
