// SPDX-License-Identifier: Apache-2.0
//
// stealing_pipeline, try_cancel_tx (extensions): stolen tiles between roles. In each block a warp schedules, a warp
// produces tiles, and a group of two warps consumes them. The roles meet only at the barriers of the tiles, and each of
// them learns by itself which tile is next. Every tile is consumed once, with the data that were produced for it.
#include "support/test.hpp"
import cudax.sync;
#include "stealing.hpp"

using namespace cudax_test;
using cudax::block_index;
using cudax::work_queue;

HOST_TEST("on the host the calling thread gets every index, in order") {
  cudax::stealing_pipeline_state<2> state;
  unsigned long long taken = 0;
  auto pipeline = cudax::make_stealing_pipeline(&state, 1, work_queue(&taken, 2, 3));
  pipeline.schedule();
  unsigned calls = 0, wrong = 0;
  pipeline.for_each(cudax::this_thread, [&](block_index i) { wrong += i.y * 2 + i.x != calls++; });
  CHECK_EQUAL(calls, 6u);
  CHECK_EQUAL(wrong, 0u);
  block_index own{7, 7, 7};
  auto alone = cudax::make_stealing_pipeline<1>(&state, 1);
  CHECK(alone.next(cudax::this_thread, own));
  CHECK(own == block_index{0, 0, 0});
  CHECK(!alone.next(cudax::this_thread, own));
  CHECK(!cudax::device::has_launch_cancellation());
}

#if defined(__CUDA__)

namespace {

constexpr unsigned threads = 128;

struct tiles {
  unsigned* sums;  // one for each index
  unsigned* first; // blocks that began with another index than their own
  unsigned* stolen;
  dim3 extent;
  unsigned skew; // extra time of a consumer for every eighth tile, in steps of 100 ns

  __device__ unsigned number_of(block_index i) const { return (i.z * extent.y + i.y) * extent.x + i.x; }
};

/// The roles. `blocks` is the calling thread's pipeline.
template <class Pipeline> __device__ void act(Pipeline& blocks, tiles t, block_index own) {
  __shared__ cudax::barrier<cudax::thread_scope_block> full[2], empty[2];
  __shared__ unsigned tile[2][32];
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; ++s) init(&full[s], 32), init(&empty[s], 64);
  cudax::this_block.sync();
  auto const consumers = cudax::this_block.warps<2, 2, 1>();
  unsigned const lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) blocks.schedule();
  } else if (!consumers.contains()) {
    block_index index{};
    for (unsigned k = 0; blocks.next(cudax::this_warp, index); ++k) {
      if (k >= 2) empty[k % 2].wait_parity((k / 2 - 1) % 2 != 0);
      tile[k % 2][lane] = 32 * t.number_of(index) + lane;
      (void)full[k % 2].arrive();
    }
  } else {
    unsigned k = 0;
    blocks.for_each(consumers, [&](block_index index) {
      unsigned const number = t.number_of(index);
      full[k % 2].wait_parity(k / 2 % 2 != 0);
      unsigned const value = tile[k % 2][lane];
      (void)empty[k % 2].arrive();
      if (k == 0 && !(index == own) && threadIdx.x == 64) atomicAdd(t.first, 1);
      if (k != 0 && threadIdx.x == 64) atomicAdd(t.stolen, 1);
      if (number % 8 == 0)
        for (unsigned i = 0; i < t.skew; ++i) __nanosleep(100);
      if (value == 32 * number + lane) atomicAdd(&t.sums[number], 1);
      ++k;
    });
  }
}

template <int Rank, int Stages> __global__ void by_canceling(tiles t) {
  __shared__ cudax::stealing_pipeline_state<Stages> state;
  auto blocks = cudax::make_stealing_pipeline<Rank>(&state, 2);
  act(blocks, t, {blockIdx.x, blockIdx.y, blockIdx.z});
}
template <int Rank, int Stages> __global__ void by_counting(tiles t, work_queue<Rank> queue) {
  __shared__ cudax::stealing_pipeline_state<Stages> state;
  auto blocks = cudax::make_stealing_pipeline(&state, 2, queue);
  act(blocks, t, {blockIdx.x, blockIdx.y, blockIdx.z});
}

