// SPDX-License-Identifier: Apache-2.0
//
// Message passing between two blocks of one thread each: data, then a flag. Wrong: the flag is released, or acquired,
// or both, at block scope only.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;

template <thread_scope release, thread_scope acquire>
__global__ void pass(int* data, int* flag, int* seen) {
  if (blockIdx.x == 0) {
    *data = 42;                                                     // first
    atomic_ref<int, release>(*flag).store(1, memory_order_release); // first
  } else {
    while (!atomic_ref<int, acquire>(*flag).load(memory_order_acquire)) // second
      ;
    *seen = *data; // second
  }
}

template <thread_scope release, thread_scope acquire>
bool run(bool right) {
  check::device_memory<int> data, flag, seen;
  auto const kernel = right ? pass<thread_scope_device, thread_scope_device> : pass<release, acquire>;
  check::launch({.blocks = 2}, kernel, data.data(), flag.data(), seen.data());
  return seen[0] == 42;
}

check::program const block("scope_block_across_blocks", "race", run<thread_scope_block, thread_scope_block>);
check::program const release("release_device_acquire_block", "race", run<thread_scope_device, thread_scope_block>);
check::program const acquire("release_block_acquire_device", "race", run<thread_scope_block, thread_scope_device>);

} // namespace
