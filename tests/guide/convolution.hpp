// SPDX-License-Identifier: Apache-2.0
//
// convolution: the code of the section "Convolutions" of the page "Tiles of a tensor". Copies of tensors need sm_90.
#pragma once
#include "guide.hpp"

namespace guide::convolution {

// [kernel]
inline constexpr int channels = 8, filters = 4, size = 3; // filters of 3 * 3 pixels
inline constexpr int pixels = 64;                         // of a block, one for each thread
using columns = cudax::tensor_map<float, cudax::im2col_box<4, channels, pixels>>;

struct layer {
  columns images;       // channels, width, height, count
  float const* weights; // [size * size][channels][filters]
  float* out;           // [count][height][width][filters]
  int width, height, count;
};

__global__ void convolve(layer const __grid_constant__ l) {
  __shared__ columns::tile tiles[2]; // one is filled while the other one is used
  __shared__ cudax::barrier<cudax::thread_scope_block> full[2];
  bool const leads = threadIdx.x == 0;
  if (leads)
    for (auto& b : full) init(&b, 1);
  cudax::this_block.sync();

  int const first = int(blockIdx.x) * pixels, pixel = int(threadIdx.x);
  int const x = first % l.width, y = first / l.width % l.height;
  int const image = first / l.width / l.height;
  auto const load = [&](int step) { // one step for each element of the filter
    auto& ready = full[step % 2];
    (void)cudax::device::barrier_arrive_tx(ready, 1, columns::tile_bytes);
    cudax::device::copy_tensor_async_tx(tiles[step % 2], l.images, {0, x - 1, y - 1, image}, {step % size, step / size},
                                        ready);
  };
  if (leads) load(0);
  float sums[filters] = {};
  for (int step = 0; step < size * size; ++step) {
    if (leads && step + 1 < size * size) load(step + 1);
    full[step % 2].wait_parity(step / 2 % 2 != 0);
    for (int c = 0; c < channels; ++c)
      for (int f = 0; f < filters; ++f)
        sums[f] += tiles[step % 2](c, pixel) * l.weights[(step * channels + c) * filters + f];
    cudax::this_block.sync(); // the tile has been read
  }
  if (first + pixel < l.width * l.height * l.count)
    for (int f = 0; f < filters; ++f) l.out[(first + pixel) * filters + f] = sums[f];
}
// [/kernel]

inline void run() {
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  if (major < 9) return; // no copies of tensors
  constexpr int width = 13, height = 7, count = 3, places = width * height * count;
  auto const images = cudax::make_managed<float[]>(places * channels);
  auto const weights = cudax::make_managed<float[]>(size * size * channels * filters);
  auto const out = cudax::make_managed<float[]>(places * filters);
  for (int i = 0; i < places * channels; ++i) images[unsigned(i)] = float(i * 37 % 23);
  for (int i = 0; i < size * size * channels * filters; ++i) weights[unsigned(i)] = float(i * 17 % 13 - 6);
  layer l{};
  l.weights = weights.device_pointer();
  l.out = out.device_pointer();
  l.width = width;
  l.height = height;
  l.count = count;
  // [host]
  l.images = cudax::make_tensor_map<columns>(images.device_pointer(), {channels, width, height, count},
                                             {.lower = {-1, -1}, .upper = {-1, -1}});
  int const blocks = (width * height * count + pixels - 1) / pixels;
  convolve<<<unsigned(blocks), pixels>>>(l);
  // [/host]
  finish("convolution");
  for (int image = 0; image < count; ++image)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int f = 0; f < filters; ++f) {
          float sum = 0;
          for (int j = 0; j < size; ++j)
            for (int i = 0; i < size; ++i) {
              int const u = x + i - 1, v = y + j - 1;
              if (u < 0 || v < 0 || u >= width || v >= height) continue;
              for (int c = 0; c < channels; ++c)
                sum += images[unsigned(((image * height + v) * width + u) * channels + c)] *
                       weights[unsigned(((j * size + i) * channels + c) * filters + f)];
            }
          expect(out[unsigned(((image * height + y) * width + x) * filters + f)] == sum, "convolution");
        }
}

} // namespace guide::convolution
