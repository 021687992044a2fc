// SPDX-License-Identifier: Apache-2.0
//
// Data that is volatile or relaxed, so that no access to it races, but that a flag publishes nevertheless. Between the
// data and the flag a fence is missing, or has block scope only.
// pass: a flag between two blocks. handover: a lock. meet: a barrier of blocks; the threads that write and read the
// data are not those that fence.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

enum class fence { none, block, device };

template <fence f>
__device__ void fence_here() {
  if constexpr (f == fence::block) __threadfence_block();
  if constexpr (f == fence::device) __threadfence();
}

template <fence release, fence acquire>
__global__ void pass(int volatile* data, int volatile* flag, int* seen) {
  if (blockIdx.x == 0) {
    data[0] = 42; // first
    fence_here<release>();
    *flag = 1;
  } else {
    while (!*flag);
    fence_here<acquire>();
    *seen = data[0]; // second
  }
}

template <fence release, fence acquire>
bool run_pass(bool right) {
  check::device_memory<int> data, flag, seen;
  check::launch({.blocks = 2}, right ? pass<fence::device, fence::device> : pass<release, acquire>, data.data(),
                flag.data(), seen.data());
  return seen[0] == 42;
}

constexpr int rounds = 3;

template <fence release, fence acquire>
__global__ void handover(int* lock, int* sum) {
  word const taken(*lock), counted(*sum);
  for (int i = 0; i < rounds; ++i) {
    while (taken.exchange(1, memory_order_relaxed));
    fence_here<acquire>();
    int const before = counted.load(memory_order_relaxed); // second
    counted.store(before + 1, memory_order_relaxed);       // first
    fence_here<release>();
    taken.store(0, memory_order_relaxed);
  }
}

template <fence release, fence acquire>
bool run_handover(bool right) {
  check::device_memory<int> lock, sum;
  check::launch({.blocks = 2}, right ? handover<fence::device, fence::device> : handover<release, acquire>, lock.data(),
                sum.data());
  return sum[0] == 2 * rounds;
}

template <fence release, fence acquire>
__global__ void meet(int volatile* data, int* arrived, int* seen) {
  constexpr int threads = 64;
  int const mine = int(blockIdx.x) * threads + int(threadIdx.x);
  int const other = int(1 - blockIdx.x) * threads + int(threadIdx.x);
  data[mine] = 7; // first
  __syncthreads();
  if (threadIdx.x == 0) {
    word const count(*arrived);
    fence_here<release>();
    count.fetch_add(1, memory_order_relaxed);
    while (count.load(memory_order_relaxed) < 2);
    fence_here<acquire>();
  }
  __syncthreads();
  seen[mine] = data[other]; // second
}

template <fence release, fence acquire>
bool run_meet(bool right) {
  check::device_memory<int> data(128), arrived, seen(128);
  check::launch({.blocks = 2, .threads = 64}, right ? meet<fence::device, fence::device> : meet<release, acquire>,
                data.data(), arrived.data(), seen.data());
  return seen.all_are(7);
}

check::program const programs[] = {
    {"stale_release_fence", "stale", run_pass<fence::block, fence::device>},
    {"stale_acquire_fence", "stale", run_pass<fence::device, fence::block>},
    {"stale_both_fences", "stale", run_pass<fence::block, fence::none>},
    {"stale_no_release", "stale", run_pass<fence::none, fence::device>},
    {"stale_no_acquire", "stale", run_pass<fence::device, fence::none>},
    {"stale_no_fence", "stale", run_pass<fence::none, fence::none>},
    {"stale_lock_release", "stale", run_handover<fence::block, fence::device>},
    {"stale_lock_acquire", "stale", run_handover<fence::device, fence::block>},
    {"stale_lock_no_release", "stale", run_handover<fence::none, fence::device>},
    {"stale_lock_no_acquire", "stale", run_handover<fence::device, fence::none>},
    {"stale_barrier_release", "stale", run_meet<fence::block, fence::device>},
    {"stale_barrier_acquire", "stale", run_meet<fence::device, fence::block>},
};

} // namespace
