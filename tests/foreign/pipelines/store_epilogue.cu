// SPDX-License-Identifier: Apache-2.0
//
// An epilogue by bulk stores: a block computes tiles in two stages of shared memory, a thread stores them to global
// memory by bulk copies, and counts those that are complete. A second block reads the tiles that are counted.
//
// Source: MoonshotAI/FlashKDA#24: results were written to shared memory and copied out without a proxy fence
// Source: NVIDIA/cutlass#2002: what cp.async.bulk.wait_group.read waits for, and whether a store needs a wait at all
// Source: flashinfer-ai/flashinfer#4742: a tile was counted after its copy, without a fence before the relaxed count
// Form: right
// Form: no_proxy_fence: race
// Form: fence_of_issuer: missed
// Why: the thread that issues the copy fences after the block's barrier, for all threads. The report asks each writing thread
// Why: to fence before the barrier; the memory model asks for a fence anywhere on the path from the writes to the copy.
// Form: counted_when_read: race
// Form: relaxed_count: race
// Form: one_stage: race
// Form: no_first_barrier: race
#include "../foreign.hpp"
#include "../ptx.hpp"
import cudax.sync;

namespace {

enum form { right, no_proxy_fence, fence_of_issuer, counted_when_read, relaxed_count, one_stage, no_first_barrier };

constexpr int stages = 2, words = 64, bytes = words * 4;

using counter = cudax::atomic_ref<int, cudax::thread_scope_device>;

template <form f> __device__ void produce(int* out, int* complete, int tiles) {
  __shared__ alignas(16) int stage[stages][words];
  int const i = int(threadIdx.x);
  for (int tile = 0; tile < tiles; ++tile) {
    int const s = f == one_stage ? 0 : tile % stages;
    if constexpr (f != no_first_barrier) __syncthreads(); // thread 0 knows that the stage's last copy is complete
    stage[s][i] = tile * words + i;                       // found: race
    if constexpr (f != no_proxy_fence && f != fence_of_issuer) ptx::fence_proxy_async();
    __syncthreads();
    if (i != 0) continue;
    if constexpr (f == fence_of_issuer) ptx::fence_proxy_async();
    ptx::bulk_copy_to_global(out + tile * words, ptx::shared(stage[s]), bytes); // found: race
    ptx::bulk_copy_commit();
    if (tile == 0) continue; // the next tile is computed before the wait for this one
    if constexpr (f == counted_when_read) ptx::bulk_copy_wait_group_read<1>();
    else ptx::bulk_copy_wait_group<1>();
    counter(*complete).store(tile, f == relaxed_count ? cudax::memory_order_relaxed : cudax::memory_order_release);
  }
  if (i != 0) return;
  if constexpr (f == counted_when_read) ptx::bulk_copy_wait_group_read<0>();
  else ptx::bulk_copy_wait_group<0>();
  counter(*complete).store(tiles, f == relaxed_count ? cudax::memory_order_relaxed : cudax::memory_order_release);
}

__device__ void consume(int const* out, int* complete, int tiles, int* sums) {
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (threadIdx.x == 0)
      while (counter(*complete).load(cudax::memory_order_acquire) <= tile);
    __syncthreads();
    sum += out[tile * words + int(threadIdx.x)]; // found: race
  }
  sums[threadIdx.x] = sum;
}

template <form f> __global__ void pass(int* out, int* complete, int tiles, int* sums) {
  if (blockIdx.x == 0) produce<f>(out, complete, tiles);
  else consume(out, complete, tiles, sums);
}

template <form f> bool run(int scale) {
  int const tiles = 6 * scale;
  foreign::memory<int> out(tiles * words), complete, sums(words);
  foreign::launch(2, words, pass<f>, out.data(), complete.data(), tiles, sums.data());
  sums.to_host();
  for (int i = 0; i < words; ++i) {
    int expected = 0;
    for (int tile = 0; tile < tiles; ++tile) expected += tile * words + i;
    if (sums[i] != expected) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_proxy_fence", run<no_proxy_fence>},
                                {"fence_of_issuer", run<fence_of_issuer>},
                                {"counted_when_read", run<counted_when_read>},
                                {"relaxed_count", run<relaxed_count>},
                                {"one_stage", run<one_stage>},
                                {"no_first_barrier", run<no_first_barrier>}});

} // namespace
