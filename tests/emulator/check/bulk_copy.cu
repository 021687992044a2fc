// SPDX-License-Identifier: Apache-2.0
//
// Threads fill shared memory, and one thread copies it to global memory in bulk. Wrong: without a proxy fence the copy,
// which uses the async proxy, need not see what was stored through the generic proxy.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int threads = 32;

template <bool right>
__global__ void fill(int* data) {
  __shared__ alignas(16) int tile[threads];
  tile[threadIdx.x] = int(threadIdx.x) + 1; // first
  if constexpr (right) ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::bulk_copy_to_global(data, ptx::shared(tile), sizeof(tile)); // second
    ptx::bulk_copy_wait();
  }
}

bool run(bool right) {
  check::device_memory<int> data(threads);
  check::launch({.threads = threads}, right ? fill<true> : fill<false>, data.data());
  for (int i = 0; i < threads; ++i)
    if (data[i] != i + 1) return false;
  return true;
}

check::program const program("bulk_copy_without_proxy_fence", "race", run);

} // namespace
