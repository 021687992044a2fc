// SPDX-License-Identifier: Apache-2.0
//
// A block searches for a threshold in rounds, and ends when a flag in shared memory says so. The flag of a round is
// read by all threads before any thread can write the next one, and no thread leaves the loop alone.
//
// Source: NVIDIA/TensorRT-LLM#18339: a loop's condition in shared memory, with no barrier before its next write
// Source: acts-project/acts#307: a barrier in a branch that depends on the thread
// Source: 1bit-MONSTER/1bit-MONSTER#1262: threads left a loop with barriers by a break that depends on their data
// Source: ggml-org/llama.cpp#27678: synccheck reports barriers that a part of the threads reach
// Form: right
// Form: no_barrier_after_test: race
// Form: barrier_in_branch: divergence
// Form: leaves_alone: wrong answer
#include "../foreign.hpp"

namespace {

enum form { right, no_barrier_after_test, barrier_in_branch, leaves_alone };

constexpr int threads = 64;

/// Finds the least threshold that at most `wanted` values exceed.
template <form f> __global__ void search(int const* values, int wanted, int* threshold) {
  __shared__ int count, middle, done;
  int const i = int(threadIdx.x), value = values[int(blockIdx.x) * threads + i];
  int low = 0, high = 1024; // the same in all threads
  if (i == 0) done = 0;
  __syncthreads();
  while (!done) { // found: race
    if constexpr (f != no_barrier_after_test) __syncthreads();
    if constexpr (f == leaves_alone)
      if (value >= high) break; // its value is above in all other rounds, too
    if (i == 0) {
      middle = (low + high) / 2;
      count = 0;
      done = low + 1 >= high; // found: race
    }
    __syncthreads();
    bool const is_above = value > middle; // found: race
    if (is_above) atomicAdd(&count, 1);
    if constexpr (f == barrier_in_branch) {
      if (!is_above) __syncthreads(); // found: divergence
    } else {
      __syncthreads();
    }
    if (count > wanted) low = middle + 1;
    else high = middle;
  }
  if (i == 0) threshold[blockIdx.x] = low;
}

template <form f> bool run(int scale) {
  int const blocks = 1 + scale / 2, wanted = 10;
  foreign::memory<int> values(blocks * threads), threshold(blocks);
  for (int i = 0; i < blocks * threads; ++i) values[i] = i * 389 % 1009;
  values.to_device();
  foreign::launch(blocks, threads, search<f>, values.data(), wanted, threshold.data());
  threshold.to_host();
  for (int b = 0; b < blocks; ++b)
    for (int t = 0;; ++t) {
      int above = 0;
      for (int i = 0; i < threads; ++i) above += values[b * threads + i] > t;
      if (above > wanted) continue;
      if (threshold[b] != t) return false;
      break;
    }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_barrier_after_test", run<no_barrier_after_test>},
                                {"barrier_in_branch", run<barrier_in_branch>},
                                {"leaves_alone", run<leaves_alone>}});

} // namespace
