// SPDX-License-Identifier: Apache-2.0
//
// Message passing with a flag without ordering: relaxed on one side or on both, or volatile.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;

__device__ void store_volatile(int* flag) { *static_cast<int volatile*>(flag) = 1; }
__device__ bool load_volatile(int* flag) { return *static_cast<int volatile*>(flag); }

template <memory_order store, memory_order load, bool is_volatile>
__global__ void pass(int* data, int* flag, int* seen) {
  atomic_ref<int, thread_scope_device> atomic(*flag);
  if (blockIdx.x == 0) {
    *data = 42; // first
    if constexpr (is_volatile) store_volatile(flag);
    else atomic.store(1, store);
  } else {
    if constexpr (is_volatile) {
      while (!load_volatile(flag));
    } else {
      while (!atomic.load(load));
    }
    *seen = *data; // second
  }
}

template <memory_order store, memory_order load, bool is_volatile = false>
bool run(bool right) {
  check::device_memory<int> data, flag, seen;
  auto const kernel = right ? pass<memory_order_release, memory_order_acquire, false> : pass<store, load, is_volatile>;
  check::launch({.blocks = 2}, kernel, data.data(), flag.data(), seen.data());
  return seen[0] == 42;
}

check::program const relaxed("relaxed_flag", "race", run<memory_order_relaxed, memory_order_relaxed>);
check::program const relaxed_store("relaxed_store", "race", run<memory_order_relaxed, memory_order_acquire>);
check::program const relaxed_load("relaxed_load", "race", run<memory_order_release, memory_order_relaxed>);
check::program const not_atomic("volatile_flag", "race", run<memory_order_relaxed, memory_order_relaxed, true>);

} // namespace
