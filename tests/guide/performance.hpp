// SPDX-License-Identifier: Apache-2.0
//
// performance: the code of the page "Performance".
#pragma once
#include "guide.hpp"

namespace guide::performance {

// [contended]
__global__ void count_positive(int const* data, unsigned size, unsigned* positive) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size || data[i] <= 0) return;
  // All threads of the grid add to one object: the lanes of a warp add once.
  cudax::contended_ref<unsigned, cudax::thread_scope_device> total(*positive);
  total.store_add(1, cudax::memory_order_relaxed);
}
// [/contended]

// [group]
__global__ void keep_positive(int const* in, unsigned size, int* out, unsigned* kept) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  bool const keeps = i < size && in[i] > 0;
  cudax::atomic_ref<unsigned, cudax::thread_scope_device> count(*kept);
  // One atomic operation for each block; each thread gets its own place.
  unsigned const at = cudax::fetch_add(cudax::this_block, count, keeps, cudax::memory_order_relaxed);
  if (keeps) out[at] = in[i];
}
// [/group]

// [poll]
__device__ void wait_until_set(cudax::atomic_ref<int, cudax::thread_scope_device> flag) {
  while (flag.load(cudax::memory_order_relaxed) == 0) {} // leaves the L1 cache as it is
  cudax::atomic_thread_fence(cudax::memory_order_acquire, cudax::thread_scope_device);
}
// [/poll]

__global__ void check_poll(int* flag) {
  if (threadIdx.x == 0) cudax::atomic_ref<int, cudax::thread_scope_device>(*flag).store(1, cudax::memory_order_release);
  else wait_until_set(cudax::atomic_ref<int, cudax::thread_scope_device>(*flag));
}

inline void run() {
  constexpr unsigned size = 300;
  auto const in = cudax::make_managed<int[]>(size), out = cudax::make_managed<int[]>(size);
  auto const counts = cudax::make_managed<unsigned[]>(2);
  auto const flag = cudax::make_managed<int>(0);
  for (unsigned i = 0; i < size; ++i) in[i] = i % 3 == 0 ? int(i) + 1 : -1;
  count_positive<<<3, 128>>>(in.device_pointer(), size, &counts[0]);
  keep_positive<<<3, 128>>>(in.device_pointer(), size, out.device_pointer(), &counts[1]);
  check_poll<<<1, 2>>>(flag.device_pointer());
  finish("performance");
  expect(counts[0] == 100 && counts[1] == 100, "performance: counts");
  long sum = 0;
  for (unsigned i = 0; i < size; ++i) sum += out[i];
  expect(sum == 3 * 99 * 100 / 2 + 100, "performance: kept values");
}

} // namespace guide::performance
