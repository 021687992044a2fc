// SPDX-License-Identifier: Apache-2.0
//
// The 32 lanes of a warp write, and lane 0 raises a flag for another block. Wrong: without __syncwarp the release
// covers only what lane 0 wrote.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;

template <bool right>
__global__ void pass(int* data, int* flag, int* seen) {
  atomic_ref<int, thread_scope_device> ready(*flag);
  int const lane = int(threadIdx.x);
  if (blockIdx.x == 0) {
    data[lane] = lane; // first
    if constexpr (right) __syncwarp();
    if (lane == 0) ready.store(1, memory_order_release);
  } else {
    while (!ready.load(memory_order_acquire));
    seen[lane] = data[31 - lane]; // second
  }
}

bool run(bool right) {
  check::device_memory<int> data(32), flag, seen(32);
  check::launch({.blocks = 2, .threads = 32}, right ? pass<true> : pass<false>, data.data(), flag.data(), seen.data());
  for (int i = 0; i < 32; ++i)
    if (seen[i] != 31 - i) return false;
  return true;
}

check::program const program("warp_release", "race", run);

} // namespace
