// SPDX-License-Identifier: Apache-2.0
//
// device::for_each_canceled_block (libcu++, <cuda/work_stealing>): a block's own index first, then those of other
// blocks whose launch it cancelled; every index of the grid once. Cancelling requires sm_100. On older SMs each block
// works on its own index only, and the same checks apply.
#include "support/test.hpp"
import cudax.sync;
#include "stealing.hpp"

using namespace cudax_test;
using cudax::block_index;

HOST_TEST("on the host f is called once, with 0, 0, 0") {
  int calls = 0;
  cudax::device::for_each_canceled_block([&](block_index i) {
    ++calls;
    CHECK(i == block_index{0, 0, 0});
  });
  CHECK_EQUAL(calls, 1);
  cudax::device::for_each_canceled_block<1>([&](block_index) { ++calls; });
  CHECK_EQUAL(calls, 2);
}

#if defined(__CUDA__)

template <int Rank>
static __global__ void cancel(stealing::grid grid) {
  __shared__ unsigned marks[2][stealing::most_in_block];
  stealing::recorder recorder(grid, blockIdx, marks);
  cudax::device::for_each_canceled_block<Rank>([&](dim3 i) { recorder.record(i); });
  recorder.end();
}

static void check_contract(dim3 blocks, unsigned threads, unsigned skew, dim3 cluster, context& test_) {
  stealing::run const run(blocks, skew);
  auto const kernel = blocks.z != 1 ? cancel<3> : blocks.y != 1 ? cancel<2> : cancel<1>;
  launch_in_clusters(kernel, blocks, threads, cluster, run.on_device());
  stealing::findings const found = run.verify(threads, test_);
  CHECK_EQUAL(found.idle, 0ull);
  if (stealing::capability() < 10) CHECK_EQUAL(found.stolen, 0ull);
  else if (run.size() >= 10'000) CHECK(found.stolen > 0); // more than the blocks that are resident on any device
}

DEVICE_TEST("every index is processed once, the block's own index first: grids of 1 to 1000 blocks") {
  for (unsigned const blocks : {1, 2, 3, 31, 32, 33, 255, 1000}) check_contract(blocks, 32, 0, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: blocks of one thread and of some warps") {
  for (unsigned const threads : {1, 2, 33, 64}) check_contract(100, threads, 0, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: 2 and 3 dimensions") {
  check_contract(dim3(7, 13), 32, 0, 1, test_);
  check_contract(dim3(1, 50), 32, 0, 1, test_);
  check_contract(dim3(5, 7, 11), 32, 0, 1, test_);
  check_contract(dim3(1, 1, 50), 32, 0, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: skewed work") {
  check_contract(500, 32, 50, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: 10^6 blocks") {
  check_contract(1'000'000, 1, 0, 1, test_);
  check_contract(dim3(100, 100, 100), 1, 0, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: clusters, which are cancelled as a whole") {
  if (stealing::capability() < 9) {
    CHECK(true); // the host has no other blocks
    return;
  }
  check_contract(200, 32, 0, 2, test_);
  check_contract(dim3(8, 12), 32, 10, dim3(2, 2), test_);
  check_contract(dim3(4, 6, 10), 32, 0, dim3(1, 3, 2), test_);
}

/// Dimensions beyond Rank: garbage in the argument of f would be outside the grid.
static __global__ void missing(unsigned* wrong) {
  cudax::device::for_each_canceled_block<1>([&](block_index i) {
    if (i.y != 0 || i.z != 0) atomicAdd(wrong, 1);
  });
}

DEVICE_TEST("indices in dimensions that the grid does not have are 0") {
  unsigned *wrong, found = 1;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&wrong), sizeof(*wrong)));
  *wrong = 0;
  missing<<<300, 32>>>(wrong);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  found = *wrong;
  CHECK_EQUAL(found, 0u);
  cudaFree(wrong);
}

#endif