/// Runs `launch` with tiles of the extent, and checks that each of them was consumed once.
template <class Launch> unsigned check_tiles(dim3 extent, unsigned skew, Launch launch, context& test_) {
  unsigned const count = extent.x * extent.y * extent.z;
  unsigned* memory = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&memory), (count + 2) * sizeof(unsigned)));
  CUDA_MUST(cudaMemset(memory, 0, (count + 2) * sizeof(unsigned)));
  launch(tiles{memory + 2, memory, memory + 1, extent, skew});
  CHECK_EQUAL(int(cudaGetLastError()), int(cudaSuccess));
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  std::vector<unsigned> found(count + 2);
  CUDA_MUST(cudaMemcpy(found.data(), memory, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  cudaFree(memory);
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) wrong += found[i + 2] != 64;
  CHECK_EQUAL(wrong, 0u);
  CHECK_EQUAL(found[0], 0u);
  return found[1];
}

void check_canceling(dim3 extent, unsigned skew, dim3 cluster, context& test_) {
  unsigned const stolen = check_tiles(
      extent, skew,
      [&](tiles t) {
        launch_in_clusters(extent.y == 1 ? by_canceling<1, 2> : by_canceling<3, 1>, extent, threads, cluster, t);
      },
      test_);
  if (stealing::capability() < 10) CHECK_EQUAL(stolen, 0u);
  else if (extent.x >= 3000) CHECK(stolen > 0); // more than the blocks that are resident on any device
}

template <int Rank, int Stages>
void check_counting(dim3 extent, dim3 launched, unsigned skew, dim3 cluster, context& test_) {
  unsigned long long* taken = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&taken), sizeof(*taken)));
  CUDA_MUST(cudaMemset(taken, 0, sizeof(*taken)));
  for (int again = 0; again < 2; ++again) { // the queue resets itself
    unsigned const stolen = check_tiles(
        extent, skew,
        [&](tiles t) {
          launch_in_clusters(by_counting<Rank, Stages>, launched, threads, cluster, t,
                             work_queue<Rank>(taken, extent.x, extent.y, extent.z));
        },
        test_);
    unsigned const all = extent.x * extent.y * extent.z, own = launched.x * launched.y * launched.z;
    CHECK_EQUAL(stolen, all > own ? all - own : 0u);
  }
  cudaFree(taken);
}

} // namespace

DEVICE_TEST("tiles of cancelled blocks pass between roles") {
  check_canceling(1, 0, 1, test_);
  check_canceling(100, 5, 1, test_);
  check_canceling(3000, 0, 1, test_);
  check_canceling(dim3(5, 4, 3), 0, 1, test_);
}
DEVICE_TEST("tiles of a queue pass between roles") {
  check_counting<1, 2>(60, 4, 3, 1, test_);
  check_counting<1, 1>(37, 5, 0, 1, test_);
  check_counting<1, 3>(3, 5, 0, 1, test_); // blocks without a tile
  check_counting<2, 2>(dim3(6, 7), dim3(6, 1), 3, 1, test_);
}
DEVICE_TEST("tiles pass between roles in clusters, which take a cluster of tiles together") {
  if (stealing::capability() < 9) {
    CHECK(true); // each cluster is one block
    return;
  }
  check_canceling(64, 3, 2, test_);
  check_canceling(dim3(4, 6, 2), 0, dim3(2, 2), test_);
  check_counting<1, 2>(48, 8, 3, 4, test_);
  check_counting<2, 1>(dim3(6, 8), dim3(6, 4), 0, dim3(2, 2), test_);
}

/// The example of try_cancel_tx, with a check.
static __global__ void one_request(unsigned* sums) {
  __shared__ cudax::device::launch_cancellation answer;
  __shared__ cudax::barrier<cudax::thread_scope_block> answered;
  if (threadIdx.x == 0) init(&answered, 1);
  unsigned block = blockIdx.x;
  for (bool parity = false;; parity = !parity) {
    __syncthreads(); // the previous answer has been read
    if (cudax::device::has_launch_cancellation() && threadIdx.x == 0) {
      (void)cudax::device::barrier_arrive_tx(answered, 1, sizeof(answer));
      cudax::device::try_cancel_tx(&answer, answered);
    }
    atomicAdd(&sums[block], 1);
    if (!cudax::device::has_launch_cancellation()) return;
    answered.wait_parity(parity);
    if (!answer.is_canceled()) return;
    block = answer.first_block().x;
  }
}
DEVICE_TEST("a kernel requests cancellations by itself") {
  check_tiles(dim3(300), 0, [](tiles t) { one_request<<<300, 64>>>(t.sums); }, test_);
}

#endif
