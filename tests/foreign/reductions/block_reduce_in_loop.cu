// SPDX-License-Identifier: Apache-2.0
//
// Each block reduces one row after the other: warps reduce by shuffles, their sums meet in shared memory, and the first
// warp adds these. All threads then use the result: the row is divided by its sum.
//
// Source: pytorch/pytorch#5242 and #5250: the barrier before a block reduction in a loop was removed, and put back
// Source: pytorch/pytorch#83825: the first barrier of BlockReduceSum keeps consecutive reductions apart
// Source: csarofeen/pytorch#712: a block reduction in a loop has to end with a barrier
// Form: right
// Form: no_barrier_between_rows: race
// Form: no_barrier_before_second_step: race
// Form: result_of_another_thread: wrong answer
// Form: missing_lanes: deadlock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_barrier_between_rows, no_barrier_before_second_step, result_of_another_thread, missing_lanes };

constexpr int threads = 128, warps = threads / 32;

__device__ int sum_of_warp(int value, unsigned mask) {
  for (int distance = 16; distance; distance /= 2) value += __shfl_down_sync(mask, value, distance);
  return value;
}

template <form f> __device__ int sum_of_block(int value, int* shared) {
  int const lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  value = sum_of_warp(value, ~0u);
  if constexpr (f != no_barrier_between_rows) __syncthreads(); // found: missing_lanes
  if (lane == 0) shared[warp] = value;                         // found: race
  if constexpr (f != no_barrier_before_second_step) __syncthreads();
  if (warp != 0) return value;
  if constexpr (f == missing_lanes) return lane < warps ? sum_of_warp(shared[lane], ~0u) : 0;
  return sum_of_warp(lane < warps ? shared[lane] : 0, ~0u); // found: race
}

template <form f> __global__ void sum_up(int const* rows, int* sums, int count) {
  __shared__ int shared[warps];
  for (int row = int(blockIdx.x); row < count; row += int(gridDim.x)) {
    int const sum = sum_of_block<f>(rows[row * threads + int(threadIdx.x)], shared);
    if (threadIdx.x == (f == result_of_another_thread ? 32 : 0)) sums[row] = sum;
  }
}

template <form f> bool run(int scale) {
  int const count = 4 * scale;
  foreign::memory<int> rows(count * threads), sums(count);
  for (int i = 0; i < rows.size(); ++i) rows[i] = i % 17 + 1;
  rows.to_device();
  foreign::launch(count < 4 ? 1 : count / 4, threads, sum_up<f>, rows.data(), sums.data(), count);
  sums.to_host();
  for (int row = 0; row < count; ++row) {
    int sum = 0;
    for (int i = row * threads; i < (row + 1) * threads; ++i) sum += i % 17 + 1;
    if (sums[row] != sum) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_barrier_between_rows", run<no_barrier_between_rows>},
                                {"no_barrier_before_second_step", run<no_barrier_before_second_step>},
                                {"result_of_another_thread", run<result_of_another_thread>},
                                {"missing_lanes", run<missing_lanes>}});

} // namespace
