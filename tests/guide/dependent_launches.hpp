// SPDX-License-Identifier: Apache-2.0
//
// dependent_launches: the code of the page "A chain of launches".
#pragma once
#include "guide.hpp"

namespace guide::dependent_launches {

// [kernel]
inline constexpr unsigned threads = 256;

// Each element becomes the mean of itself and its neighbours. `edges` continue the row.
__global__ void smooth(float const* in, float* out, unsigned n, float const* edges) {
  cudax::this_grid.let_dependents_start(); // the next kernel may occupy free SMs now
  unsigned const i = blockIdx.x * threads + threadIdx.x;
  float const left = edges[0], right = edges[1]; // nobody in the chain writes them
  cudax::this_grid.wait_for_prerequisites();     // `in` is written, `out` is no longer read
  if (i >= n) return;
  float const before = i > 0 ? in[i - 1] : left, after = i + 1 < n ? in[i + 1] : right;
  out[i] = (before + in[i] + after) / 3;
}
// [/kernel]

// [chain]
struct signal {
  float *in, *out;
  unsigned size;
  float const* edges;
};

// Returns where the result is.
inline float* smooth_repeatedly(signal s, unsigned steps, cudaStream_t stream) {
  unsigned const blocks = (s.size + threads - 1) / threads;
  for (unsigned step = 0; step < steps; ++step) {
    auto const [in, out, size, edges] = s;
    cudax::launch_dependent(smooth, blocks, threads, 0, stream, in, out, size, edges);
    s.in = out, s.out = in;
  }
  return s.in;
}
// [/chain]

inline void run() {
  constexpr unsigned n = 3000, steps = 7;
  auto const a = cudax::make_managed<float[]>(n);
  auto const b = cudax::make_managed<float[]>(n);
  auto const edges = cudax::make_managed<float[]>(2);
  std::vector<float> expected(n);
  for (unsigned i = 0; i < n; ++i) expected[i] = a[i] = float(i * 37 % 101);
  edges[0] = -1, edges[1] = 1;
  signal const s{a.device_pointer(), b.device_pointer(), n, edges.device_pointer()};
  float const* const result = smooth_repeatedly(s, steps, nullptr);
  finish("dependent_launches");
  for (unsigned step = 0; step < steps; ++step) {
    std::vector<float> const in = expected;
    for (unsigned i = 0; i < n; ++i) {
      float const before = i > 0 ? in[i - 1] : -1, after = i + 1 < n ? in[i + 1] : 1;
      expected[i] = (before + in[i] + after) / 3;
    }
  }
  for (unsigned i = 0; i < n; ++i) {
    float const difference = result[i] - expected[i];
    expect(difference < 1e-3f && difference > -1e-3f, "dependent_launches: smooth"); // the division may differ
  }
}

} // namespace guide::dependent_launches
