// SPDX-License-Identifier: Apache-2.0
//
// A lock for many readers or one writer, in one word: the number of readers, or -1. Readers check that two words of a
// table agree; writers change both.
//
// Source: Courtois, Heymans and Parnas, "Concurrent Control with Readers and Writers" (CACM 1971): the problem
// Form: right
// Form: relaxed_read_lock: race
// Form: relaxed_read_unlock: race
// Form: relaxed_write_unlock: race
// Form: writer_ignores_readers: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_read_lock, relaxed_read_unlock, relaxed_write_unlock, writer_ignores_readers };

constexpr int threads = 32;

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;
using namespace cudax;

template <form f> __device__ void lock_shared(int& state) {
  for (int seen = word(state).load(memory_order_relaxed);;) {
    if (seen < 0) seen = word(state).load(memory_order_relaxed);
    else if (word(state).compare_exchange_weak(seen, seen + 1,
                                               f == relaxed_read_lock ? memory_order_relaxed : memory_order_acquire,
                                               memory_order_relaxed))
      return;
  }
}
template <form f> __device__ void unlock_shared(int& state) {
  word(state).fetch_sub(1, f == relaxed_read_unlock ? memory_order_relaxed : memory_order_release);
}

template <form f> __device__ void lock(int& state) {
  if constexpr (f == writer_ignores_readers) {
    while (word(state).fetch_or(1 << 30, memory_order_acquire) & (1 << 30));
  } else {
    for (int none = 0; !word(state).compare_exchange_weak(none, -1, memory_order_acquire, memory_order_relaxed);
         none = 0);
  }
}
template <form f> __device__ void unlock(int& state) {
  if constexpr (f == writer_ignores_readers) word(state).fetch_and(~(1 << 30), memory_order_release);
  else word(state).store(0, f == relaxed_write_unlock ? memory_order_relaxed : memory_order_release);
}

template <form f> __global__ void use(int* table, int* state, int* differ) {
  int const thread = int(blockIdx.x * threads + threadIdx.x);
  if (thread % 8 == 0) {
    lock<f>(*state);
    table[0] = table[0] + 1; // found: race
    table[1] = table[1] + 1; // found: race
    unlock<f>(*state);
  } else {
    lock_shared<f>(*state);
    if (table[0] != table[1]) atomicAdd(differ, 1); // found: race
    unlock_shared<f>(*state);
  }
}

template <form f> bool run(int scale) {
  int const blocks = 2 * scale;
  foreign::memory<int> table(2), state, differ;
  foreign::launch(blocks, threads, use<f>, table.data(), state.data(), differ.data());
  table.to_host(), differ.to_host();
  return differ[0] == 0 && table[0] == blocks * threads / 8 && table[1] == table[0];
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_read_lock", run<relaxed_read_lock>},
                                {"relaxed_read_unlock", run<relaxed_read_unlock>},
                                {"relaxed_write_unlock", run<relaxed_write_unlock>},
                                {"writer_ignores_readers", run<writer_ignores_readers>}});

} // namespace
