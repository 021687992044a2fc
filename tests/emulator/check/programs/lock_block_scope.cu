// SPDX-License-Identifier: Apache-2.0
//
// A lock that two blocks use. Wrong: the lock is atomic only for threads of one block.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;
constexpr int rounds = 3;

template <thread_scope scope>
__global__ void count(int* lock, int* sum) {
  atomic_ref<int, scope> word(*lock);
  for (int i = 0; i < rounds; ++i) {
    while (word.exchange(1, memory_order_acquire)) // first second
      ;
    *sum = *sum + 1;                     // first second
    word.store(0, memory_order_release); // first second
  }
}

bool run(bool right) {
  check::device_memory<int> lock, sum;
  check::launch({.blocks = 2}, right ? count<thread_scope_device> : count<thread_scope_block>, lock.data(), sum.data());
  return sum[0] == 2 * rounds;
}

check::program const program("lock_block_scope", "race", run);

} // namespace
