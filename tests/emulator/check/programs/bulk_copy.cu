// SPDX-License-Identifier: Apache-2.0
//
// Threads fill shared memory, and one thread copies it to global memory in bulk. Wrong: without a proxy fence, or with
// one for another state space, the copy, which uses the async proxy, need not see what was stored through the generic
// proxy. Or it waits until the copy has read the tile, and reads the result, which need not be written.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int threads = 32;

enum class fenced { nothing, global, shared };

template <fenced space>
__global__ void fill(int* data) {
  __shared__ alignas(16) int tile[threads];
  tile[threadIdx.x] = int(threadIdx.x) + 1; // first
  if constexpr (space == fenced::shared) ptx::fence_proxy_async();
  if constexpr (space == fenced::global) ptx::fence_proxy_async_global();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::bulk_copy_to_global(data, ptx::shared(tile), sizeof(tile)); // second
    ptx::bulk_copy_wait();
  }
}

template <fenced wrong>
bool run(bool right) {
  check::device_memory<int> data(threads);
  check::launch({.threads = threads}, right ? fill<fenced::shared> : fill<wrong>, data.data());
  for (int i = 0; i < threads; ++i)
    if (data[i] != i + 1) return false;
  return true;
}

template <bool is_written>
__global__ void read_back(int* data) {
  __shared__ alignas(16) int tile[threads];
  tile[threadIdx.x] = int(threadIdx.x) + 1;
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::bulk_copy_to_global(data, ptx::shared(tile), sizeof(tile)); // first
  ptx::bulk_copy_wait_read();
  if constexpr (is_written) ptx::bulk_copy_wait_group<0>();
  data[threads] = data[5]; // second
}

bool run_read_back(bool right) {
  check::device_memory<int> data(threads + 1);
  check::launch({.threads = threads}, right ? read_back<true> : read_back<false>, data.data());
  return data[threads] == 6;
}

check::program const result("bulk_copy_read_before_it_is_written", "race", run_read_back);
check::program const without("bulk_copy_without_proxy_fence", "race", run<fenced::nothing>);
check::program const other("proxy_fence_of_another_space", "race", run<fenced::global>);

} // namespace
