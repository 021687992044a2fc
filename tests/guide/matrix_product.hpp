// SPDX-License-Identifier: Apache-2.0
//
// matrix_product: the code of the page "A matrix product". Copies of tensors need sm_90.
#pragma once
#include "guide.hpp"

namespace guide::matrix_product {

// [kernel]
// A warpgroup calculates a tile of c: rows * columns sums.
inline constexpr int rows = 64, columns = 32, depth = 32, stages = 4;
constexpr auto swizzle = cudax::tensor_swizzle::bytes_64; // all rows of tiles have 64 bytes
using tiles_a = cudax::tensor_map<_Float16, cudax::tensor_box<depth, rows>, swizzle>;
using tiles_b = cudax::tensor_map<_Float16, cudax::tensor_box<depth, columns>, swizzle>;
using halves_b = cudax::tensor_map<_Float16, cudax::tensor_box<depth, columns / 2>, swizzle>;
using tiles_c = cudax::tensor_map<_Float16, cudax::tensor_box<columns, rows>, swizzle>;

struct matrices {
  tiles_a a;
  halves_b b; // of the transposed b
  tiles_c c;
  int height, width, length;
};
struct memory { // of a block
  tiles_a::tile a[stages];
  tiles_b::tile b[stages];
  tiles_c::tile c[2][2]; // of each warpgroup, two
  cudax::pipeline_shared_state<cudax::thread_scope_block, stages> state;
};

// The tiles of a block, one after the other. The two blocks of a cluster have neighbours below each other.
struct tile_of_block {
  int const across, count;
  int number = int(blockIdx.x) / 2;

  __device__ explicit tile_of_block(matrices const& m)
    : across(m.width / columns), count(m.height / rows / 2 * across) {}
  __device__ explicit operator bool() const { return number < count; }
  __device__ void operator++() { number += int(gridDim.x) / 2; }
  __device__ int x() const { return number % across * columns; }
  __device__ int y() const { return (number / across * 2 + int(blockIdx.x) % 2) * rows; }
};

// c = a * b, by clusters of two blocks. Two warpgroups calculate, and a warp copies for both.
template <class Arithmetic>
__global__ void __launch_bounds__(288) multiply(matrices const __grid_constant__ m) {
  __shared__ memory here;
  int const warpgroup = int(threadIdx.x) / 128;
  cudax::pipeline_arrivals const arrivals{1, 4}; // a stage is filled by one agent, and released by four: warps
  auto filled = cudax::make_pipeline(cudax::this_cluster, &here.state, arrivals, cudax::this_warp);

  if (threadIdx.x == 256) {
    int const half = int(cudax::this_cluster.block_rank()) * columns / 2; // of b: for both blocks
    for (tile_of_block tile(m); tile; ++tile)
      for (int k = 0; k < m.length; k += depth) {
        filled.producer_acquire();
        unsigned const i = filled.producer_position().index();
        filled.producer_commit_by(tiles_a::tile_bytes + tiles_b::tile_bytes, [&](auto& barrier) {
          using namespace cudax::device;
          copy_tensor_async_tx(here.a[i], m.a, {k, tile.y()}, barrier, cudax::proxy_fenced);
          copy_tensor_async_tx_multicast(&here.b[i](0, half), m.b, {k, tile.x() + half}, barrier, 0b11,
                                         cudax::proxy_fenced);
        });
      }
  }
  if (warpgroup < 2) {
    auto const agent = cudax::this_warpgroup.group<1>();                   // barriers 1 and 2
    cudax::ordered_turns<cudax::named_barrier_ids<3, 2>> turns(warpgroup); // barriers 3 and 4
    cudax::device::store_pipeline<2, decltype(agent)> stores(agent);
    int count = 0;
    for (tile_of_block tile(m); tile; ++tile) {
      if (count++ % 2 != warpgroup) { // a tile of the other one
        filled.consumer_skip((m.length + depth - 1) / depth);
        continue;
      }
      turns.wait();
      Arithmetic sums;
      auto next = filled.consumer_position();
      for (int k = 0; k < m.length; k += depth, ++next) {
        filled.consumer_wait(next);
        sums.add(here.a[next.index()], here.b[next.index()]); // may read on, until the next call
        if (k > 0) filled.consumer_release();                 // the stage of the call before
      }
      turns.arrive(); // the other warpgroup calculates, while this one stores
      sums.finish();
      filled.consumer_release();
      stores.acquire();
      tiles_c::tile& c = here.c[warpgroup][stores.index()];
      sums.write(c);
      stores.commit([&] { cudax::device::copy_tensor_async_bulk(m.c, {tile.x(), tile.y()}, c); });
    }
    if (count % 2 != 0 && warpgroup == 1) turns.skip();
  }
  cudax::this_cluster.sync(); // neither block ends while the other one copies to it, or arrives there
}
// [/kernel]

// [arithmetic]
// What a thread has of a tile: in each group of 8 columns, two neighbours in two rows.
struct sums_of_thread {
  float sum[columns / 2]{};
  int const thread = int(threadIdx.x) % 128, row = thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;

