// SPDX-License-Identifier: Apache-2.0
//
// matrix_product: the code of the page "A matrix product". Copies of tensors need sm_90.
#pragma once
#include "guide.hpp"

namespace guide::matrix_product {

// [kernel]
inline constexpr int side = 64, depth = 16, stages = 4; // a block has side * side sums
using box = cudax::tensor_box<depth, side>;             // rows of 64 bytes
using tiles = cudax::tensor_map<cudax::tensor_tf32, box, cudax::tensor_swizzle::bytes_64>;
struct matrices {
  tiles a, b; // of a and of the transposed b
  float* c;
  int columns, length;
};

// c = a * b. Warp 0 copies, the warps 1 to 4 calculate.
template <class Arithmetic>
__global__ void multiply(matrices const __grid_constant__ m) {
  __shared__ tiles::tile a[stages], b[stages];
  __shared__ cudax::pipeline_shared_state<cudax::thread_scope_block, stages> state;
  int const y = int(blockIdx.y) * side, x = int(blockIdx.x) * side;
  int const warp = int(threadIdx.x) / 32;
  auto const role = warp == 0 ? cudax::pipeline_role::producer //
                              : cudax::pipeline_role::consumer;
  auto filled = cudax::make_pipeline(cudax::this_block, &state, role, cudax::this_warp);
  if (threadIdx.x == 0) {
    for (int k = 0; k < m.length; k += depth) {
      filled.producer_acquire();
      unsigned const stage = filled.producer_position().index();
      auto& barrier = filled.stage_barrier();
      cudax::device::copy_tensor_async_tx(a[stage], m.a, {k, y}, barrier);
      cudax::device::copy_tensor_async_tx(b[stage], m.b, {k, x}, barrier);
      filled.producer_commit(cudax::this_thread, 2 * tiles::tile_bytes);
    }
  } else if (warp > 0) {
    int const first = 16 * (warp - 1); // of the 16 rows of the warp
    Arithmetic sums;
    for (int k = 0; k < m.length; k += depth) {
      filled.consumer_wait();
      unsigned const stage = filled.consumer_position().index();
      sums.add(a[stage], first, b[stage]);
      filled.consumer_release();
    }
    sums.store(m.c + (y + first) * m.columns + x, m.columns);
  }
}
// [/kernel]

// [arithmetic]
// What a lane has of 16 rows: in each of 8 groups of 8 columns, two neighbours in two rows.
struct sums_of_lane {
  float sum[side / 8][4]{};
  int const lane = int(threadIdx.x % 32), row = lane / 4, column = lane % 4 * 2;

  __device__ void store(float* c, int columns) const {
    for (int n = 0; n < side; n += 8)
      for (int i = 0; i < 4; ++i) {
        int const y = row + i / 2 * 8, x = n + column + i % 2;
        c[y * columns + x] = sum[n / 8][i];
      }
  }
};

struct by_tensor_cores : sums_of_lane {
  __device__ void add(tiles::tile const& a, int first, tiles::tile const& b) {
    auto const bits = [](float value) { return __float_as_uint(value); };
    int const low = first + row, high = low + 8;
    for (int k = lane % 4; k < depth; k += 8) {
      unsigned const a0 = bits(a(k, low)), a1 = bits(a(k, high));
      unsigned const a2 = bits(a(k + 4, low)), a3 = bits(a(k + 4, high));
      for (int n = 0; n < side; n += 8) {
        unsigned const b0 = bits(b(k, n + row)), b1 = bits(b(k + 4, n + row));
        float (&d)[4] = sum[n / 8];
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
      }
    }
  }
};

struct by_multiplications : sums_of_lane {
  __device__ void add(tiles::tile const& a, int first, tiles::tile const& b) {
    for (int n = 0; n < side; n += 8)
      for (int i = 0; i < 4; ++i) {
        int const y = first + row + i / 2 * 8, x = n + column + i % 2;
        for (int k = 0; k < depth; ++k) sum[n / 8][i] += a(k, y) * b(k, x);
      }
  }
};
// [/arithmetic]

inline void run() {
  cudaDeviceProp device{};
  cudaGetDeviceProperties(&device, 0);
  if (device.major < 9) return;                                    // no copies of tensors
  constexpr unsigned rows = side, columns = 2 * side, length = 70; // no multiple of `depth`
  constexpr unsigned pitch = (length + 3) / 4 * 4;                 // rows begin at multiples of 16 bytes
  auto const a = cudax::make_managed<float[]>(rows * pitch);
  auto const b = cudax::make_managed<float[]>(columns * pitch);
  auto const c = cudax::make_managed<float[]>(rows * columns);
  // Small integers: the sums are exact.
  for (unsigned i = 0; i < rows * pitch; ++i) a[i] = float(int(i * 7 % 23) - 11);
  for (unsigned i = 0; i < columns * pitch; ++i) b[i] = float(int(i * 5 % 19) - 9);
  auto const map = [](float* first, unsigned count) {
    return cudax::make_tensor_map<tiles>(first, {length, count}, {.strides = {pitch * sizeof(float)}});
  };
  matrices const m{map(a.device_pointer(), rows), map(b.device_pointer(), columns), c.device_pointer(), int(columns),
                   int(length)};
  auto const check = [&](auto kernel, char const* what) {
    for (unsigned i = 0; i < rows * columns; ++i) c[i] = -1;
    kernel<<<dim3(columns / side, rows / side), 160>>>(m);
    finish(what);
    for (unsigned i = 0; i < rows * columns; ++i) {
      float sum = 0;
      for (unsigned k = 0; k < length; ++k) sum += a[i / columns * pitch + k] * b[i % columns * pitch + k];
      expect(c[i] == sum, what);
    }
  };
  check(multiply<by_multiplications>, "matrix_product: by multiplications");
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800                 // that has the instruction
  if (!std::string(device.name).starts_with("cudax.sync emulator")) // which has no tensor cores
    check(multiply<by_tensor_cores>, "matrix_product: by tensor cores");
#endif
}

} // namespace guide::matrix_product
