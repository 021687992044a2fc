// SPDX-License-Identifier: Apache-2.0
//
// A sum in one launch: each block stores its part, and the block that counts itself last adds all parts.
//
// Source: NVIDIA/cuda-samples: threadFenceReduction, in which a counter tells the last block
// Source: pytorch/pytorch#128455: the last block read the parts of others without a fence after its atomic operation
// Source: pytorch/pytorch#193321: the same fence left out for AMD GPUs gave wrong indices of maxima
// Form: right
// Form: no_fence_before_count: race
// Form: no_fence_after_count: race
// Form: block_fence: race
// Form: answer_read_before_barrier: race
// Form: counter_not_reset: wrong answer
// Form: sum_by_atomics: missed
// Why: the additions are relaxed, and the last block's atomicAdd of 0 reads the newest value in every run
// Why: (tools/emulator/check/README.md, "Sums of relaxed operations")
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  no_fence_before_count,
  no_fence_after_count,
  block_fence,
  answer_read_before_barrier,
  counter_not_reset,
  sum_by_atomics
};

constexpr int threads = 64;

__device__ int sum_of_block(int value, int* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned distance = threads / 2; distance; distance /= 2) {
    if (threadIdx.x < distance) shared[threadIdx.x] += shared[threadIdx.x + distance];
    __syncthreads();
  }
  int const sum = shared[0];
  __syncthreads();
  return sum;
}

template <form f> __global__ void reduce(int const* in, int* parts, int* result, unsigned* counter) {
  __shared__ int shared[threads];
  __shared__ bool is_last;
  int const part = sum_of_block(in[blockIdx.x * threads + threadIdx.x], shared);
  if (threadIdx.x == 0) {
    if constexpr (f == sum_by_atomics) atomicAdd(parts, part);
    else parts[blockIdx.x] = part; // found: no_fence_before_count, no_fence_after_count, block_fence
    if constexpr (f == block_fence) __threadfence_block();
    else if constexpr (f != no_fence_before_count && f != sum_by_atomics) __threadfence();
    is_last = atomicAdd(counter, 1) == gridDim.x - 1; // found: answer_read_before_barrier
    if constexpr (f != no_fence_after_count && f != sum_by_atomics) __threadfence();
  }
  if constexpr (f != answer_read_before_barrier) __syncthreads();
  if (!is_last) return; // found: answer_read_before_barrier
  if constexpr (f == sum_by_atomics) {
    if (threadIdx.x == 0) *result = atomicAdd(parts, 0);
  } else {
    int sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += threads)
      sum += parts[i]; // found: no_fence_before_count, block_fence
    sum = sum_of_block(sum, shared);
    if (threadIdx.x == 0) *result = sum;
  }
  if (f != counter_not_reset && threadIdx.x == 0) atomicExch(counter, 0);
}

template <form f> bool run(int scale) {
  int const blocks = 5 * scale;
  foreign::memory<int> in(blocks * threads), parts(blocks), result;
  foreign::memory<unsigned> counter;
  for (int launch = 0; launch < 2; ++launch) {
    int sum = 0;
    for (int i = 0; i < in.size(); ++i) sum += in[i] = i % 13 + launch;
    in.to_device();
    if (f == sum_by_atomics) parts[0] = 0, parts.to_device();
    foreign::launch(blocks, threads, reduce<f>, in.data(), parts.data(), result.data(), counter.data());
    result.to_host();
    if (result[0] != sum) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_fence_before_count", run<no_fence_before_count>},
                                {"no_fence_after_count", run<no_fence_after_count>},
                                {"block_fence", run<block_fence>},
                                {"answer_read_before_barrier", run<answer_read_before_barrier>},
                                {"counter_not_reset", run<counter_not_reset>},
                                {"sum_by_atomics", run<sum_by_atomics>}});

} // namespace
