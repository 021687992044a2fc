// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait in vain: a deadlock, a livelock, and a barrier that not all lanes of a warp reach.
#include "program.hpp"
#include "ptx.hpp"
import cudax.sync;

namespace {

using namespace cudax;

/// Two warps use two barriers in opposite order.
template <bool right>
__global__ void meet(int* seen) {
  if (right || threadIdx.x < 32) {
    ptx::bar_sync<1>(64); // first
    ptx::bar_sync<2>(64);
  } else {
    ptx::bar_sync<2>(64); // second
    ptx::bar_sync<1>(64);
  }
  seen[threadIdx.x] = 1;
}

bool deadlock(bool right) {
  check::device_memory<int> seen(64);
  check::launch({.threads = 64}, right ? meet<true> : meet<false>, seen.data());
  return seen.all_are(1);
}

check::program const opposite_order("deadlock", "deadlock", deadlock);

/// Two blocks wait for each other's flag. In the right twin one of them raises its own flag first.
template <bool right>
__global__ void after_you(int* flags) {
  atomic_ref<int, thread_scope_device> mine(flags[blockIdx.x]), other(flags[1 - blockIdx.x]);
  if (blockIdx.x == 0) {
    if (right) mine.store(1, memory_order_release);
    while (!other.load(memory_order_acquire)) // first
      ;
    if (!right) mine.store(1, memory_order_release);
  } else {
    while (!other.load(memory_order_acquire)) // second
      ;
    mine.store(1, memory_order_release);
  }
}

bool livelock(bool right) {
  check::device_memory<int> flags(2);
  check::launch({.blocks = 2}, right ? after_you<true> : after_you<false>, flags.data());
  return flags.all_are(1);
}

check::program const polite("livelock", "livelock", livelock);

/// Half of a warp is at one barrier instruction, and half at another one.
template <bool right>
__global__ void part(int* seen) {
  if (right || threadIdx.x < 16) {
    asm volatile("bar.sync 0; // lower half" ::: "memory"); // first
    seen[threadIdx.x] = 1;
  } else {
    asm volatile("bar.sync 0; // upper half" ::: "memory"); // second
    seen[threadIdx.x] = 2;
  }
}

bool divergence(bool right) {
  check::device_memory<int> seen(32);
  check::launch({.threads = 32}, right ? part<true> : part<false>, seen.data());
  return seen.all_are(1);
}

check::program const parted("barrier_divergence", "divergence", divergence);

} // namespace
