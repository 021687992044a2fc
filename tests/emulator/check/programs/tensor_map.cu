// SPDX-License-Identifier: Apache-2.0
//
// A thread changes a tensor map that a copy of the same kernel uses. The thread releases it, and the thread that copies
// acquires it. Wrong: one of the two is missing, or comes too early.
#include "tensor.hpp"

import cudax.sync;

namespace {

using flag = cudax::atomic_ref<int, cudax::thread_scope_device>;

constexpr int columns = 32, rows = 4, threads = 32, count = columns * rows;

/// In global memory: the map that copies use, and the flag that tells when it is there.
struct shared_by_blocks {
  alignas(128) CUtensorMap used;
  int ready;
};

/// A tile, filled; one block.
__device__ void fill(int* tile) {
  for (int i = int(threadIdx.x); i < count; i += threads) tile[i] = i + 1;
  ptx::fence_proxy_async();
  __syncthreads();
}

enum class mistake { none, no_release, release_to_cluster, acquire_of_cluster };

/// A block assigns the map, another one, of another cluster, copies by it. Wrong: the map is only released to other
/// threads, not to the proxy that reads maps; or the scope of one of the fences leaves out the other block.
template <mistake what>
__global__ void assign(__grid_constant__ CUtensorMap const map, shared_by_blocks* all) {
  __shared__ alignas(128) int tile[count];
  fill(tile);
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    auto const* const from = reinterpret_cast<int const*>(&map);
    for (int i = 0; i < 32; ++i) reinterpret_cast<int*>(&all->used)[i] = from[i]; // first
    if constexpr (what == mistake::release_to_cluster) ptx::release_tensor_maps_to_cluster();
    else if constexpr (what != mistake::no_release) ptx::release_tensor_maps();
    flag(all->ready).store(1, cudax::memory_order_release);
  } else {
    if (threadIdx.x != 0) return;
    while (!flag(all->ready).load(cudax::memory_order_acquire)) {}
    if constexpr (what == mistake::acquire_of_cluster) ptx::fence_tensor_map_of_cluster(&all->used);
    else ptx::fence_tensor_map(&all->used);
    ptx::tensor_store(&all->used, ptx::shared(tile)); // second
    ptx::bulk_copy_wait();
  }
}

/// A warp publishes a map from shared memory, another block copies by it. Wrong: that block does not acquire it.
template <bool right>
__global__ void publish(__grid_constant__ CUtensorMap const map, shared_by_blocks* all) {
  __shared__ alignas(128) int tile[count];
  __shared__ alignas(128) CUtensorMap made;
  fill(tile);
  if (blockIdx.x == 0) {
    reinterpret_cast<int*>(&made)[threadIdx.x] = reinterpret_cast<int const*>(&map)[threadIdx.x];
    __syncwarp();
    ptx::publish_tensor_map(&all->used, ptx::shared(&made)); // first
    __syncwarp();
    if (threadIdx.x == 0) flag(all->ready).store(1, cudax::memory_order_release);
  } else {
    if (threadIdx.x != 0) return;
    while (!flag(all->ready).load(cudax::memory_order_acquire)) {}
    if constexpr (right) ptx::fence_tensor_map(&all->used);
    ptx::tensor_store(&all->used, ptx::shared(tile)); // second
    ptx::bulk_copy_wait();
  }
}

template <void (*right)(CUtensorMap, shared_by_blocks*), void (*wrong)(CUtensorMap, shared_by_blocks*)>
bool run(bool is_right) {
  check::device_memory<int> data(count), other(count);
  check::device_memory<shared_by_blocks> all;
  shared_by_blocks before{check::matrix_map(other.data(), columns, rows), 0};
  CHECK_MUST(cudaMemcpy(all.data(), &before, sizeof(before), cudaMemcpyHostToDevice));
  check::launch({.blocks = 2, .threads = threads}, is_right ? right : wrong,
                check::matrix_map(data.data(), columns, rows), all.data());
  for (int i = 0; i < count; ++i)
    if (data[i] != i + 1) return false;
  return true;
}

check::program const programs[] = {
    {"tensor_map_assigned_without_release", "race", run<assign<mistake::none>, assign<mistake::no_release>>},
    {"tensor_map_released_to_the_cluster", "race", run<assign<mistake::none>, assign<mistake::release_to_cluster>>},
    {"tensor_map_acquired_of_the_cluster", "race", run<assign<mistake::none>, assign<mistake::acquire_of_cluster>>},
    {"tensor_map_published_without_acquire", "race", run<publish<true>, publish<false>>},
};

} // namespace
