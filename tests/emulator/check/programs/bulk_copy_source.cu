// SPDX-License-Identifier: Apache-2.0
//
// Threads fill shared memory repeatedly, and a bulk copy moves it to global memory each time. Wrong: no thread waits
// until the copy has read the memory before it is filled again. The copy's writes need to be awaited only at the end.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int threads = 32, rounds = 3;

template <bool right>
__global__ void fill(int* data) {
  __shared__ alignas(16) int tile[threads];
  for (int round = 0; round < rounds; ++round) {
    tile[threadIdx.x] = round + int(threadIdx.x) + 1; // second
    ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::bulk_copy_to_global(data + round * threads, ptx::shared(tile), sizeof(tile)); // first
      if constexpr (right) ptx::bulk_copy_wait_read();
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) ptx::bulk_copy_wait();
}

bool run(bool right) {
  check::device_memory<int> data(threads * rounds);
  check::launch({.threads = threads}, right ? fill<true> : fill<false>, data.data());
  for (int i = 0; i < threads * rounds; ++i)
    if (data[i] != i / threads + i % threads + 1) return false;
  return true;
}

check::program const program("bulk_copy_source_overwritten", "race", run);

} // namespace
