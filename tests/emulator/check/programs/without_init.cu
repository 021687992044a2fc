// SPDX-License-Identifier: Apache-2.0
//
// The threads of a block use an object of block scope in shared memory, whose default constructor is trivial. Wrong: no
// thread gives the object its value by init.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;

constexpr int threads = 64;

template <bool right>
__global__ void count(int* counted) {
  __shared__ atomic<int, thread_scope_block> counter;
  if (right && threadIdx.x == 0) init(&counter, 0);
  __syncthreads();
  counter.fetch_add(1, memory_order_relaxed); // first
  __syncthreads();
  if (threadIdx.x == 0) *counted = counter.load(memory_order_relaxed);
}

/// One attempt: a lock() might wait indefinitely.
template <bool right>
__global__ void count_alone(int* counted) {
  __shared__ mutex<thread_scope_block> alone;
  if (right && threadIdx.x == 0) init(&alone);
  __syncthreads();
  if (threadIdx.x == 0 && alone.try_lock()) { // first
    *counted = threads;
    alone.unlock();
  }
}

bool run_atomic(bool right) {
  check::device_memory<int> counted;
  check::launch({.threads = threads}, right ? count<true> : count<false>, counted.data());
  return counted[0] == threads;
}

bool run_mutex(bool right) {
  check::device_memory<int> counted;
  check::launch({.threads = threads}, right ? count_alone<true> : count_alone<false>, counted.data());
  return counted[0] == threads;
}

check::program const of_atomic("atomic_without_init", "uninitialised", run_atomic);
check::program const of_mutex("mutex_without_init", "uninitialised", run_mutex);

} // namespace
