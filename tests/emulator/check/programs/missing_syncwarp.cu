// SPDX-License-Identifier: Apache-2.0
//
// Lane 0 writes its answer to shared memory, a shuffle follows, and all lanes read. Wrong: shuffles, votes and similar
// instructions make lanes wait for each other, but do not order memory.
#include "program.hpp"

namespace {

constexpr unsigned all = 0xffffffff;

template <bool right>
__global__ void sum(int* data) {
  __shared__ int total;
  int value = int(threadIdx.x);
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(all, value, step);
  if (threadIdx.x == 0) total = value; // first
  int const next = __shfl_sync(all, value, int(threadIdx.x + 1) % 32);
  if constexpr (right) __syncwarp();
  data[threadIdx.x] = total + (next - next); // second
}

bool run(bool right) {
  check::device_memory<int> data(32);
  check::launch({.threads = 32}, right ? sum<true> : sum<false>, data.data());
  return data.all_are(31 * 32 / 2);
}

check::program const program("missing_syncwarp", "race", run);

} // namespace
