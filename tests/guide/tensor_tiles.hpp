// SPDX-License-Identifier: Apache-2.0
//
// tensor_tiles: the code of the page "Tiles of a tensor". Copies of tensors need sm_90.
#pragma once
#include "guide.hpp"

namespace guide::tensor_tiles {

// [kernel]
inline constexpr int width = 32, height = 16;
using tiles = cudax::tensor_map<float, cudax::tensor_box<width, height>>;
// A tile and its neighbours. The first coordinate must be a multiple of 16 bytes, so there
// are four columns more on the left and on the right, of which one is used.
using wide_tiles = cudax::tensor_map<float, cudax::tensor_box<width + 8, height + 2>>;

struct grids {
  wide_tiles in[2];   // the same two grids, to read
  tiles out[2];       // and to write
  int columns, count; // of tiles
};
using all_blocks = cudax::barrier<cudax::thread_scope_device>;

// Each element becomes the mean of its four neighbours, again and again; 0 is outside.
__global__ void relax(grids const __grid_constant__ g, int rounds, all_blocks* all) {
  __shared__ wide_tiles::tile in[2]; // one is filled while the other one is used
  __shared__ tiles::tile out[2];
  __shared__ cudax::barrier<cudax::thread_scope_block> full[2];
  bool const leads = threadIdx.x == 0;
  int const first = int(blockIdx.x), blocks = int(gridDim.x);
  if (leads)
    for (auto& b : full) init(&b, 1);
  cudax::this_block.sync();

  int step = 0; // the steps use the two stages in turn
  for (int round = 0; round < rounds; ++round) {
    auto const load = [&](int tile, int stage) {
      int const x = tile % g.columns * width, y = tile / g.columns * height;
      (void)cudax::device::barrier_arrive_tx(full[stage], 1, wide_tiles::tile_bytes);
      cudax::device::copy_tensor_async_tx(in[stage], g.in[round % 2], {x - 4, y - 1}, full[stage]);
    };
    if (leads && first < g.count) load(first, step % 2);
    for (int tile = first; tile < g.count; tile += blocks, ++step) {
      int const stage = step % 2;
      if (leads) {
        if (tile + blocks < g.count) load(tile + blocks, 1 - stage);
        cudax::device::bulk_wait_read<1>(); // out[stage] has been read
      }
      full[stage].wait_parity(step / 2 % 2 != 0);
      cudax::this_block.sync();
      for (int i = int(threadIdx.x); i < width * height; i += int(blockDim.x)) {
        int const x = i % width, y = i / width, u = x + 4, v = y + 1;
        auto const& t = in[stage];
        out[stage](x, y) = (t(u - 1, v) + t(u + 1, v) + t(u, v - 1) + t(u, v + 1)) / 4;
      }
      cudax::this_block.sync(); // out[stage] is complete, and in[stage] has been read
      if (leads) {
        int const x = tile % g.columns * width, y = tile / g.columns * height;
        cudax::device::copy_tensor_async_bulk(g.out[1 - round % 2], {x, y}, out[stage]);
        cudax::device::bulk_commit();
      }
    }
    if (leads) {
      cudax::device::bulk_wait<0>(); // the block's part of the grid is written
      all->arrive_and_wait();        // and so are those of the others
    }
  }
}
// [/kernel]

inline void run() {
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  if (major < 9) return; // no copies of tensors
  constexpr int columns = 100, rows = 41, rounds = 3, size = columns * rows;
  constexpr unsigned blocks = 3;
  auto const all = cudax::make_managed<all_blocks>(int(blocks));
  auto const a = cudax::make_managed<float[]>(size);
  auto const b = cudax::make_managed<float[]>(size);
  std::vector<float> expected(size);
  for (int i = 0; i < size; ++i) a[i] = expected[i] = float(i * 37 % 101);
  // [host]
  float* const memory[2] = {a.device_pointer(), b.device_pointer()};
  grids g{};
  for (int i = 0; i < 2; ++i) {
    g.in[i] = cudax::make_tensor_map<wide_tiles>(memory[i], {columns, rows});
    g.out[i] = cudax::make_tensor_map<tiles>(memory[i], {columns, rows});
  }
  g.columns = (columns + width - 1) / width;
  g.count = g.columns * ((rows + height - 1) / height);
  cudax::launch_coresident(relax, blocks, 128, 0, nullptr, g, rounds, all.device_pointer());
  // [/host]
  finish("tensor_tiles");
  for (int round = 0; round < rounds; ++round) {
    std::vector<float> const before = expected;
    auto const at = [&](int x, int y) {
      return x < 0 || y < 0 || x >= columns || y >= rows ? 0 : before[unsigned(y * columns + x)];
    };
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        expected[unsigned(y * columns + x)] = (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) / 4;
  }
  auto const& result = rounds % 2 ? b : a;
  for (int i = 0; i < size; ++i) expect(result[unsigned(i)] == expected[unsigned(i)], "tensor_tiles: relax");
}

} // namespace guide::tensor_tiles
