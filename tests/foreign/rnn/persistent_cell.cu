// SPDX-License-Identifier: Apache-2.0
//
// A recurrent network in one launch: the blocks keep their rows of the matrix, and meet after each step at a barrier of
// the grid whose sense reverses. Each step reads the whole hidden state of the last step and writes the block's part of
// the next.
//
// Source: NVIDIA/cuml#4157: in a barrier of the grid only the first thread fences
// Source: NVIDIA/cub#369: a barrier of the grid hangs if its blocks do not all run
// Source: ROCm/aiter#4007: a barrier inside a persistent kernel did not order the writes of all blocks
// Form: right
// Form: first_thread_fences: missed
// Why: the report asks each thread to fence. A barrier of the block comes before the fence of the first thread, and fences
// Why: are cumulative: that suffices in the memory model.
// Form: no_block_barrier: race
// Form: no_fence_after_wait: race
// Form: arrival_relaxed: race
// Form: one_buffer: race
// Form: count_reset_after_release: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  first_thread_fences,
  no_block_barrier,
  no_fence_after_wait,
  arrival_relaxed,
  one_buffer,
  count_reset_after_release
};

constexpr int threads = 8;

struct grid_barrier {
  int count, sense;
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> __device__ void meet(grid_barrier& b, int& sense) {
  sense = 1 - sense;
  if constexpr (f != first_thread_fences && f != arrival_relaxed) __threadfence();
  if constexpr (f != no_block_barrier) __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (f == first_thread_fences) __threadfence();
    if (word(b.count).fetch_add(1, f == arrival_relaxed ? memory_order_relaxed : memory_order_acq_rel) ==
        int(gridDim.x) - 1) {
      if constexpr (f != count_reset_after_release) word(b.count).store(0, memory_order_relaxed);
      word(b.sense).store(sense, memory_order_release);
      if constexpr (f == count_reset_after_release) word(b.count).store(0, memory_order_relaxed);
    } else {
      while (word(b.sense).load(memory_order_relaxed) != sense); // found: count_reset_after_release
      if constexpr (f != no_fence_after_wait) __threadfence();
    }
  }
  __syncthreads();
}

template <form f> __global__ void recur(unsigned* states, grid_barrier* barrier, int steps) {
  int const units = int(gridDim.x) * threads, own = int(blockIdx.x * blockDim.x + threadIdx.x);
  int sense = 0;
  for (int step = 0; step < steps; ++step) {
    unsigned const* const last = states + (f == one_buffer ? 0 : step % 2 * units);
    unsigned* const next = states + (f == one_buffer ? 0 : (step + 1) % 2 * units);
    unsigned sum = unsigned(step);
    for (int u = 0; u < units; u += 7) sum += last[(own + u) % units]; // found: race
    next[own] = sum * 3;                                               // found: race
    meet<f>(*barrier, sense);
  }
}

template <form f> bool run(int scale) {
  int const steps = 8 + scale, blocks = foreign::resident(scale < 8 ? 3 : 64, threads, recur<f>),
            units = blocks * threads;
  foreign::memory<unsigned> states(2 * units);
  foreign::memory<grid_barrier> barrier;
  for (int u = 0; u < 2 * units; ++u) states[u] = unsigned(u % units);
  states.to_device();
  unsigned* const last = static_cast<unsigned*>(std::malloc(sizeof(unsigned) * 2 * unsigned(units)));
  for (int u = 0; u < units; ++u) last[u] = unsigned(u);
  foreign::launch(blocks, threads, recur<f>, states.data(), barrier.data(), steps);
  states.to_host();
  for (int step = 0; step < steps; ++step) {
    unsigned const* const from = last + step % 2 * units;
    unsigned* const to = last + (step + 1) % 2 * units;
    for (int own = 0; own < units; ++own) {
      unsigned sum = unsigned(step);
      for (int u = 0; u < units; u += 7) sum += from[(own + u) % units];
      to[own] = sum * 3;
    }
  }
  bool is_right = true;
  for (int u = 0; u < units; ++u)
    is_right &= last[steps % 2 * units + u] == states[(f == one_buffer ? 0 : steps % 2 * units) + u];
  std::free(last);
  return is_right;
}

foreign::program const program({{"right", run<right>},
                                {"first_thread_fences", run<first_thread_fences>},
                                {"no_block_barrier", run<no_block_barrier>},
                                {"no_fence_after_wait", run<no_fence_after_wait>},
                                {"arrival_relaxed", run<arrival_relaxed>},
                                {"one_buffer", run<one_buffer>},
                                {"count_reset_after_release", run<count_reset_after_release>}});

} // namespace
