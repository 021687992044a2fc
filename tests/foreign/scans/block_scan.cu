// SPDX-License-Identifier: Apache-2.0
//
// The prefix sum of a block in shared memory: in each step a thread adds the element that is 1, 2, 4, ... places before
// its own.
//
// Source: ORNL/HeCBench#255: an in-place scan read and wrote the array between the same two barriers
// Source: gunrock/gunrock#845: hazards that racecheck reports in scans of blocks and warps
// Form: right
// Form: one_barrier: race
// Form: fence_in_place_of_barrier: race
// Form: warps_in_lockstep: race
// Form: half_of_the_threads: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, one_barrier, fence_in_place_of_barrier, warps_in_lockstep, half_of_the_threads };

constexpr int threads = 96;

template <form f> __global__ void scan(int const* in, int* out) {
  __shared__ int sums[threads];
  int const thread = int(threadIdx.x), i = int(blockIdx.x) * threads + thread;
  sums[thread] = in[i]; // found: race
  __syncthreads();
  for (int distance = 1; distance < (f == half_of_the_threads ? threads / 2 : threads); distance *= 2) {
    int const before = thread >= distance ? sums[thread - distance] : 0; // found: race
    if constexpr (f == fence_in_place_of_barrier) __threadfence_block();
    else if constexpr (f == warps_in_lockstep) {
      if (distance >= 32) __syncthreads(); // below, the lanes of a warp are taken to run together
    } else if constexpr (f != one_barrier) {
      __syncthreads();
    }
    sums[thread] += before; // found: race
    if (f != warps_in_lockstep || distance >= 16) __syncthreads();
  }
  out[i] = sums[thread];
}

template <form f> bool run(int scale) {
  int const blocks = 2 * scale, size = blocks * threads;
  foreign::memory<int> in(size), out(size);
  for (int i = 0; i < size; ++i) in[i] = i % 11 + 1;
  in.to_device();
  foreign::launch(blocks, threads, scan<f>, in.data(), out.data());
  out.to_host();
  for (int i = 0, sum = 0; i < size; ++i) {
    sum = (i % threads ? sum : 0) + in[i];
    if (out[i] != sum) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"one_barrier", run<one_barrier>},
                                {"fence_in_place_of_barrier", run<fence_in_place_of_barrier>},
                                {"warps_in_lockstep", run<warps_in_lockstep>},
                                {"half_of_the_threads", run<half_of_the_threads>}});

} // namespace
