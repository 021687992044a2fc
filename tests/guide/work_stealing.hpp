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

// [epilogue]
__global__ void histogram(unsigned const* data, unsigned n, unsigned* bins) {
  __shared__ cudax::atomic<unsigned, cudax::thread_scope_block> mine[16];
  if (threadIdx.x < 16) init(&mine[threadIdx.x], 0); // the prologue
  cudax::this_block.sync();
  cudax::device::for_each_canceled_block<1>([&](cudax::block_index block) {
    unsigned const i = threadIdx.x + block.x * blockDim.x;
    if (i < n) mine[data[i] % 16].fetch_add(1, cudax::memory_order_relaxed);
  });
  cudax::this_block.sync(); // all threads of the block have counted
  if (threadIdx.x < 16) {   // the epilogue
    cudax::atomic_ref<unsigned, cudax::thread_scope_device> total(bins[threadIdx.x]);
    total.fetch_add(mine[threadIdx.x], cudax::memory_order_relaxed);
  }
}
// [/epilogue]

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

// [roles]
__global__ void add_by_roles(int const* a, int* sums, int n) { // 96 threads
  __shared__ cudax::stealing_pipeline_state<2> state;
  auto blocks = cudax::make_stealing_pipeline<1>(&state, 2); // two warps read the indices
  int const warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    if (lane == 0) blocks.schedule();
  } else {
    blocks.for_each(cudax::this_warp, [=](cudax::block_index block) {
      int const i = 64 * block.x + 32 * (warp - 1) + lane; // each warp has a half of the piece
      if (i < n) sums[i] = a[i] + warp;
    });
  }
}
// [/roles]

inline void run() {
  constexpr int n = 10'000;
  auto const a = cudax::make_managed<int[]>(n), b = cudax::make_managed<int[]>(n), c = cudax::make_managed<int[]>(n);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 1;
  vec_add<<<(n + 255) / 256, 256>>>(a.device_pointer(), b.device_pointer(), c.device_pointer(), n);
  finish("work stealing: cancel");
  for (int i = 0; i < n; ++i) expect(c[i] == i + 1, "work stealing: cancel");
  add_by_roles<<<(n + 63) / 64, 96>>>(a.device_pointer(), c.device_pointer(), n);
  finish("work stealing: roles");
  for (int i = 0; i < n; ++i) expect(c[i] == i + 1 + i / 32 % 2, "work stealing: roles");
  auto const values = cudax::make_managed<unsigned[]>(n), bins = cudax::make_managed<unsigned[]>(16);
  for (unsigned i = 0; i < n; ++i) values[i] = i;
  histogram<<<(n + 255) / 256, 256>>>(values.device_pointer(), n, bins.device_pointer());
  finish("work stealing: epilogue");
  for (unsigned i = 0; i < 16; ++i) expect(bins[i] == n / 16, "work stealing: epilogue");
  for (int i = 0; i < n; ++i) c[i] = 0;
  add(a.device_pointer(), b.device_pointer(), c.device_pointer(), n);
  finish("work stealing: queue");
  for (int i = 0; i < n; ++i) expect(c[i] == i + 1, "work stealing: queue");
}

} // namespace guide::work_stealing
