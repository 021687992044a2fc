// SPDX-License-Identifier: Apache-2.0
//
// A ring of stages that one block of a cluster fills in all blocks, by bulk copies with multicast. Each block counts
// the bytes that it gets at its own barrier. A stage is empty when the consumers of all blocks have arrived at the
// barrier of the block that copies.
//
// Source: inclusionAI/humming#54: a multicast copy reached a block whose barrier was not ready; only that block was wrong
// Source: deepseek-ai/DeepGEMM#51: why the barrier of an empty stage counts the consumers of all blocks
// Source: facebookexperimental/triton#908: only the first block expected the bytes, and the others hung
// Source: rchardx/hopper-gemm#3: why the producer waits for all stages once more at the end
// Form: right
// Form: no_first_sync: race
// Form: counts_own_consumers: race
// Form: one_block_expects: livelock
// Form: waits_at_block_scope: race
// Form: exits_early: use after free
#include "../launches.hpp"
#include "../ptx.hpp"

namespace {

enum form { right, no_first_sync, counts_own_consumers, one_block_expects, waits_at_block_scope, exits_early };

constexpr int cluster = 2, stages = 2, words = 32, bytes = words * 4, threads = 64; // warp 0 copies, warp 1 reads

template <form f> __global__ void add_tiles(int const* from, int* sums, int tiles) {
  __shared__ alignas(16) int ring[stages][words];
  __shared__ unsigned long long full[stages], empty[stages];
  unsigned const rank = ptx::cluster_ctarank();
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      ptx::mbarrier_init(ptx::shared(&full[s]), 1); // found: race
      ptx::mbarrier_init(ptx::shared(&empty[s]), f == counts_own_consumers ? 1 : cluster);
    }
    ptx::fence_mbarrier_init();
  }
  if constexpr (f == no_first_sync) {
    __syncthreads();
  } else {
    ptx::cluster_arrive();
    ptx::cluster_wait();
  }

  if (threadIdx.x == 0) {
    for (int tile = 0; tile < tiles; ++tile) {
      int const s = tile % stages;
      unsigned const parity = unsigned(tile / stages) & 1;
      if (rank == 0) {
        while (!ptx::mbarrier_try_wait_parity_cluster(ptx::shared(&empty[s]), parity ^ 1));
        ptx::mbarrier_arrive_expect_tx(ptx::shared(&full[s]), bytes);
        ptx::fence_proxy_async_cluster(); // the stages were read by plain loads
        unsigned const to = ptx::shared(ring[s]);
        ptx::bulk_copy_multicast(to, from + tile * words, bytes, ptx::shared(&full[s]), 3); // found: race
      } else if (f != one_block_expects) {
        if (tile >= stages) // the phase before has ended
          while (!ptx::mbarrier_try_wait_parity_cluster(ptx::shared(&full[s]), parity ^ 1));
        ptx::mbarrier_arrive_expect_tx(ptx::shared(&full[s]), bytes);
      }
    }
  } else if (threadIdx.x >= 32) {
    int const i = int(threadIdx.x) - 32;
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      int const s = tile % stages;
      unsigned const parity = unsigned(tile / stages) & 1;
      if constexpr (f == waits_at_block_scope)
        while (!ptx::mbarrier_try_wait_parity(ptx::shared(&full[s]), parity));
      else
        while (!ptx::mbarrier_try_wait_parity_cluster(ptx::shared(&full[s]), parity)); // found: livelock
      sum += ring[s][i] * (i + int(rank));                                             // found: race
      __syncwarp();
      if (i == 0 && (f != counts_own_consumers || rank == 0))
        ptx::mbarrier_arrive_cluster(ptx::mapa(ptx::shared(&empty[s]), 0)); // found: use after free
    }
    sums[int(blockIdx.x) * words + i] = sum;
  }
  __syncwarp();
  if constexpr (f != exits_early) {
    ptx::cluster_arrive();
    ptx::cluster_wait();
  }
}

template <form f> bool run(int scale) {
  int const clusters = scale < 8 ? 1 : 8, tiles = 6 * scale;
  foreign::memory<int> from(tiles * words), sums(clusters * cluster * words);
  for (int i = 0; i < tiles * words; ++i) from[i] = i * 7 % 11;
  from.to_device();
  foreign::enqueue({.blocks = clusters * cluster, .threads = threads, .cluster = cluster}, add_tiles<f>, from.data(),
                   sums.data(), tiles);
  foreign::finish();
  sums.to_host();
  for (int b = 0; b < clusters * cluster; ++b)
    for (int i = 0; i < words; ++i) {
      int expected = 0;
      for (int tile = 0; tile < tiles; ++tile) expected += from[tile * words + i] * (i + b % cluster);
      if (sums[b * words + i] != expected) return false;
    }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_first_sync", run<no_first_sync>},
                                {"counts_own_consumers", run<counts_own_consumers>},
                                {"one_block_expects", run<one_block_expects>},
                                {"waits_at_block_scope", run<waits_at_block_scope>},
                                {"exits_early", run<exits_early>}});

} // namespace
