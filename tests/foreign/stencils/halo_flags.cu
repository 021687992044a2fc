// SPDX-License-Identifier: Apache-2.0
//
// A stencil in one launch without a barrier of the grid: a block counts its steps in a flag, and before a step it waits
// only for its two neighbours to have done the last one. Two buffers alternate.
//
// Source: stackoverflow.com/questions/5241472: whether __syncthreads can take the place of __threadfence
// Source: stackoverflow.com/questions/5232689: data, a fence, and then the flag
// Source: NVIDIA/Fuser#2391: a block released a semaphore for its threads, which had not fenced
// Form: right
// Form: block_fence: race
// Form: no_barrier_before_flag: race
// Form: one_neighbour: race
// Form: waits_for_equal: livelock
// Form: one_buffer: race
// Form: lanes_do_not_wait: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, block_fence, no_barrier_before_flag, one_neighbour, waits_for_equal, one_buffer, lanes_do_not_wait };

constexpr int threads = 32;

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> __device__ void await(int* steps, int block, int step) {
  if constexpr (f == waits_for_equal)
    while (word(steps[block]).load(memory_order_acquire) != step); // found: livelock
  else
    while (word(steps[block]).load(memory_order_acquire) < step);
}

template <form f> __global__ void diffuse(unsigned* cells, int* done, int steps) {
  int const blocks = int(gridDim.x), b = int(blockIdx.x), i = int(threadIdx.x), size = blocks * threads,
            own = b * threads + i;
  for (int step = 0; step < steps; ++step) {
    if (i == 0) await<f>(done, (b + blocks - 1) % blocks, step);
    if (i == 1 && f != one_neighbour) await<f>(done, (b + 1) % blocks, step);
    if constexpr (f != lanes_do_not_wait) __syncthreads();
    unsigned const* const from = cells + (f == one_buffer ? 0 : step % 2 * size);
    unsigned* const to = cells + (f == one_buffer ? 0 : (step + 1) % 2 * size);
    unsigned const sum = from[(own + size - 1) % size] + 2 * from[own] + from[(own + 1) % size]; // found: race
    if constexpr (f == one_buffer) __syncthreads();
    to[own] = sum; // found: race
    if constexpr (f == block_fence) __threadfence_block();
    if constexpr (f != no_barrier_before_flag) __syncthreads();
    if (i == 0) word(done[b]).store(step + 1, f == block_fence ? memory_order_relaxed : memory_order_release);
  }
}

template <form f> bool run(int scale) {
  int const steps = 3 + 2 * scale, blocks = foreign::resident(4, threads, diffuse<f>), size = blocks * threads;
  foreign::memory<unsigned> cells(2 * size), same(2 * size);
  foreign::memory<int> done(blocks);
  for (int c = 0; c < 2 * size; ++c) cells[c] = same[c] = unsigned(c % size * 5 % 23);
  cells.to_device();
  foreign::launch(blocks, threads, diffuse<f>, cells.data(), done.data(), steps);
  cells.to_host();
  for (int step = 0; step < steps; ++step)
    for (int c = 0; c < size; ++c) {
      int const from = step % 2 * size;
      same[(step + 1) % 2 * size + c] =
          same[from + (c + size - 1) % size] + 2 * same[from + c] + same[from + (c + 1) % size];
    }
  for (int c = 0; c < size; ++c)
    if (cells[(f == one_buffer ? 0 : steps % 2 * size) + c] != same[steps % 2 * size + c]) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"block_fence", run<block_fence>},
                                {"no_barrier_before_flag", run<no_barrier_before_flag>},
                                {"one_neighbour", run<one_neighbour>},
                                {"waits_for_equal", run<waits_for_equal>},
                                {"one_buffer", run<one_buffer>},
                                {"lanes_do_not_wait", run<lanes_do_not_wait>}});

} // namespace
