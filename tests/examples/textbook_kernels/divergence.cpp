// SPDX-License-Identifier: Apache-2.0
//
// divergence: section 3.2.2: checks what the four kernels write, and how many lanes of a warp take each branch.
#include "part.hpp"
#include "series.hpp"

namespace textbook_kernels {

void divergence(example::report& report) {
  constexpr unsigned threads = 64, n = 1000, blocks = (n + threads - 1) / threads, guard = 24;
  float* c = nullptr;
  lane_counts* counts = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&c), (n + guard) * sizeof(float)));
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&counts), sizeof(lane_counts)));
  for (math_kernel const& k : math_kernels) {
    long long wrong = 0;
    example::stopwatch time;
    for (bool const with_counts : {false, true}) {
      for (unsigned i = 0; i < n + guard; ++i) c[i] = -1;
      *counts = lane_counts{};
      if (with_counts) k.count(blocks, threads, c, n, counts);
      else k.run(blocks, threads, c, n);
      CUDA_MUST(cudaDeviceSynchronize());
      for (unsigned i = 0; i < n; ++i) wrong += c[i] != k.expected(i);
      for (unsigned i = n; i < n + guard; ++i) wrong += c[i] != -1;
    }
    // If the kernel diverges, every warp takes both branches, with half of its lanes each. Otherwise half of the warps
    // take each branch with all of their lanes.
    bool const diverges = k.expected == by_thread;
    unsigned const warps = blocks * threads / 32;
    for (int branch = 0; branch < 2; ++branch) {
      wrong += counts->warps[branch] != (diverges ? warps : warps / 2);
      wrong += counts->lanes[branch] != warps * 16;
      wrong += counts->divergent[branch] != (diverges ? warps : 0);
    }
    char text[80];
    std::snprintf(text, sizeof text, "%s: %.0f and %.0f of 32 lanes", k.name,
                  double(counts->lanes[0]) / double(counts->warps[0]),
                  double(counts->lanes[1]) / double(counts->warps[1]));
    report.line(text, "device", wrong, 2 * n + 6, time.seconds());
  }
  CUDA_MUST(cudaFree(counts));
  CUDA_MUST(cudaFree(c));
}

} // namespace textbook_kernels
