// SPDX-License-Identifier: Apache-2.0
//
// latency: section 3.2.4: the latency of arithmetic, and how other warps hide it. Each thread of one block runs a chain
// of multiply-adds, each of which depends on the one before it, between two reads of the SM's clock. One warp shows
// the latency. With more warps, the SM issues instructions of other warps meanwhile: the cycles per instruction of the
// SM fall, until its throughput is reached. Latency x throughput is the number of warps that Little's law asks for. The
// program prints what it measures; only the results of the chains are checked. On the emulator, whose clock counts
// nanoseconds of the host, the figures say nothing about a GPU.
#include "part.hpp"
#include "query.hpp"

#include <algorithm>

namespace textbook_kernels {
namespace {

constexpr unsigned most_warps = 32, steps = 1024;

/// One step of the chain: one multiply-add. It is not linear, so the compiler cannot combine steps.
__host__ __device__ inline unsigned step(unsigned x) { return x * x + 1013904223u; }

struct measured {
  unsigned long long cycles[most_warps]; ///< of each warp, from the first start in the block to the warp's end
  unsigned result[most_warps * 32];
};

__global__ void chains(measured* m, unsigned seed) {
  __shared__ long long start;
  unsigned x = seed + threadIdx.x;
  if (threadIdx.x == 0) start = clock64();
  __syncthreads();
#pragma unroll 64
  for (unsigned i = 0; i < steps; ++i) x = step(x);
  m->result[threadIdx.x] = x; // before the clock is read: the clock's instruction does not depend on x
  __syncwarp();
  if (threadIdx.x % 32 == 0) m->cycles[threadIdx.x / 32] = (unsigned long long)(clock64() - start);
}

} // namespace

void latency(example::report& report) {
  measured* m = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&m), sizeof(measured)));
  double latency = 0;
  for (unsigned warps = 1; warps <= most_warps; warps *= 2) {
    example::stopwatch time;
    long long wrong = 0;
    unsigned long long cycles = 0;
    for (unsigned round = 0; round < 3; ++round) { // the first round also loads the code
      *m = measured{};
      chains<<<1, warps * 32>>>(m, round);
      CUDA_MUST(cudaGetLastError());
      CUDA_MUST(cudaDeviceSynchronize());
      cycles = *std::max_element(m->cycles, m->cycles + warps);
      for (unsigned i = 0; i < warps * 32; ++i) {
        unsigned x = round + i;
        for (unsigned k = 0; k < steps; ++k) x = step(x);
        wrong += m->result[i] != x;
      }
    }
    double const per_step = double(cycles) / steps; // of one warp; in this time every warp makes a step
    if (warps == 1) latency = per_step;
    double const throughput = double(warps) / per_step;
    char text[128];
    std::snprintf(text, sizeof text, "%2u warps: %.1f cycles a step, %.2f steps a cycle", warps, per_step, throughput);
    report.line(text, "device", wrong, 3 * warps * 32, time.seconds());
    if (warps == most_warps)
      std::printf("  latency x throughput: %.1f x %.2f = %.1f warps hide the latency\n", latency, throughput,
                  warps_under_way(latency, throughput));
  }
  CUDA_MUST(cudaFree(m));
}

} // namespace textbook_kernels
