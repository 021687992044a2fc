// SPDX-License-Identifier: Apache-2.0
//
// streaming: the code of the page "Streaming through stages". Bulk copies need sm_90.
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
  for (unsigned i = blockIdx.x; i < tiles; i += gridDim.x, ++step) {
    if (produces) {
      filled.producer_acquire();
      cudax::memcpy_async(cudax::this_warp, in[step % stages], from + i * tile, size, filled);
      filled.producer_commit();
    } else {
      unsigned const rank = unsigned(consumers.thread_rank());
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
  }
  if (!produces && consumers.thread_rank() == 0) cudax::device::bulk_wait<0>();
  cudax::this_block.sync(); // no pipeline quits, and no block ends, before all copies are complete
}
// [/kernel]

inline void run() {
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  if (major < 9) return; // no bulk copies
  constexpr unsigned tiles = 19;
  auto const from = cudax::make_managed<float[]>(tiles * tile);
  auto const to = cudax::make_managed<float[]>(tiles * tile);
  for (unsigned i = 0; i < tiles * tile; ++i) from[i] = float(i);
  scale<<<2, 288>>>(from.device_pointer(), to.device_pointer(), tiles);
  finish("streaming");
  for (unsigned i = 0; i < tiles * tile; ++i) expect(to[i] == float(2 * i), "streaming: scale");
}

} // namespace guide::streaming
