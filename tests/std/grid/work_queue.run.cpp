// SPDX-License-Identifier: Apache-2.0
//
// work_queue (extension): the contract of for_each_canceled_block on every SM, for launches of fewer, as many and more
// blocks than the queue has indices. The queue resets itself for the next launch.
#include "support/test.hpp"
import cudax.sync;
#include "stealing.hpp"

using namespace cudax_test;
using cudax::block_index;
using cudax::work_queue;

static_assert(__is_trivially_copyable(work_queue<2>));
static_assert(work_queue(nullptr, 7).rank == 1 && work_queue(nullptr, 7, 8).rank == 2 &&
              work_queue(nullptr, 7, 8, 9).rank == 3);
static_assert(work_queue(nullptr, 7, 8, 9).size() == 504 && work_queue<1>(nullptr, 7).extent() == block_index{7, 1, 1});
static_assert(work_queue(nullptr, 2'000'000'000, 65'535, 65'535).size() == 2'000'000'000ull * 65'535 * 65'535);

HOST_TEST("on the host the calling thread processes every index in order, and does not touch the counter") {
  unsigned long long taken = 5;
  work_queue const queue(&taken, 2, 3, 4);
  unsigned calls = 0, wrong = 0;
  for_each(queue, [&](block_index i) { wrong += (i.z * 3 + i.y) * 2 + i.x != calls++; });
  CHECK_EQUAL(calls, 24u);
  CHECK_EQUAL(wrong, 0u);
  CHECK_EQUAL(taken, 5ull);
  queue.reset();
  CHECK_EQUAL(taken, 0ull);
}

#if defined(__CUDA__)

/// A counter in device, managed or mapped memory.
class counter {
  void* at_ = nullptr;
  bool mapped_;

public:
  enum class memory { device, managed, mapped };

  explicit counter(memory where) : mapped_(where == memory::mapped) {
    if (where == memory::device) CUDA_MUST(cudaMalloc(&at_, 8));
    else if (where == memory::managed) CUDA_MUST(cudaMallocManaged(&at_, 8));
    else CUDA_MUST(cudaHostAlloc(&at_, 8, cudaHostAllocMapped));
    CUDA_MUST(cudaMemset(at_, 0, 8));
  }
  ~counter() { mapped_ ? cudaFreeHost(at_) : cudaFree(at_); }
  counter(counter const&) = delete;
  counter& operator=(counter const&) = delete;

  unsigned long long* get() const { return static_cast<unsigned long long*>(at_); }
  unsigned long long value() const {
    unsigned long long value = 1;
    CUDA_MUST(cudaMemcpy(&value, at_, 8, cudaMemcpyDefault));
    return value;
  }
};

template <int Rank>
static __global__ void work(work_queue<Rank> queue, stealing::grid grid, dim3 cluster) {
  __shared__ unsigned marks[2][stealing::most_in_block];
  // The block's own index: that of the cluster with this number in the queue's grid, plus the block's position in the
  // cluster.
  dim3 const of_cluster(blockIdx.x / cluster.x, blockIdx.y / cluster.y, blockIdx.z / cluster.z);
  unsigned const across = gridDim.x / cluster.x, down = gridDim.y / cluster.y;
  unsigned const number = (of_cluster.z * down + of_cluster.y) * across + of_cluster.x;
  unsigned const queue_across = grid.x / cluster.x, queue_down = grid.y / cluster.y;
  dim3 const own(number % queue_across * cluster.x + blockIdx.x % cluster.x,
                 number / queue_across % queue_down * cluster.y + blockIdx.y % cluster.y,
                 number / queue_across / queue_down * cluster.z + blockIdx.z % cluster.z);
  stealing::recorder recorder(grid, own, marks);
  for_each(queue, [&](dim3 i) { recorder.record(i); });
  recorder.end();
}

static void check_contract(counter const& taken, dim3 extent, dim3 blocks, unsigned threads, unsigned skew,
                           dim3 cluster, context& test_) {
  stealing::run const run(extent, skew);
  unsigned long long const launched = (unsigned long long)blocks.x * blocks.y * blocks.z;
  if (extent.z != 1)
    launch_in_clusters(work<3>, blocks, threads, cluster, work_queue<3>(taken.get(), extent), run.on_device(), cluster);
  else if (extent.y != 1)
    launch_in_clusters(work<2>, blocks, threads, cluster, work_queue<2>(taken.get(), extent), run.on_device(), cluster);
  else
    launch_in_clusters(work<1>, blocks, threads, cluster, work_queue<1>(taken.get(), extent), run.on_device(), cluster);
  stealing::findings const found = run.verify(threads, test_);
  CHECK_EQUAL(found.idle, launched > run.size() ? launched - run.size() : 0ull);
  CHECK_EQUAL(found.stolen, launched < run.size() ? run.size() - launched : 0ull);
  CHECK_EQUAL(taken.value(), 0ull);
}

DEVICE_TEST("every index is processed once, the block's own index first: fewer, as many and more blocks than indices") {
  counter const taken(counter::memory::device);
  for (unsigned const size : {1, 2, 3, 31, 33, 1000})
    for (unsigned const blocks : {1, 2, 8, 33, 40}) check_contract(taken, size, blocks, 32, 0, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: blocks of one thread and of some warps") {
  counter const taken(counter::memory::device);
  for (unsigned const threads : {1, 2, 33, 64}) check_contract(taken, 100, 7, threads, 0, 1, test_);
}
DEVICE_TEST(
    "every index is processed once, the block's own index first: 2 and 3 dimensions, and launches of other shapes") {
  counter const taken(counter::memory::device);
  check_contract(taken, dim3(7, 13), dim3(7, 13), 32, 0, 1, test_);
  check_contract(taken, dim3(7, 13), dim3(7, 2), 32, 0, 1, test_);
  check_contract(taken, dim3(7, 13), 5, 32, 0, 1, test_);
  check_contract(taken, dim3(1, 50), dim3(2, 3), 32, 0, 1, test_);
  check_contract(taken, dim3(5, 7, 11), dim3(5, 7, 1), 32, 0, 1, test_);
  check_contract(taken, dim3(5, 7, 11), dim3(2, 2, 2), 32, 0, 1, test_);
  check_contract(taken, dim3(1, 1, 50), 4, 32, 0, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: skewed work") {
  counter const taken(counter::memory::device);
  check_contract(taken, 500, 8, 32, 50, 1, test_);
}
DEVICE_TEST("every index is processed once, the block's own index first: 10^6 indices") {
  counter const taken(counter::memory::device);
  check_contract(taken, 1'000'000, 64, 1, 0, 1, test_);
  check_contract(taken, dim3(100, 100, 100), 64, 1, 0, 1, test_);
}
DEVICE_TEST(
    "every index is processed once, the block's own index first: clusters, which take as many as they have blocks") {
  if (stealing::capability() < 9) {
    CHECK(true); // the host has no other blocks
    return;
  }
  counter const taken(counter::memory::device);
  check_contract(taken, 200, 6, 32, 0, 2, test_);
  check_contract(taken, 8, 24, 32, 0, 4, test_);
  check_contract(taken, dim3(8, 12), dim3(4, 2), 32, 10, dim3(2, 2), test_);
  check_contract(taken, dim3(4, 6, 10), dim3(2, 3, 2), 32, 0, dim3(1, 3, 2), test_);
}
DEVICE_TEST("a queue's counter may be in device, managed and mapped memory") {
  for (auto const where : {counter::memory::device, counter::memory::managed, counter::memory::mapped}) {
    counter const taken(where);
    check_contract(taken, 100, 6, 32, 0, 1, test_);
    check_contract(taken, 50, 60, 32, 0, 1, test_); // the same queue again, which has reset itself
  }
}

/// Two queues in turn in one kernel: the first round of the second queue begins while slow threads are still in the
/// last round of the first one.
static __global__ void twice(work_queue<1> first, work_queue<1> second, unsigned* counts) {
  for_each(first, [=](dim3 i) { atomicAdd(&counts[i.x], 1); });
  for_each(second, [=](dim3 i) { atomicAdd(&counts[i.x], 1); });
}

DEVICE_TEST("a kernel may process two queues in turn") {
  constexpr unsigned size = 50, threads = 64;
  counter const first(counter::memory::device), second(counter::memory::device);
  unsigned* counts = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&counts), size * sizeof(unsigned)));
  for (unsigned i = 0; i < size; ++i) counts[i] = 0;
  twice<<<5, threads>>>(work_queue(first.get(), size), work_queue(second.get(), size), counts);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  for (unsigned i = 0; i < size; ++i) CHECK_EQUAL(counts[i], 2 * threads);
  cudaFree(counts);
}

/// A queue is reused in the same kernel after a barrier of all its blocks, which are resident together.
static __global__ void again(work_queue<1> queue, unsigned* counts, unsigned* arrived) {
  for (unsigned round = 1; round <= 5; ++round) {
    for_each(queue, [=](dim3 i) { atomicAdd(&counts[i.x], 1); });
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < round * gridDim.x) {}
      __threadfence();
    }
    __syncthreads();
  }
}

DEVICE_TEST("a kernel may reuse a queue after a barrier of the grid") {
  constexpr unsigned size = 50, threads = 32;
  counter const taken(counter::memory::device);
  unsigned* counts = nullptr; // and the number of arrivals
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&counts), (size + 1) * sizeof(unsigned)));
  for (unsigned i = 0; i <= size; ++i) counts[i] = 0;
  again<<<4, threads>>>(work_queue(taken.get(), size), counts, counts + size);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  for (unsigned i = 0; i < size; ++i) CHECK_EQUAL(counts[i], 5 * threads);
  CHECK_EQUAL(taken.value(), 0ull);
  cudaFree(counts);
}

#endif
