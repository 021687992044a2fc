// SPDX-License-Identifier: Apache-2.0
//
// A histogram whose bins are divided among the blocks of a cluster: each thread adds to the block that owns its bin,
// and at the end the first block collects the bins of all blocks.
//
// Source: facebookexperimental/triton#1105: a block exited while another one used its shared memory
// Source: rchardx/hopper-gemm#3: why the producer waits for all stages once more before a block of a cluster exits
// Source: facebookexperimental/triton#2146: where an arrival at the cluster's barrier may be relaxed
// Source: NVIDIA/cutlass#2573: what __syncthreads does beside the cluster's barrier
// Form: right
// Form: no_first_sync: race
// Form: relaxed_arrival: race
// Form: block_barrier: race
// Form: exits_early: use after free
#include "../launches.hpp"
#include "../ptx.hpp"

namespace {

enum form { right, no_first_sync, relaxed_arrival, block_barrier, exits_early };

constexpr int cluster = 2, bins_each = 8, bins = cluster * bins_each, threads = 64;

template <form f> __global__ void count(int const* keys, int keys_each, int* counts) {
  __shared__ int own[bins_each];
  unsigned const rank = ptx::cluster_ctarank();
  int const i = int(threadIdx.x);
  if (i < bins_each) own[i] = 0; // found: race
  if constexpr (f == no_first_sync) {
    __syncthreads();
  } else {
    if constexpr (f == relaxed_arrival) ptx::cluster_arrive_relaxed();
    else ptx::cluster_arrive();
    ptx::cluster_wait();
  }
  for (int k = i; k < keys_each; k += threads) {
    int const key = keys[int(blockIdx.x) * keys_each + k];
    ptx::add_remote(ptx::mapa(ptx::shared(&own[key % bins_each]), unsigned(key / bins_each)), 1); // found: race
  }
  if constexpr (f == block_barrier) {
    __syncthreads();
  } else {
    ptx::cluster_arrive();
    ptx::cluster_wait();
  }
  if (rank == 0 && i < bins) {
    unsigned const bin = ptx::mapa(ptx::shared(&own[i % bins_each]), unsigned(i / bins_each));
    counts[int(blockIdx.x) / cluster * bins + i] = int(ptx::load_of_block(bin)); // found: race, use after free
  }
  if constexpr (f != exits_early) {
    ptx::cluster_arrive();
    ptx::cluster_wait();
  }
}

template <form f> bool run(int scale) {
  int const clusters = scale, keys_each = 96;
  int const blocks = clusters * cluster, size = blocks * keys_each;
  foreign::memory<int> keys(size), counts(clusters * bins);
  for (int i = 0; i < size; ++i) keys[i] = i * 5 % bins;
  keys.to_device();
  foreign::enqueue({.blocks = blocks, .threads = threads, .cluster = cluster}, count<f>, keys.data(), keys_each,
                   counts.data());
  foreign::finish();
  counts.to_host();
  for (int c = 0; c < clusters; ++c)
    for (int b = 0; b < bins; ++b) {
      int expected = 0;
      for (int k = 0; k < cluster * keys_each; ++k) expected += keys[c * cluster * keys_each + k] == b;
      if (counts[c * bins + b] != expected) return false;
    }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_first_sync", run<no_first_sync>},
                                {"relaxed_arrival", run<relaxed_arrival>},
                                {"block_barrier", run<block_barrier>},
                                {"exits_early", run<exits_early>}});

} // namespace
