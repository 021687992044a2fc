// SPDX-License-Identifier: Apache-2.0
//
// A function that adds up a value of each thread of a block, called in a loop with the same shared memory: warps add by
// shuffles, each warp's first lane stores its sum, and the first warp adds these.
//
// Source: NVIDIA/cudf#13485: a sum of a block was right alone, and a race when called in a loop
// Source: pytorch/pytorch#83825: two barriers of a sum looked redundant; they separate one call from the next
// Source: NVIDIA/Fuser#489: two sums in a row used the same shared memory without a barrier between
// Source: NVIDIA/cccl#399: one in 1,300 runs was wrong, where two steps shared memory under two names
// Source: pytorch/pytorch#20182: the write of a result over a buffer that other warps still read
// Form: right
// Form: no_barrier_between_calls: race
// Form: no_barrier_after_warps: race
// Form: no_barrier_before_result: race
#include "../foreign.hpp"

namespace {

enum form { right, no_barrier_between_calls, no_barrier_after_warps, no_barrier_before_result };

constexpr int threads = 96, warps = threads / 32;

/// Returns the sum to all threads, through the first word of the memory that holds the sums of the warps.
template <form f> __device__ int block_sum(int value, int* partial) {
  int const lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  if constexpr (f != no_barrier_between_calls) __syncthreads(); // all have read the result of the last call
  if (lane == 0) partial[warp] = value;                         // found: race
  if constexpr (f != no_barrier_after_warps) __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < warps; ++w) partial[0] += partial[w]; // found: race
  if constexpr (f != no_barrier_before_result) __syncthreads();
  return partial[0]; // found: race
}

template <form f> __global__ void prefix_of_sums(int const* in, int* out, int rounds) {
  __shared__ int partial[warps];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    sum += block_sum<f>(in[round * threads + int(threadIdx.x)], partial);
    out[round * threads + int(threadIdx.x)] = sum;
  }
}

template <form f> bool run(int scale) {
  int const rounds = 6 * scale;
  foreign::memory<int> in(rounds * threads), out(rounds * threads);
  for (int i = 0; i < rounds * threads; ++i) in[i] = i * 3 % 7;
  in.to_device();
  foreign::launch(1, threads, prefix_of_sums<f>, in.data(), out.data(), rounds);
  out.to_host();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < threads; ++i) sum += in[round * threads + i];
    for (int i = 0; i < threads; ++i)
      if (out[round * threads + i] != sum) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_barrier_between_calls", run<no_barrier_between_calls>},
                                {"no_barrier_after_warps", run<no_barrier_after_warps>},
                                {"no_barrier_before_result", run<no_barrier_before_result>}});

} // namespace
