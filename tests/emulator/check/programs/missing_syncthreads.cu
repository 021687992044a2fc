// SPDX-License-Identifier: Apache-2.0
//
// A block reverses an array in shared memory. Wrong: no __syncthreads between writing and reading.
#include "program.hpp"

namespace {

constexpr int threads = 64;

template <bool right>
__global__ void reverse(int* data) {
  __shared__ int tile[threads];
  int const i = int(threadIdx.x);
  tile[i] = i; // first
  if constexpr (right) __syncthreads();
  data[i] = tile[threads - 1 - i]; // second
}

bool run(bool right) {
  check::device_memory<int> data(threads);
  check::launch({.threads = threads}, right ? reverse<true> : reverse<false>, data.data());
  for (int i = 0; i < threads; ++i)
    if (data[i] != threads - 1 - i) return false;
  return true;
}

check::program const program("missing_syncthreads", "race", run);

} // namespace
