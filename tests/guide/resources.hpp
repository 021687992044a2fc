// SPDX-License-Identifier: Apache-2.0
//
// resources: the code of the page "How blocks fill a GPU".
#pragma once
#include "guide.hpp"

namespace guide::resources {

// [kernel]
constexpr unsigned threads = 256;

/// Reverses the elements of each block, in a table in shared memory.
__global__ void reverse(int* data) {
  extern __shared__ int table[];
  unsigned const first = blockIdx.x * blockDim.x;
  table[threadIdx.x] = data[first + threadIdx.x];
  cudax::this_block.sync();
  data[first + threadIdx.x] = table[blockDim.x - 1 - threadIdx.x];
}
// [/kernel]

// [how many]
/// Prints how many blocks the device runs at the same time, by the size of the table.
void print_blocks() {
  for (std::size_t const bytes : {1'024, 8'192, 32'768, 49'152})
    std::printf("%5zu bytes: %d blocks\n", bytes, cudax::coresident_blocks(reverse, threads, bytes));
}
// [/how many]

// [why]
/// Returns why the blocks do not fit, or an empty string if they have been launched.
std::string launch(unsigned blocks, std::size_t bytes, int* data) {
  try {
    cudax::launch_coresident(reverse, blocks, threads, bytes, nullptr, data);
    return "";
  } catch (cudax::cuda_error const& error) {
    return error.what();
  }
}
// [/why]

// [ordinary]
cudaError_t launch_ordinary(unsigned blocks, std::size_t bytes, int* data) {
  (void)cudaGetLastError(); // clears an older error, such as cudaErrorNotReady of a query
  reverse<<<blocks, threads, bytes>>>(data);
  return cudaGetLastError(); // an error if an SM lacks the resources for one block
}
// [/ordinary]

inline void run() {
  print_blocks();
  std::size_t constexpr table = 32'768;
  int const small = cudax::coresident_blocks(reverse, threads, 1'024),
            fit = cudax::coresident_blocks(reverse, threads, table);
  expect(small > fit && fit > 0, "resources: more shared memory, fewer blocks");
  unsigned const most = unsigned(fit) + 1;
  auto const data = cudax::make_managed<int[]>(most * threads);
  auto const reset = [&] {
    for (unsigned i = 0; i < most * threads; ++i) data[i] = int(i);
  };
  auto const reversed = [&](unsigned blocks) {
    for (unsigned i = 0; i < most * threads; ++i) {
      unsigned const first = i / threads * threads;
      if (data[i] != int(i / threads < blocks ? first + threads - 1 - (i - first) : i)) return false;
    }
    return true;
  };
  reset();
  expect(launch(unsigned(fit), table, data.device_pointer()).empty(), "resources: the blocks fit");
  finish("resources");
  expect(reversed(unsigned(fit)), "resources: the blocks that fit");
  reset();
  std::string const why = launch(most, table, data.device_pointer());
  std::puts(why.c_str());
  expect(why.find("bytes of shared memory)") != std::string::npos, "resources: the limiting resource");
  finish("resources: too many");
  expect(reversed(0), "resources: a launch that fails runs no block");
  expect(launch_ordinary(most, table, data.device_pointer()) == cudaSuccess, "resources: an ordinary launch");
  finish("resources: an ordinary launch");
  expect(reversed(most), "resources: the blocks of an ordinary launch");
  reset();
  expect(launch_ordinary(1, 1 << 24, data.device_pointer()) != cudaSuccess, "resources: one block is too large");
  finish("resources: one block is too large");
  expect(reversed(0), "resources: one block is too large");
}

} // namespace guide::resources
