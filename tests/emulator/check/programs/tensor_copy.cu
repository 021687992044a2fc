// SPDX-License-Identifier: Apache-2.0
//
// Tiles of a matrix are copied by tensor copies, which use the async proxy, and read their map by a proxy of its own.
// Wrong: a proxy fence or the wait is missing.
#include "tensor.hpp"

namespace {

constexpr int columns = 32, rows = 4, threads = 32, count = columns * rows;

/// Threads fill a tile, and one thread stores it. Without a fence of the async proxy, the copy need not see what was
/// filled in; a fence of another proxy does not help.
template <bool right>
__global__ void store(__grid_constant__ CUtensorMap const map) {
  __shared__ alignas(128) int tile[count];
  for (int i = int(threadIdx.x); i < count; i += threads) tile[i] = i + 1; // first
  if constexpr (right) ptx::fence_proxy_async();
  else ptx::fence_proxy_alias();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::tensor_store(&map, ptx::shared(tile)); // second
    ptx::bulk_copy_wait();
  }
}

bool run_store(bool right) {
  check::device_memory<int> data(count);
  check::launch({.threads = threads}, right ? store<true> : store<false>,
                check::matrix_map(data.data(), columns, rows));
  for (int i = 0; i < count; ++i)
    if (data[i] != i + 1) return false;
  return true;
}

/// The same for the tensor that a copy loads: the kernel itself wrote it.
template <bool right>
__global__ void load_of_written(__grid_constant__ CUtensorMap const map, int* data, int* sum) {
  __shared__ alignas(128) int tile[count];
  __shared__ alignas(8) ptx::u64 barrier;
  for (int i = int(threadIdx.x); i < count; i += threads) data[i] = i + 1; // first
  if (threadIdx.x == 0) ptx::mbarrier_init(ptx::shared(&barrier), 1);
  if constexpr (right) ptx::fence_proxy_async_all();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::shared(&barrier), sizeof(tile));
    ptx::tensor_load(ptx::shared(tile), &map, ptx::shared(&barrier)); // second
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::shared(&barrier), 0)) {}
  for (int i = int(threadIdx.x); i < count; i += threads) atomicAdd(sum, tile[i]);
}

bool run_load_of_written(bool right) {
  check::device_memory<int> data(count), sum;
  check::launch({.threads = threads}, right ? load_of_written<true> : load_of_written<false>,
                check::matrix_map(data.data(), columns, rows), data.data(), sum.data());
  return sum[0] == count * (count + 1) / 2;
}

/// A tile is read. Wrong: nothing waits for the copy.
template <bool right>
__global__ void load(__grid_constant__ CUtensorMap const map, int* sum) {
  __shared__ alignas(128) int tile[count];
  __shared__ alignas(8) ptx::u64 barrier;
  for (int i = int(threadIdx.x); i < count; i += threads) tile[i] = 0;
  if (threadIdx.x == 0) ptx::mbarrier_init(ptx::shared(&barrier), 1);
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::shared(&barrier), sizeof(tile));
    ptx::tensor_load(ptx::shared(tile), &map, ptx::shared(&barrier)); // first
  }
  if constexpr (right)
    while (!ptx::mbarrier_try_wait_parity(ptx::shared(&barrier), 0)) {}
  else __syncthreads();
  for (int i = int(threadIdx.x); i < count; i += threads) atomicAdd(sum, tile[i]); // second
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(ptx::shared(&barrier), 0)) {} // no copy outlives the block
}

bool run_load(bool right) {
  check::device_memory<int> data(count), sum;
  check::launch({.threads = threads}, right ? load<true> : load<false>, check::matrix_map(data.data(), columns, rows),
                sum.data());
  return sum[0] == 0;
}

/// Sums are added to the matrix and read. Wrong: the thread waits until the copy has read the tile, not until it has
/// written.
template <bool right>
__global__ void add(__grid_constant__ CUtensorMap const map, int const* data, int* sum) {
  __shared__ alignas(128) int tile[count];
  for (int i = int(threadIdx.x); i < count; i += threads) tile[i] = 1;
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::tensor_add(&map, ptx::shared(tile)); // first
  if constexpr (right) ptx::bulk_copy_wait();
  else ptx::bulk_copy_wait_read();
  for (int i = 0; i < count; ++i) *sum += data[i]; // second
}

bool run_add(bool right) {
  check::device_memory<int> data(count), sum;
  check::launch({.threads = threads}, right ? add<true> : add<false>, check::matrix_map(data.data(), columns, rows),
                data.data(), sum.data());
  return sum[0] == count;
}

/// A map in global memory is replaced by another one, and used. Wrong: no acquire of the map.
template <bool right>
__global__ void change(__grid_constant__ CUtensorMap const map, CUtensorMap* used) {
  __shared__ alignas(128) int tile[count];
  for (int i = int(threadIdx.x); i < count; i += threads) tile[i] = i + 1;
  ptx::fence_proxy_async();
  auto const* const from = reinterpret_cast<int const*>(&map);
  reinterpret_cast<int*>(used)[threadIdx.x] = from[threadIdx.x]; // first
  ptx::release_tensor_maps();
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (right) ptx::fence_tensor_map(used);
    ptx::tensor_store(used, ptx::shared(tile)); // second
    ptx::bulk_copy_wait();
  }
}

bool run_change(bool right) {
  check::device_memory<int> data(count), other(count);
  check::device_memory<CUtensorMap> used;
  CUtensorMap const before = check::matrix_map(other.data(), columns, rows);
  CHECK_MUST(cudaMemcpy(used.data(), &before, sizeof(before), cudaMemcpyHostToDevice));
  check::launch({.threads = threads}, right ? change<true> : change<false>,
                check::matrix_map(data.data(), columns, rows), used.data());
  for (int i = 0; i < count; ++i)
    if (data[i] != i + 1) return false;
  return true;
}

check::program const programs[] = {
    {"tensor_copy_without_proxy_fence", "race", run_store},
    {"tensor_copy_of_what_was_written", "race", run_load_of_written},
    {"tensor_copy_read_before_the_wait", "race", run_load},
    {"tensor_add_read_before_it_is_written", "race", run_add},
    {"tensor_map_changed_without_fence", "race", run_change},
};

} // namespace
