// SPDX-License-Identifier: Apache-2.0
//
// work_stealing: the code of the page "Work stealing".
#pragma once
#include "guide.hpp"

namespace guide::work_stealing {

// [cancel]
__global__ void vec_add(int const* a, int const* b, int* c, int n) {
  // What all blocks do once stands here: shared memory, constants.
  cudax::device::for_each_canceled_block<1>([=](cudax::block_index block) {
    int const i = threadIdx.x + block.x * blockDim.x; // block, not blockIdx
    if (i < n) c[i] = a[i] + b[i];
  });
}
// [/cancel]

// [queue]
__global__ void vec_add_by_queue(int const* a, int const* b, int* c, int n, cudax::work_queue<1> queue) {
  for_each(queue, [=](cudax::block_index block) {
    int const i = threadIdx.x + block.x * blockDim.x;
    if (i < n) c[i] = a[i] + b[i];
  });
}

void add(int const* a, int const* b, int* c, int n) {
  auto const taken = cudax::make_managed<unsigned long long>(0ull); // the queue's counter
  unsigned const blocks = (n + 255) / 256;
  cudax::work_queue<1> const queue(taken.device_pointer(), blocks);
  int const workers = cudax::coresident_blocks(vec_add_by_queue, 256);
  vec_add_by_queue<<<workers, 256>>>(a, b, c, n, queue);
  cudaDeviceSynchronize();
}
// [/queue]

inline void run() {
  constexpr int n = 10'000;
  auto const a = cudax::make_managed<int[]>(n), b = cudax::make_managed<int[]>(n), c = cudax::make_managed<int[]>(n);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 1;
  vec_add<<<(n + 255) / 256, 256>>>(a.device_pointer(), b.device_pointer(), c.device_pointer(), n);
  finish("work stealing: cancel");
  for (int i = 0; i < n; ++i) expect(c[i] == i + 1, "work stealing: cancel");
  for (int i = 0; i < n; ++i) c[i] = 0;
  add(a.device_pointer(), b.device_pointer(), c.device_pointer(), n);
  finish("work stealing: queue");
  for (int i = 0; i < n; ++i) expect(c[i] == i + 1, "work stealing: queue");
}

} // namespace guide::work_stealing