  __device__ int x(int i) const { return column + i / 4 * 8 + i % 2; }
  __device__ int y(int i) const { return row + i / 2 % 2 * 8; }
  __device__ void write(tiles_c::tile& c) const {
    for (int i = 0; i < columns / 2; ++i) c(x(i), y(i)) = _Float16(sum[i]);
  }
};

struct by_multiplications : sums_of_thread {
  __device__ void add(tiles_a::tile const& a, tiles_b::tile const& b) {
    for (int i = 0; i < columns / 2; ++i)
      for (int k = 0; k < depth; ++k) sum[i] += float(a(k, y(i))) * float(b(k, x(i)));
  }
  __device__ void finish() {}
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
struct by_tensor_cores : sums_of_thread {
  // The operand from column `k` of a tile on. 8 rows of 64 bytes lie together, and the swizzle is number 2.
  static __device__ unsigned long long operand(void const* tile, int k) {
    unsigned const address = unsigned(__cvta_generic_to_shared(tile)) + unsigned(k) * sizeof(_Float16);
    return 2ull << 62 | 512ull / 16 << 32 | 1ull << 16 | address / 16;
  }

  __device__ void add(tiles_a::tile const& a, tiles_b::tile const& b) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < depth; k += 16)
      asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %18, 0;\n"
                   "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, "
                   "%8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, adds, 1, 1, 0, 0; }"
                   : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
                     "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]), "+f"(sum[12]),
                     "+f"(sum[13]), "+f"(sum[14]), "+f"(sum[15])
                   : "l"(operand(&a, k)), "l"(operand(&b, k)), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
  __device__ void finish() { // the sums are operands: no read of them is moved before the wait
    asm volatile("wgmma.wait_group.sync.aligned 0;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
                   "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]), "+f"(sum[12]), "+f"(sum[13]),
                   "+f"(sum[14]), "+f"(sum[15])::"memory");
  }
};
#else
using by_tensor_cores = by_multiplications; // the instructions belong to sm_90a
#endif
// [/arithmetic]

inline void run() {
  cudaDeviceProp device{};
  cudaGetDeviceProperties(&device, 0);
  if (device.major < 9) return;                                                       // no copies of tensors
  constexpr unsigned height = 2 * rows, width = 3 * columns, length = 2 * depth - 24; // an odd number of tiles
  auto const a = cudax::make_managed<_Float16[]>(height * length);
  auto const b = cudax::make_managed<_Float16[]>(width * length);
  auto const c = cudax::make_managed<_Float16[]>(height * width);
  // Small integers: the sums are exact.
  for (unsigned i = 0; i < height * length; ++i) a[i] = _Float16(int(i * 7 % 23) - 11);
  for (unsigned i = 0; i < width * length; ++i) b[i] = _Float16(int(i * 5 % 7) - 3);
  // [launch]
  using cudax::make_tensor_map;
  matrices const m{make_tensor_map<tiles_a>(a.device_pointer(), {length, height}),
                   make_tensor_map<halves_b>(b.device_pointer(), {length, width}),
                   make_tensor_map<tiles_c>(c.device_pointer(), {width, height}),
                   int(height),
                   int(width),
                   int(length)};
  auto const start = [&](auto kernel) {
    cudax::launch_coresident(kernel, 2, 288, cudax::launch_cluster(2), 0, nullptr, m); // 2: a GPU has more SMs
  };
  // [/launch]
  auto const check = [&](auto kernel, char const* what) {
    for (unsigned i = 0; i < height * width; ++i) c[i] = -1;
    start(kernel);
    finish(what);
    for (unsigned i = 0; i < height * width; ++i) {
      float sum = 0;
      for (unsigned k = 0; k < length; ++k) sum += float(a[i / width * length + k]) * float(b[i % width * length + k]);
      expect(float(c[i]) == sum, what);
    }
  };
  check(multiply<by_multiplications>, "matrix_product: by multiplications");
  if (!std::string(device.name).starts_with("cudax.sync emulator")) // which has no tensor cores
    check(multiply<by_tensor_cores>, "matrix_product: by tensor cores");
}

} // namespace guide::matrix_product
