// SPDX-License-Identifier: Apache-2.0
//
// scopes: the code of the page "Choosing a scope".
#pragma once
#include "guide.hpp"

namespace guide::scopes {

// [bar]
__host__ __device__ void bar(int volatile& a) {
#ifdef __CUDA_ARCH__
  atomicAdd((int*)&a, 1);
#else
  a = a + 1; // not atomic; each compiler and processor needs its own code
#endif
}
// [/bar]

// [bar_better]
__host__ __device__ void bar_better(cudax::atomic<int>& a) { a.fetch_add(1, cudax::memory_order_relaxed); }
// [/bar_better]

// [volatile]
__device__ void signal_flag_by_volatile(int volatile& flag) {
  __threadfence_system(); // separate from the store, and easily forgotten
  flag = 1;               // undefined behavior: volatile is not atomic
}

__device__ int poll_by_volatile(int const volatile& flag, int const& data) {
  while (flag != 1) {}    // undefined behavior
  __threadfence_system(); // forgotten most often: then `data` may be old
  return data;
}
// [/volatile]

// [flag]
__host__ __device__ void signal_flag(cudax::atomic<bool>& flag) {
  flag.store(true, cudax::memory_order_release);
  flag.notify_all(); // wakes host threads that wait
}

__host__ __device__ int poll_flag_then_read(cudax::atomic<bool> const& flag, int const& data) {
  flag.wait(false, cudax::memory_order_acquire); // pairs with the store
  return data;
}
// [/flag]

// [histogram]
__global__ void histogram(unsigned const* data, unsigned size, unsigned* bins) {
  using device_counter = cudax::atomic_ref<unsigned, cudax::thread_scope_device>;
  __shared__ cudax::atomic<unsigned, cudax::thread_scope_block> mine[16]; // used by the threads of one block
  if (threadIdx.x < 16) init(&mine[threadIdx.x], 0);
  __syncthreads();
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) mine[data[i] % 16].fetch_add(1, cudax::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x < 16) // the other blocks use `bins`, too
    device_counter(bins[threadIdx.x]).fetch_add(mine[threadIdx.x], cudax::memory_order_relaxed);
}
// [/histogram]

struct state {
  cudax::atomic<int> count = 0;
  cudax::atomic<bool> flag = false;
  int old_count = 0;
  int datum = 0;
  unsigned data[256];
  unsigned bins[16] = {};
};

__global__ void run_on_device(state* s) {
  bar(s->old_count);
  bar_better(s->count);
  s->datum = 7;
  signal_flag(s->flag);
}

inline void run() {
  auto const s = cudax::make_managed<state>();
  for (unsigned i = 0; i < 256; ++i) s->data[i] = i;
  run_on_device<<<1, 1>>>(s.device_pointer());
  cudax::wait(s->flag, false, nullptr).or_throw(); // a launch that failed ends the test
  expect(poll_flag_then_read(s->flag, s->datum) == 7, "scopes: the flag");
  bar_better(s->count);
  finish("scopes");
  expect(s->count.load() == 2, "scopes: the counter");
  histogram<<<2, 128>>>(s->data, 256, s->bins);
  finish("scopes: histogram");
  for (unsigned const bin : s->bins) expect(bin == 16, "scopes: histogram");
}

} // namespace guide::scopes
