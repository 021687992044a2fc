// SPDX-License-Identifier: Apache-2.0
//
// memory_latency: section 3.2.4: the latency of loads from the device's memory, and how loads of other warps, and other
// loads of the same thread, hide it. The threads of one block follow lists through memory of twice the size of the L2
// cache: the address of a load is the result of the load before it. One warp with one list for each lane shows the
// latency. With more warps, or with more lists for each lane, more loads are in flight, and the SM gets more bytes in a
// cycle, until a limit of the SM is reached. Latency x throughput are the bytes in flight, by Little's law. The program
// prints what it measures; only the ends of the lists are checked. On the emulator, whose clock counts nanoseconds of
// the host, the figures say nothing about a GPU.
#include "part.hpp"
#include "query.hpp"

#include <algorithm>
#include <memory>

namespace textbook_kernels {
namespace {

constexpr unsigned most_warps = 32, most_lists = 4, hops = 16, rounds = 2;

/// An element of the lists. Its size is that of a sector, the smallest part of the memory that a load transfers.
struct alignas(32) element {
  unsigned next;
};

/// Returns the element after element i, of n elements, n a power of two. All elements are one cycle (a linear
/// congruential generator of full period), and neighbours in the cycle are far apart in memory.
__host__ __device__ inline unsigned after(unsigned i, unsigned n) { return (i * 1664525u + 1013904223u) & (n - 1); }

/// Returns where a list begins. The lists of a launch begin far apart in memory. Each launch has other lists, so few of
/// their elements are in the L2 cache.
__host__ __device__ inline unsigned begin_of(unsigned list, unsigned launch, unsigned n) {
  return (list * 2654435761u + launch * 40503u) & (n - 1);
}

struct measured {
  unsigned long long cycles[most_warps]; ///< of each warp, from the first start in the block to the warp's end
  unsigned last[most_warps * 32 * most_lists];
};

template <unsigned Lists> __global__ void follow(element const* elements, unsigned n, unsigned launch, measured* m) {
  __shared__ long long start;
  unsigned at[Lists], sum = 0;
  for (unsigned k = 0; k < Lists; ++k) at[k] = begin_of(threadIdx.x * Lists + k, launch, n);
  if (threadIdx.x == 0) start = clock64();
  __syncthreads();
  for (unsigned hop = 0; hop < hops; ++hop)
#pragma unroll
    for (unsigned k = 0; k < Lists; ++k) at[k] = __ldcg(&elements[at[k]].next); // not from the L1 cache
#pragma unroll
  for (unsigned k = 0; k < Lists; ++k) sum += at[k];
  __syncwarp();
  // The condition needs the last loads, and is true: the clock is read after them.
  unsigned long long const cycles = sum <= Lists * (n - 1) ? (unsigned long long)(clock64() - start) : 0;
  if (threadIdx.x % 32 == 0) m->cycles[threadIdx.x / 32] = cycles;
#pragma unroll
  for (unsigned k = 0; k < Lists; ++k) m->last[threadIdx.x * Lists + k] = at[k];
}

/// Elements in device memory.
struct lists {
  element* elements = nullptr;
  unsigned n = 1u << 15, launches = 0;

  lists() {
    int const cache = attribute(cudaDevAttrL2CacheSize);
    while (n * sizeof(element) < 2 * (unsigned long long)cache && n < 1u << 24) n *= 2;
    std::vector<element> values(n);
    for (unsigned i = 0; i < n; ++i) values[i].next = after(i, n);
    CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&elements), n * sizeof(element)));
    CUDA_MUST(cudaMemcpy(elements, values.data(), n * sizeof(element), cudaMemcpyHostToDevice));
  }
  ~lists() { cudaFree(elements); }
  lists(lists const&) = delete;
  lists& operator=(lists const&) = delete;
};

/// Returns the cycles of a hop.
template <unsigned Lists> double measure(lists& of, unsigned warps, measured* m, example::report& report) {
  example::stopwatch time;
  auto const found = std::make_unique<measured>();
  long long wrong = 0;
  unsigned long long cycles = 0;
  for (unsigned round = 0; round < rounds; ++round) { // the first round also loads the code
    CUDA_MUST(cudaMemset(m, 0, sizeof *m));
    unsigned const launch = ++of.launches;
    follow<Lists><<<1, warps * 32>>>(of.elements, of.n, launch, m);
    CUDA_MUST(cudaGetLastError());
    CUDA_MUST(cudaMemcpy(found.get(), m, sizeof *m, cudaMemcpyDeviceToHost));
    cycles = *std::max_element(found->cycles, found->cycles + warps);
    wrong += std::count(found->cycles, found->cycles + warps, 0ull);
    for (unsigned i = 0; i < warps * 32 * Lists; ++i) {
      unsigned at = begin_of(i, launch, of.n);
      for (unsigned hop = 0; hop < hops; ++hop) at = after(at, of.n);
      wrong += found->last[i] != at;
    }
  }
  double const per_hop = double(cycles) / hops, bytes = double(warps) * 32 * Lists * sizeof(element);
  char text[128];
  std::snprintf(text, sizeof text, "%2u warps, %u loads: %.0f cycles, %.1f bytes a cycle", warps, Lists, per_hop,
                bytes / per_hop);
  report.line(text, "device", wrong, rounds * warps * (32 * Lists + 1), time.seconds());
  return per_hop;
}

} // namespace

void memory_latency(example::report& report) {
  lists of;
  measured* m = nullptr;
  CUDA_MUST(
      cudaMalloc(reinterpret_cast<void**>(&m), sizeof(measured))); // managed memory would fault in the measurement
  double latency = 0, most = 0;
  for (unsigned warps = 1; warps <= most_warps; warps *= 2) {
    double const one = measure<1>(of, warps, m, report), four = measure<most_lists>(of, warps, m, report);
    if (warps == 1) latency = one;
    double const bytes = warps * 32.0 * sizeof(element);
    most = std::max({most, bytes / one, most_lists * bytes / four});
  }
  std::printf("  latency x throughput of one SM: %.0f cycles x %.1f bytes = %.0f bytes in flight\n", latency, most,
              latency * most);
  CUDA_MUST(cudaFree(m));
}

} // namespace textbook_kernels
