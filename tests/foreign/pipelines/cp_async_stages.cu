// SPDX-License-Identifier: Apache-2.0
//
// Two stages filled by cp.async: each thread copies a word of the next tile while the block works on the current one. A
// wait for the group covers only the thread's own copies. So a barrier follows it, and another one comes before the
// stage is filled again.
//
// Source: NVIDIA/Fuser#3428: the barrier of the block came before the wait for the copies
// Source: csarofeen/pytorch#2463: a wait allowed one pending group too many, so the next tile was read too early
// Source: arbor-sim/arbor#280: a buffer was overwritten while other warps read it; the second barrier was missing
// Form: right
// Form: no_second_barrier: race
// Form: barrier_before_wait: race
// Form: last_group_pending: race
#include "../foreign.hpp"
#include "../ptx.hpp"

namespace {

enum form { right, no_second_barrier, barrier_before_wait, last_group_pending };

constexpr int threads = 64;

template <form f> __global__ void correlate(int const* from, int* sums, int tiles) {
  __shared__ int stage[2][threads];
  int const i = int(threadIdx.x);
  ptx::cp_async_4(&stage[0][i], from + i);
  ptx::cp_async_commit();
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      ptx::cp_async_4(&stage[(tile + 1) % 2][i], from + (tile + 1) * threads + i); // found: race
    }
    if (tile + 1 < tiles || f != last_group_pending) ptx::cp_async_commit(); // the last group may be empty
    if constexpr (f == barrier_before_wait) __syncthreads();
    ptx::cp_async_wait<1>();
    if constexpr (f != barrier_before_wait) __syncthreads();
    sum += stage[tile % 2][i] * stage[tile % 2][(i + 33) % threads]; // found: race
    if constexpr (f != no_second_barrier) __syncthreads();
  }
  sums[i] = sum;
}

template <form f> bool run(int scale) {
  int const tiles = 5 * scale;
  foreign::memory<int> from(tiles * threads), sums(threads);
  for (int i = 0; i < tiles * threads; ++i) from[i] = i * 5 % 13;
  from.to_device();
  foreign::launch(1, threads, correlate<f>, from.data(), sums.data(), tiles);
  sums.to_host();
  for (int i = 0; i < threads; ++i) {
    int expected = 0;
    for (int tile = 0; tile < tiles; ++tile)
      expected += from[tile * threads + i] * from[tile * threads + (i + 33) % threads];
    if (sums[i] != expected) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_second_barrier", run<no_second_barrier>},
                                {"barrier_before_wait", run<barrier_before_wait>},
                                {"last_group_pending", run<last_group_pending>}});

} // namespace
