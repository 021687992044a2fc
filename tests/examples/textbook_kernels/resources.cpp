// SPDX-License-Identifier: Apache-2.0
//
// resources: sections 3.2.3 and 3.2.5: how many blocks of a kernel an SM holds, by the chapter's arithmetic, by the
// runtime's query, and by experiment: a cooperative launch with as many blocks as the query returns starts; with one
// block more it fails. An ordinary launch succeeds with any number of blocks; it fails if an SM lacks the resources for
// a single block.
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

/// A kernel with the registers for blocks of up to 64 threads.
constexpr unsigned most_threads = 64;
__global__ void __launch_bounds__(most_threads) count_threads(unsigned* count) { atomicAdd(count, 1); }

/// Launches count_threads as <<<>>> does. Returns whether the launch gives one of the errors `expected`, leaves it as
/// the last error, and runs no thread; or, if success is expected, whether all threads run.
template <class... Error>
bool launch_gives(unsigned blocks, unsigned threads, unsigned long long shared, unsigned* count, Error... expected) {
  *count = 0;
  count_threads<<<blocks, threads, shared>>>(count);
  cudaError_t const peeked = cudaPeekAtLastError(), got = cudaGetLastError(), cleared = cudaGetLastError();
  CUDA_MUST(cudaDeviceSynchronize());
  bool const right = ((got == expected) || ...) && peeked == got && cleared == cudaSuccess &&
                     *count == (got == cudaSuccess ? blocks * threads : 0);
  if (!right)
    std::printf("  %u blocks of %u threads with %llu bytes of shared memory: %s, %u threads ran\n", blocks, threads,
                shared, cudaGetErrorName(got), *count);
  return right;
}

/// Section 3.2.3: a launch fails if not even one block fits on an SM.
void lacking_resources(example::report& report) {
  example::stopwatch time;
  unsigned* count = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&count), sizeof(unsigned)));
  auto const of_a_block = (unsigned long long)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  auto const of_all =
      (unsigned)attribute(cudaDevAttrMultiProcessorCount) * (unsigned)attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  bool const right[] = {
      launch_gives(of_all + 1, 1, 0, count, cudaSuccess), // the last block waits for resources
      // More threads than the kernel has registers for: the launch fails, and CUDA's documentation names no error.
      launch_gives(1, most_threads + 1, 0, count, cudaErrorLaunchOutOfResources, cudaErrorInvalidValue),
      // More shared memory than any SM has for a block: the error depends on the version of CUDA.
      launch_gives(1, 1, of_a_block + 1, count, cudaErrorInvalidValue, cudaErrorInvalidConfiguration),
      launch_gives(1, most_threads, 0, count, cudaSuccess), // a launch that failed has no effect on later ones
  };
  CUDA_MUST(cudaFree(count));
  long long wrong = 0, checked = 0;
  for (bool const r : right) ++checked, wrong += !r;
  report.line("ordinary launches, some without resources", "device", wrong, checked, time.seconds());
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
  lacking_resources(report);
}

} // namespace textbook_kernels
