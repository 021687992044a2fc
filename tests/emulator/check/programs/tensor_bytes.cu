// SPDX-License-Identifier: Apache-2.0
//
// A thread loads a tile by a tensor copy, and all wait for it. Wrong: the barrier expects a row more than the map's box
// has, so that its phase never ends.
#include "tensor.hpp"

namespace {

constexpr int columns = 32, rows = 4, threads = 32, count = columns * rows;

template <bool right>
__global__ void expect(__grid_constant__ CUtensorMap const map, int* sum) {
  __shared__ alignas(128) int tile[count];
  __shared__ alignas(8) ptx::u64 barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(ptx::shared(&barrier), 1);
    ptx::fence_proxy_async();
    ptx::mbarrier_arrive_expect_tx(ptx::shared(&barrier), sizeof(tile) + (right ? 0 : columns * sizeof(int)));
    ptx::tensor_load(ptx::shared(tile), &map, ptx::shared(&barrier));
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(ptx::shared(&barrier), 0)) {} // first
  for (int i = int(threadIdx.x); i < count; i += threads) atomicAdd(sum, tile[i]);
}

bool run_expect(bool right) {
  check::device_memory<int> data(count), sum;
  check::launch({.threads = threads}, right ? expect<true> : expect<false>,
                check::matrix_map(data.data(), columns, rows), sum.data());
  return sum[0] == 0;
}

check::program const program("tensor_copy_of_fewer_bytes_than_expected", "livelock", run_expect);

} // namespace
