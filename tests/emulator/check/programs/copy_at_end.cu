// SPDX-License-Identifier: Apache-2.0
//
// A block fills shared memory, a copy moves it to global memory, and the block ends. Its shared memory ends, too, so
// the copy must have read it. Wrong: the thread that issued the copy does not wait for it, or did not commit it to the
// group for which it waits. Right: it waits until the copy has read the tile; what the copy writes is there when the
// kernel has ended.
#include "tensor.hpp"

namespace {

constexpr int columns = 32, rows = 2, count = columns * rows, blocks = 3;

enum class end { waits, waits_without_commit, commits };

__device__ void end_copy(end how) {
  if (how == end::waits) ptx::bulk_copy_wait_read();
  if (how == end::waits_without_commit) ptx::bulk_copy_wait_group<0>();
  if (how == end::commits) ptx::bulk_copy_commit();
}

__device__ void fill(int* tile) {
  tile[threadIdx.x] = int(threadIdx.x);
  ptx::fence_proxy_async();
  __syncthreads();
}

template <end how>
__global__ void copy(int* data) {
  __shared__ alignas(16) int tile[count];
  fill(tile);
  if (threadIdx.x == 0) {
    ptx::bulk_copy_to_global(data + blockIdx.x * count, ptx::shared(tile), sizeof(tile)); // first
    end_copy(how);
  }
} // second

template <end how>
__global__ void copy_tile(__grid_constant__ CUtensorMap const map) {
  __shared__ alignas(128) int tile[count];
  fill(tile);
  if (threadIdx.x == 0) {
    ptx::tensor_store(&map, ptx::shared(tile)); // first
    end_copy(how);
  }
} // second

bool is_filled(check::device_memory<int> const& data, int size) {
  for (int i = 0; i < size; ++i)
    if (data[i] != i % count) return false;
  return true;
}

template <end wrong>
bool run_copy(bool right) {
  check::device_memory<int> data(blocks * count);
  check::launch({.blocks = blocks, .threads = count}, right ? copy<end::waits> : copy<wrong>, data.data());
  return is_filled(data, blocks * count);
}

bool run_tile(bool right) {
  check::device_memory<int> data(count);
  check::launch({.threads = count}, right ? copy_tile<end::waits> : copy_tile<end::commits>,
                check::matrix_map(data.data(), columns, rows));
  return is_filled(data, count);
}

check::program const programs[] = {
    {"copy_without_wait_at_the_end", "misuse", run_copy<end::commits>},
    {"copy_without_commit_at_the_end", "misuse", run_copy<end::waits_without_commit>},
    {"tensor_copy_without_wait_at_the_end", "misuse", run_tile},
};

} // namespace
