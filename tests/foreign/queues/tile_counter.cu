// SPDX-License-Identifier: Apache-2.0
//
// Blocks take tiles from a counter until none is left: one thread takes a number, and a variable in shared memory tells
// it to the others. A tile is worked on in two steps with a barrier between.
//
// Source: pytorch/pytorch#5250: a barrier that kept a loop's iterations apart was removed as redundant, and put back
// Source: ORNL/HeCBench#254: one thread writes what all threads read next, without a barrier between
// Source: ORNL/HeCBench#253: no barrier between two tiles of a loop that share an array
// Form: right
// Form: number_overwritten: race
// Form: number_read_early: race
// Form: each_thread_takes: race
// Form: counter_not_reset: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, number_overwritten, number_read_early, each_thread_takes, counter_not_reset };

constexpr int threads = 64;

template <form f> __global__ void work(int const* in, int* out, int* counter, int tiles) {
  __shared__ int number;
  for (;;) {
    if (threadIdx.x == 0 || f == each_thread_takes) number = atomicAdd(counter, 1); // found: race
    if constexpr (f != number_read_early) __syncthreads();
    int const mine = number; // found: race
    if (mine >= tiles) break;
    int const i = mine * threads + int(threadIdx.x);
    out[i] = 2 * in[i];
    if constexpr (f != number_overwritten) __syncthreads(); // before thread 0 writes the next number
  }
}

template <form f> bool run(int scale) {
  int const tiles = 9 * scale, size = tiles * threads;
  foreign::memory<int> in(size), out(size), counter;
  for (int launch = 0; launch < 2; ++launch) {
    for (int i = 0; i < size; ++i) in[i] = i + launch;
    in.to_device();
    if (f != counter_not_reset || launch == 0) counter[0] = 0, counter.to_device();
    foreign::launch(3 * scale, threads, work<f>, in.data(), out.data(), counter.data(), tiles);
    out.to_host();
    for (int i = 0; i < size; ++i)
      if (out[i] != 2 * (i + launch)) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"number_overwritten", run<number_overwritten>},
                                {"number_read_early", run<number_read_early>},
                                {"each_thread_takes", run<each_thread_takes>},
                                {"counter_not_reset", run<counter_not_reset>}});

} // namespace
