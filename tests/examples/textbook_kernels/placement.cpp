// SPDX-License-Identifier: Apache-2.0
//
// placement: section 3.1: the hardware runs a block on one SM, from its start to its end. Every thread reads the number
// of its SM twice, before and after barriers of the block; all numbers of a block must be equal. Many blocks are
// launched, so that several SMs have some.
#include "part.hpp"
#include "query.hpp"

#include <set>

namespace textbook_kernels {
namespace {

constexpr unsigned blocks = 64, threads = 128;

/// mov.u32 d, %smid; PTX ISA 1.3, all SMs
__device__ unsigned sm_of_this_thread() {
  unsigned result;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(result));
  return result;
}

__global__ void report_sm(unsigned* at_start, unsigned* at_end) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  at_start[i] = sm_of_this_thread();
  for (int k = 0; k < 100; ++k) __syncthreads();
  at_end[i] = sm_of_this_thread();
}

} // namespace

void placement(example::report& report) {
  unsigned *at_start = nullptr, *at_end = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&at_start), blocks * threads * sizeof(unsigned)));
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&at_end), blocks * threads * sizeof(unsigned)));
  for (unsigned i = 0; i < blocks * threads; ++i) at_start[i] = at_end[i] = ~0u;
  example::stopwatch time;
  report_sm<<<blocks, threads>>>(at_start, at_end);
  CUDA_MUST(cudaGetLastError());
  CUDA_MUST(cudaDeviceSynchronize());
  long long wrong = 0, checked = 0;
  std::set<unsigned> used;
  for (unsigned block = 0; block < blocks; ++block) {
    unsigned const sm = at_start[block * threads];
    used.insert(sm);
    ++checked, wrong += sm == ~0u;
    for (unsigned i = block * threads; i < (block + 1) * threads; ++i)
      checked += 2, wrong += (at_start[i] != sm) + (at_end[i] != sm);
  }
  report.line("one SM per block: " + std::to_string(blocks) + " blocks on " + std::to_string(used.size()) + " of " +
                  std::to_string(attribute(cudaDevAttrMultiProcessorCount)) + " SMs",
              "device", wrong, checked, time.seconds());
  CUDA_MUST(cudaFree(at_start));
  CUDA_MUST(cudaFree(at_end));
}

} // namespace textbook_kernels
