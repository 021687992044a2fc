// SPDX-License-Identifier: Apache-2.0
//
// reductions: the code of the page "Divergence and reductions". The kernels of pair sums are short forms of those in
// tests/examples/textbook_kernels, which also take sizes that are no power of two.
#pragma once
#include "guide.hpp"

namespace guide::reductions {

// [divergence]
__global__ void by_thread(float* c) { // both branches run in every warp
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) c[i] = 100.0f;
  else c[i] = 200.0f;
}

__global__ void by_warp(float* c) { // each warp runs one branch
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 32 % 2 == 0) c[i] = 100.0f;
  else c[i] = 200.0f;
}
// [/divergence]

// Each block adds up as many elements as it has threads, a power of two, and leaves the sum in the first of them.
// [neighbored]
__global__ void add_neighbored(int* data) {
  int* const own = data + blockIdx.x * blockDim.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (threadIdx.x % (2 * stride) == 0) own[threadIdx.x] += own[threadIdx.x + stride];
    cudax::this_block.sync();
  }
}
// [/neighbored]

// [first threads]
__global__ void add_neighbored_by_first_threads(int* data) {
  int* const own = data + blockIdx.x * blockDim.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    unsigned const i = 2 * stride * threadIdx.x;
    if (i < blockDim.x) own[i] += own[i + stride];
    cudax::this_block.sync();
  }
}
// [/first threads]

// [interleaved]
__global__ void add_interleaved(int* data) {
  int* const own = data + blockIdx.x * blockDim.x;
  for (unsigned stride = blockDim.x / 2; stride != 0; stride /= 2) {
    if (threadIdx.x < stride) own[threadIdx.x] += own[threadIdx.x + stride];
    cudax::this_block.sync();
  }
}
// [/interleaved]

// [operations]
struct plus {
  __host__ __device__ double operator()(double a, double b) const { return a + b; }
};
struct times {
  __host__ __device__ double operator()(double a, double b) const { return a * b; }
};
struct larger {
  __host__ __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};
struct smaller {
  __host__ __device__ double operator()(double a, double b) const { return a < b ? a : b; }
};
// [/operations]

// [reduce]
using state = cudax::reduce_state<double>; // zero before the launch, and zero again after it

template <class Op>
__global__ void combine(state* s, double const* data, unsigned n, double initial, Op op, double* result) {
  cudax::reduce(*s, data, n, initial, op, [=](double found) { *result = found; });
}

__global__ void mean(state* s, double const* data, unsigned n, double* result) {
  cudax::reduce(*s, data, n, 0.0, plus(), [=](double sum) { *result = sum / n; });
}
// [/reduce]

// [calls]
struct summary {
  double sum, product, largest, smallest, mean;
};

void summarize(state* s, double const* data, unsigned size, summary* result) {
  double const infinity = __builtin_huge_val();
  combine<<<4, 128>>>(s, data, size, 0.0, plus(), &result->sum);
  combine<<<4, 128>>>(s, data, size, 1.0, times(), &result->product);
  combine<<<4, 128>>>(s, data, size, -infinity, larger(), &result->largest);
  combine<<<4, 128>>>(s, data, size, infinity, smaller(), &result->smallest);
  mean<<<4, 128>>>(s, data, size, &result->mean);
}
// [/calls]

// [extremes]
struct extremes {
  int smallest, largest;
};
struct wider {
  __host__ __device__ extremes operator()(extremes const& a, extremes const& b) const {
    return {a.smallest < b.smallest ? a.smallest : b.smallest, a.largest > b.largest ? a.largest : b.largest};
  }
};

__global__ void find_extremes(cudax::reduce_state<extremes>* s, int const* data, extremes* result) {
  int const own = data[blockIdx.x * blockDim.x + threadIdx.x];
  cudax::reduce(*s, extremes{own, own}, wider(), [=](extremes const& found) { *result = found; });
}
// [/extremes]

// [everyone]
__global__ void scale_to_largest(state* s, double* data) { // a cooperative launch
  double& own = data[blockIdx.x * blockDim.x + threadIdx.x];
  own /= cudax::reduce(*s, own, larger()); // every thread gets the largest element
}
// [/everyone]

inline void check_divergence() {
  auto const c = cudax::make_managed<float[]>(256);
  by_thread<<<2, 64>>>(c.device_pointer());
  by_warp<<<2, 64>>>(c.device_pointer() + 128);
  finish("reductions: divergence");
  for (unsigned i = 0; i < 128; ++i) {
    expect(c[i] == (i % 2 == 0 ? 100.0f : 200.0f), "reductions: by_thread");
    expect(c[128 + i] == (i / 32 % 2 == 0 ? 100.0f : 200.0f), "reductions: by_warp");
  }
}

inline void check_pairs() {
  constexpr unsigned blocks = 3, threads = 64;
  auto const data = cudax::make_managed<int[]>(blocks * threads);
  for (auto* const kernel : {add_neighbored, add_neighbored_by_first_threads, add_interleaved}) {
    for (unsigned i = 0; i < blocks * threads; ++i) data[i] = int(i);
    kernel<<<blocks, threads>>>(data.device_pointer());
    finish("reductions: pairs");
    for (unsigned b = 0; b < blocks; ++b) {
      unsigned const first = b * threads;
      expect(data[first] == int(threads * first + threads * (threads - 1) / 2), "reductions: pairs");
    }
  }
}

inline void check_reduce() {
  constexpr unsigned size = 2'000;
  auto const s = cudax::make_managed<state>();
  auto const of_extremes = cudax::make_managed<cudax::reduce_state<extremes>>();
  auto const data = cudax::make_managed<double[]>(size);
  auto const integers = cudax::make_managed<int[]>(128);
  auto const result = cudax::make_managed<summary>();
  auto const found = cudax::make_managed<extremes>();
  for (unsigned i = 0; i < size; ++i) data[i] = i % 100 == 7 ? 2.0 : 1.0; // 20 twos
  data[11] = 0.5, data[12] = 16.0;
  summarize(s.device_pointer(), data.device_pointer(), size, result.device_pointer());
  for (int i = 0; i < 128; ++i) integers[unsigned(i)] = i * 37 % 128 - 50;
  find_extremes<<<2, 64>>>(of_extremes.device_pointer(), integers.device_pointer(), found.device_pointer());
  finish("reductions: reduce");
  double const sum = 1980 - 2 + 40 + 16.5; // all of these values are exact
  expect(result->sum == sum && result->mean == sum / size, "reductions: sum, mean");
  expect(result->product == 1'048'576.0 * 8, "reductions: product");
  expect(result->largest == 16 && result->smallest == 0.5, "reductions: largest, smallest");
  expect(found->smallest == -50 && found->largest == 77, "reductions: extremes");
  cudax::launch_coresident(scale_to_largest, 2, 64, 0, nullptr, s.device_pointer(), data.device_pointer());
  finish("reductions: scale");
  expect(data[12] == 1 && data[11] == 0.5 / 16 && data[127] == 1 / 16.0 && data[128] == 1, "reductions: scale");
}

inline void run() {
  check_divergence();
  check_pairs();
  check_reduce();
}

} // namespace guide::reductions
