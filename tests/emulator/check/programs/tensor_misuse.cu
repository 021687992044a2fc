// SPDX-License-Identifier: Apache-2.0
//
// Tensor copies that a GPU ends with an illegal address or instruction.
#include "tensor.hpp"

namespace {

constexpr int columns = 32, rows = 4, threads = 32, count = columns * rows;

/// The map is a parameter that is copied to local memory when its address is taken, or stays where it is.
__device__ void store_by(CUtensorMap const& map) {
  __shared__ alignas(128) int tile[count];
  for (int i = int(threadIdx.x); i < count; i += threads) tile[i] = i + 1;
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::tensor_store(&map, ptx::shared(tile)); // first
    ptx::bulk_copy_wait();
  }
}
__global__ void store_by_copy(CUtensorMap const map) { store_by(map); }
__global__ void store_by_shared(__grid_constant__ CUtensorMap const map) {
  __shared__ CUtensorMap copy;
  if (threadIdx.x == 0) copy = map;
  __syncthreads();
  store_by(copy);
}
__global__ void store_by_parameter(__grid_constant__ CUtensorMap const map) { store_by(map); }

template <void (*wrong)(CUtensorMap)>
bool run_store_by(bool right) {
  check::device_memory<int> data(count);
  check::launch({.threads = threads}, right ? store_by_parameter : wrong,
                check::matrix_map(data.data(), columns, rows));
  for (int i = 0; i < count; ++i)
    if (data[i] != i + 1) return false;
  return true;
}

/// A tile that begins before the matrix may be read only.
template <bool right>
__global__ void store_before(__grid_constant__ CUtensorMap const map) {
  __shared__ alignas(128) int tile[count];
  for (int i = int(threadIdx.x); i < count; i += threads) tile[i] = i + 1;
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::tensor_store_at(&map, 0, right ? 0 : -1, ptx::shared(tile)); // first
    ptx::bulk_copy_wait();
  }
}

bool run_store_before(bool right) {
  check::device_memory<int> data(count);
  check::launch({.threads = threads}, right ? store_before<true> : store_before<false>,
                check::matrix_map(data.data(), columns, rows));
  for (int i = 0; i < count; ++i)
    if (data[i] != i + 1) return false;
  return true;
}

check::program const programs[] = {
    {"tensor_map_in_local_memory", "out of bounds", run_store_by<store_by_copy>},
    {"tensor_map_in_shared_memory", "out of bounds", run_store_by<store_by_shared>},
    {"tensor_store_before_the_tensor", "misuse", run_store_before},
};

} // namespace
