// SPDX-License-Identifier: Apache-2.0
//
// resources: sections 3.2.3 and 3.2.5: how many blocks of a kernel an SM holds, by the chapter's arithmetic, by the
// runtime's query, and by experiment: a cooperative launch with as many blocks as the query returns starts; with one
// block more it fails.
#include "part.hpp"
#include "query.hpp"

namespace textbook_kernels {
namespace {

/// Every block waits for every other block. So the kernel ends only if all blocks are resident at the same time.
__global__ void meet(unsigned* arrived) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {}
  }
  __syncthreads();
}

cudaError_t launch(unsigned blocks, unsigned threads, unsigned long long shared, unsigned* arrived) {
  *arrived = 0;
  void* arguments[] = {&arrived};
  cudaError_t const error =
      cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(meet), dim3(blocks), dim3(threads), arguments, shared);
  if (error != cudaSuccess) {
    (void)cudaGetLastError();
    return error;
  }
  CUDA_MUST(cudaDeviceSynchronize());
  return error;
}

} // namespace

void resource_partitioning(example::report& report) {
  sm_limits const sm = limits_of_device();
  int multiprocessors = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  unsigned* arrived = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&arrived), sizeof(unsigned)));
  long long wrong = 0, checked = 0;
  std::string blocks_of;
  example::stopwatch time;
  for (unsigned const threads : {32u, 33u, 128u, 512u, 1024u})
    for (unsigned long long const shared : {0ull, 4096ull, 32768ull}) {
      kernel_resources const k = resources_of(reinterpret_cast<void const*>(meet), int(threads), shared);
      int const bound = partition_of(sm, k.needs).blocks();
      wrong += k.blocks > bound;                         // the arithmetic is an upper bound ...
      wrong += k.blocks < 1 || 2 * k.blocks < bound - 1; // ... and not far from it
      unsigned const fit = unsigned(k.blocks * multiprocessors);
      wrong += launch(fit, threads, shared, arrived) != cudaSuccess || *arrived < fit;
      checked += 3;
      if (threads == 128)
        ++checked, wrong += launch(fit + 1, threads, shared, arrived) != cudaErrorCooperativeLaunchTooLarge;
      if (shared == 0) blocks_of += (blocks_of.empty() ? "" : ", ") + std::to_string(k.blocks);
    }
  CUDA_MUST(cudaFree(arrived));
  report.line("blocks per SM: " + blocks_of, "device", wrong, checked, time.seconds());
}

} // namespace textbook_kernels
