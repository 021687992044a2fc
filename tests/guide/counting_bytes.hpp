// SPDX-License-Identifier: Apache-2.0
//
// counting_bytes: the code of the page "Barriers that count bytes". Clusters of blocks need sm_90.
#pragma once
#include "guide.hpp"

namespace guide::counting_bytes {

using block_barrier = cudax::barrier<cudax::thread_scope_block>;

// [kernel]
__global__ void pass_on(float const* from, float* to) { // a cluster of two blocks
  alignas(16) __shared__ float tile[256];
  alignas(16) __shared__ float received[256];
  __shared__ block_barrier ready;
  unsigned const rank = blockIdx.x; // the grid is one cluster
  cudax::aligned_size_t<16> const size(sizeof(tile));

  if (threadIdx.x == 0) {
    init(&ready, 1); // one arrival in each phase, and the bytes
    cudax::device::fence_barrier_init();
  }
  cudax::this_cluster.wait(cudax::this_cluster.arrive_relaxed());

  // Phase 0: one read of global memory fills the tiles of both blocks.
  if (threadIdx.x == 0) {
    (void)cudax::device::barrier_arrive_tx(ready, 1, size);
    if (rank == 0) cudax::device::memcpy_async_tx_multicast(tile, from, size, ready, 0b11);
  }
  cudax::device::barrier_wait_parity_cluster(ready, false);
  tile[threadIdx.x] += float(rank);
  cudax::this_cluster.sync(); // all tiles are complete, and no thread waits for phase 0 any more

  // Phase 1: each block sends its tile to the other one.
  if (threadIdx.x == 0) {
    int const other = int(1 - rank);
    auto& there = *cudax::this_cluster.map_shared_rank(&ready, other);
    float* const target = cudax::this_cluster.map_shared_rank(received, other);
    cudax::device::barrier_arrive_tx_remote(there, 1, size);
    cudax::device::memcpy_async_tx_remote(target, tile, size, there);
  }
  cudax::device::barrier_wait_parity_cluster(ready, true);

  // What the block received goes to global memory.
  if (threadIdx.x == 0) {
    cudax::device::memcpy_async_bulk(to + rank * 256, received, size);
    cudax::device::bulk_commit();
    cudax::device::bulk_wait<0>();
  }
  cudax::this_cluster.sync(); // no block ends while the other one uses its memory
}
// [/kernel]

// [votes]
__global__ void votes(int const* in, unsigned n, unsigned* totals) { // clusters of two blocks of 64 threads
  alignas(16) __shared__ unsigned counts[64];
  __shared__ block_barrier done;
  bool const collects = blockIdx.x % 2 == 0; // block 0 of each cluster collects what the votes of both blocks are
  if (threadIdx.x == 0) init(&done, 1);
  counts[threadIdx.x] = 0;
  unsigned const cast = n / gridDim.x; // by each block
  if (collects && threadIdx.x == 0) (void)cudax::device::barrier_arrive_tx(done, 1, 2 * cast * sizeof(unsigned));
  cudax::this_cluster.sync(); // the counters are 0, and the phase expects its bytes

  using cudax::device::reduction;
  unsigned* const there = cudax::this_cluster.map_shared_rank(counts, 0);
  auto& told = *cudax::this_cluster.map_shared_rank(&done, 0);
  for (unsigned i = threadIdx.x; i < cast; i += 64)
    cudax::device::reduce_async_tx_remote<reduction::add>(&there[in[blockIdx.x * cast + i] % 64], 1, told);

  if (collects) {
    cudax::device::barrier_wait_parity_cluster(done, false); // all votes of both blocks are counted
    if (threadIdx.x == 0) {
      cudax::device::reduce_async_bulk<reduction::add>(totals, counts, cudax::aligned_size_t<16>(sizeof(counts)));
      cudax::device::bulk_commit();
      cudax::device::bulk_wait<0>();
    }
  }
  cudax::this_cluster.sync(); // no block ends while its memory is used
}
// [/votes]

inline void run() {
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  if (major < 9) return; // no clusters
  auto const from = cudax::make_managed<float[]>(256);
  auto const to = cudax::make_managed<float[]>(512);
  for (unsigned i = 0; i < 256; ++i) from[i] = float(i);
  cudax::launch_coresident(pass_on, 2, 256, cudax::launch_cluster(2), 0, nullptr, from.device_pointer(),
                           to.device_pointer());
  finish("counting_bytes");
  for (unsigned i = 0; i < 256; ++i)
    expect(to[i] == float(i + 1) && to[256 + i] == float(i), "counting_bytes: pass_on");

  constexpr unsigned n = 4096;
  auto const in = cudax::make_managed<int[]>(n);
  auto const totals = cudax::make_managed<unsigned[]>(64);
  unsigned expected[64] = {};
  for (unsigned i = 0; i < n; ++i) ++expected[(in[i] = int(i * i / 7 % 1000)) % 64];
  cudax::launch_coresident(votes, 8, 64, cudax::launch_cluster(2), 0, nullptr, in.device_pointer(), n,
                           totals.device_pointer());
  finish("counting_bytes: votes");
  for (unsigned i = 0; i < 64; ++i) expect(totals[i] == expected[i], "counting_bytes: votes");
}

} // namespace guide::counting_bytes
