// SPDX-License-Identifier: Apache-2.0
//
// streaming: the code of the page "Streaming through stages".
#pragma once
#include "guide.hpp"

namespace guide::streaming {

// [kernel]
inline constexpr unsigned stages = 4, tile = 1024;

// Warp 0 fills stages, warps 1 to 8 use them.
__global__ void scale(float const* from, float* to, unsigned tiles) {
  alignas(128) __shared__ float in[stages][tile];
  alignas(128) __shared__ float out[2][tile];
  __shared__ cudax::pipeline_shared_state<cudax::thread_scope_block, stages> state;
  cudax::aligned_size_t<16> const size(sizeof(in[0]));
  auto const consumers = cudax::this_block.warps<1, 8, 1>(); // they meet at the block's barrier 1
  bool const produces = !consumers.contains();
  auto filled = cudax::make_pipeline(cudax::this_block, &state,
                                     produces ? cudax::pipeline_role::producer : cudax::pipeline_role::consumer,
                                     cudax::this_warp); // a warp arrives as one

  unsigned step = 0;
  if (threadIdx.x == 0) {
    for (unsigned i = blockIdx.x; i < tiles; i += gridDim.x, ++step) {
      filled.producer_acquire();
      cudax::memcpy_async(in[step % stages], from + i * tile, size, filled);
      filled.producer_commit(cudax::this_thread); // for its warp; the other lanes call nothing
    }
  } else if (!produces) {
    unsigned const rank = unsigned(consumers.thread_rank());
    for (unsigned i = blockIdx.x; i < tiles; i += gridDim.x, ++step) {
      float* const result = out[step % 2];
      if (rank == 0) cudax::device::bulk_wait_read<1>(); // the copy of two steps ago has read `result`
      filled.consumer_wait();
      consumers.sync();
      for (unsigned j = rank; j < tile; j += 256) result[j] = 2 * in[step % stages][j];
      filled.consumer_release();
      consumers.sync(); // `result` is complete
      if (rank == 0) {
        cudax::device::memcpy_async_bulk(to + i * tile, result, size);
        cudax::device::bulk_commit();
      }
    }
    if (rank == 0) cudax::device::bulk_wait<0>();
  }
  cudax::this_block.sync(); // no pipeline quits, and no block ends, before all copies are complete
}
// [/kernel]

// Each stage has a tile of `a` and one of `b`, which the program copies itself.
__global__ void add(float const* a, float const* b, float* to, unsigned tiles) { // 96 threads
  alignas(128) __shared__ float in[stages][2][tile];
  __shared__ cudax::pipeline_shared_state<cudax::thread_scope_block, stages> state;
  cudax::aligned_size_t<16> const size(sizeof(in[0][0]));
  bool const produces = threadIdx.x < 32;
  auto filled = cudax::make_pipeline(cudax::this_block, &state,
                                     produces ? cudax::pipeline_role::producer : cudax::pipeline_role::consumer,
                                     cudax::this_warp);
  unsigned step = 0;
  for (unsigned i = blockIdx.x; i < tiles; i += gridDim.x, ++step) {
    auto& here = in[step % stages];
    if (threadIdx.x == 0) {
      // [expect]
      filled.producer_acquire();
      filled.producer_expect(2 * size);
      cudax::device::memcpy_async_tx(here[0], a + i * tile, size, filled.stage_barrier());
      cudax::device::memcpy_async_tx(here[1], b + i * tile, size, filled.stage_barrier());
      filled.producer_commit(cudax::this_thread); // the other lanes of the warp call nothing
      // [/expect]
    } else if (!produces) {
      filled.consumer_wait();
      for (unsigned j = threadIdx.x - 32; j < tile; j += 64) to[i * tile + j] = here[0][j] + here[1][j];
      filled.consumer_release();
    }
  }
  cudax::this_block.sync(); // no pipeline quits before all copies are complete
}

// [cluster]
// All blocks of a cluster multiply each tile of the array by a number of their own. Each tile is read once: every block
// copies a part of it to all blocks.
__global__ void multiply(float const* from, float* to, unsigned tiles) { // a cluster of two blocks of 96 threads
  alignas(128) __shared__ float in[stages][tile];
  __shared__ cudax::pipeline_shared_state<cudax::thread_scope_block, stages> state;
  cudax::aligned_size_t<16> const half(sizeof(in[0]) / 2);
  bool const produces = threadIdx.x < 32;
  auto filled = cudax::make_pipeline(cudax::this_cluster, &state,
                                     produces ? cudax::pipeline_role::producer : cudax::pipeline_role::consumer,
                                     cudax::this_warp);
  unsigned const offset = blockIdx.x * tile / 2;
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < tiles; ++i) {
      filled.producer_acquire();        // the consumers of both blocks have released the stage
      filled.producer_expect(2 * half); // one half from each block
      cudax::device::memcpy_async_tx_multicast(in[i % stages] + offset, from + i * tile + offset, half,
                                               filled.stage_barrier(), 0b11,
                                               cudax::proxy_fenced); // by producer_acquire
      filled.producer_commit(cudax::this_thread);
    }
  } else if (!produces) {
    for (unsigned i = 0; i < tiles; ++i) {
      filled.consumer_wait();
      for (unsigned j = threadIdx.x - 32; j < tile; j += 64)
        to[(blockIdx.x * tiles + i) * tile + j] = float(blockIdx.x + 2) * in[i % stages][j];
      filled.consumer_release();
    }
  }
  cudax::this_cluster.sync(); // no pipeline quits, and no block ends, while another block copies to it or arrives
}
// [/cluster]

inline constexpr unsigned tiles = 19;

inline void run_blocks() {
  auto const from = cudax::make_managed<float[]>(tiles * tile);
  auto const to = cudax::make_managed<float[]>(tiles * tile);
  for (unsigned i = 0; i < tiles * tile; ++i) from[i] = float(i);
  scale<<<2, 288>>>(from.device_pointer(), to.device_pointer(), tiles);
  finish("streaming");
  for (unsigned i = 0; i < tiles * tile; ++i) expect(to[i] == float(2 * i), "streaming: scale");
  auto const sums = cudax::make_managed<float[]>(tiles * tile);
  add<<<2, 96>>>(from.device_pointer(), to.device_pointer(), sums.device_pointer(), tiles);
  finish("streaming: add");
  for (unsigned i = 0; i < tiles * tile; ++i) expect(sums[i] == float(3 * i), "streaming: add");
}

/// Only for code of sm_90 and later: older code takes each block of a cluster for one.
inline void run_cluster() {
  auto const from = cudax::make_managed<float[]>(tiles * tile);
  auto const products = cudax::make_managed<float[]>(2 * tiles * tile);
  for (unsigned i = 0; i < tiles * tile; ++i) from[i] = float(i);
  cudax::launch_coresident(multiply, 2, 96, cudax::launch_cluster(2), 0, nullptr, from.device_pointer(),
                           products.device_pointer(), tiles);
  finish("streaming: multiply");
  for (unsigned i = 0; i < 2 * tiles * tile; ++i)
    expect(products[i] == float(i / (tiles * tile) + 2) * float(i % (tiles * tile)), "streaming: multiply");
}

inline void run() {
  run_blocks();
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  if (major >= 9) run_cluster();
}

} // namespace guide::streaming
