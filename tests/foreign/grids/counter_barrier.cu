// SPDX-License-Identifier: Apache-2.0
//
// A barrier of all blocks, made of a counter and a generation: the last block to arrive resets the counter and then
// advances the generation, for which the others wait. Between the barriers a stencil reads what other blocks have
// written.
//
// Source: NVIDIA/cuml#458: a block reached the next grid barrier while another had not left the last one
// Source: NVIDIA/cub#369: a grid barrier hangs if the grid has more blocks than the GPU holds
// Source: predibase/lorax#156: blocks that call the grid's barrier different numbers of times deadlock
// Form: right
// Form: reset_after_release: livelock
// Form: exchanged_after_release: livelock
// Form: more_blocks_than_fit: livelock
// Form: different_number_of_rounds: livelock
// Form: others_do_not_wait: race
// Form: relaxed_arrival: race
// Form: relaxed_departure: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  reset_after_release,
  exchanged_after_release,
  more_blocks_than_fit,
  different_number_of_rounds,
  others_do_not_wait,
  relaxed_arrival,
  relaxed_departure
};

constexpr int threads = 8;

using namespace cudax;
using word = atomic_ref<unsigned, thread_scope_device>;

struct barrier {
  unsigned arrived, generation;
};

template <form f> __device__ void sync(barrier& b) {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned const generation = word(b.generation).load(memory_order_relaxed);
    auto const order = f == relaxed_arrival ? memory_order_relaxed : memory_order_acq_rel;
    if (word(b.arrived).fetch_add(1, order) == gridDim.x - 1) {
      if constexpr (f != reset_after_release && f != exchanged_after_release)
        word(b.arrived).store(0, memory_order_relaxed);
      word(b.generation).store(generation + 1, memory_order_release);
      if constexpr (f == reset_after_release) word(b.arrived).store(0, memory_order_relaxed);
      // No arrival that comes later in time reads what the exchange has read. So this shows only if the thread is slow.
      if constexpr (f == exchanged_after_release) word(b.arrived).exchange(0, memory_order_relaxed);
    } else {
      auto const wait_order = f == relaxed_departure ? memory_order_relaxed : memory_order_acquire;
      while (word(b.generation).load(wait_order) == generation); // found: livelock
    }
  }
  if constexpr (f != others_do_not_wait) __syncthreads();
}

template <form f> __global__ void smooth(int* a, int* b, barrier* all, int rounds) {
  int const size = int(gridDim.x * threads), i = int(blockIdx.x * threads + threadIdx.x);
  if (f == different_number_of_rounds && blockIdx.x == 0) --rounds;
  for (int round = 0; round < rounds; ++round) {
    b[i] = a[i] + a[(i + threads) % size] + a[(i + size - threads) % size]; // found: race
    sync<f>(*all);
    int* const c = a;
    a = b, b = c;
  }
}

template <form f> bool run(int scale) {
  constexpr int rounds = 6;
  int const blocks = f == more_blocks_than_fit ? 40 * scale : foreign::resident(3 * scale, threads, smooth<f>),
            size = blocks * threads;
  foreign::memory<int> a(size), b(size), c(size);
  foreign::memory<barrier> all;
  for (int i = 0; i < size; ++i) a[i] = i % 5;
  a.to_device();
  foreign::launch(blocks, threads, smooth<f>, a.data(), b.data(), all.data(), rounds);
  a.to_host();
  for (int i = 0; i < size; ++i) b[i] = i % 5;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < size; ++i)
      c[i] = int(unsigned(b[i]) + unsigned(b[(i + threads) % size]) + unsigned(b[(i + size - threads) % size]));
    for (int i = 0; i < size; ++i) b[i] = c[i];
  }
  for (int i = 0; i < size; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"reset_after_release", run<reset_after_release>},
                                {"exchanged_after_release", run<exchanged_after_release>},
                                {"more_blocks_than_fit", run<more_blocks_than_fit>},
                                {"different_number_of_rounds", run<different_number_of_rounds>},
                                {"others_do_not_wait", run<others_do_not_wait>},
                                {"relaxed_arrival", run<relaxed_arrival>},
                                {"relaxed_departure", run<relaxed_departure>}});

} // namespace
