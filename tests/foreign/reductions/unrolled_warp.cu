// SPDX-License-Identifier: Apache-2.0
//
// The sum of a block, of which the last warp adds the last 64 values without the block's barrier. Before Volta, lanes
// ran in step, and `volatile` was enough.
//
// Source: CanReader/FastNN#8: the last warp adds volatile values without a barrier of the warp
// Source: kaldi-asr/kaldi#3211: which reductions fail when lanes no longer run in step
// Source: brucefan1983/GPUMD#36: the same, with right answers on a Turing GPU
// Source: mark-poscablo/gpu-sum-reduction#1: without volatile, the compiler keeps values in registers
// Source: kokkos/kokkos#6630: a barrier of the warp was missing between two steps
// Form: right
// Form: volatile_only: wrong answer
// Form: no_barrier: race
// Form: one_barrier_a_step: race
// Form: one_barrier_a_volatile_step: wrong answer
// Form: no_block_barrier: race
#include "../foreign.hpp"

namespace {

enum form { right, volatile_only, no_barrier, one_barrier_a_step, one_barrier_a_volatile_step, no_block_barrier };

constexpr int threads = 128;

template <form f> __device__ void add_last(int* values, int i) {
  if constexpr (f == volatile_only || f == one_barrier_a_volatile_step) {
    auto const shared = static_cast<int volatile*>(values);
    for (int distance = 32; distance > 0; distance /= 2) {
      shared[i] = shared[i] + shared[i + distance]; // lane i + distance may have stored its own sum
      if constexpr (f == one_barrier_a_volatile_step) __syncwarp();
    }
  } else {
    for (int distance = 32; distance > 0; distance /= 2) {
      int const sum = values[i] + values[i + distance];                       // found: race
      if constexpr (f != no_barrier && f != one_barrier_a_step) __syncwarp(); // all have read
      values[i] = sum;                                                        // found: race
      if constexpr (f != no_barrier) __syncwarp();                            // all have written
    }
  }
}

template <form f> __global__ void sum(int const* in, int* sums) {
  __shared__ int values[threads];
  int const i = int(threadIdx.x);
  values[i] = in[int(blockIdx.x) * threads + i]; // found: race
  if constexpr (f != no_block_barrier) __syncthreads();
  if (i < 64) values[i] += values[i + 64]; // found: race
  __syncthreads();
  if (i >= 32) return;
  add_last<f>(values, i);
  if (i == 0) sums[blockIdx.x] = values[0];
}

template <form f> bool run(int scale) {
  int const blocks = 4 * scale;
  foreign::memory<int> in(blocks * threads), sums(blocks);
  for (int i = 0; i < blocks * threads; ++i) in[i] = i * 13 % 17;
  in.to_device();
  foreign::launch(blocks, threads, sum<f>, in.data(), sums.data());
  sums.to_host();
  for (int b = 0; b < blocks; ++b) {
    int expected = 0;
    for (int i = 0; i < threads; ++i) expected += in[b * threads + i];
    if (sums[b] != expected) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"volatile_only", run<volatile_only>},
                                {"no_barrier", run<no_barrier>},
                                {"one_barrier_a_step", run<one_barrier_a_step>},
                                {"one_barrier_a_volatile_step", run<one_barrier_a_volatile_step>},
                                {"no_block_barrier", run<no_block_barrier>}});

} // namespace
