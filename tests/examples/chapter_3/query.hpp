// SPDX-License-Identifier: Apache-2.0
//
// query: what the CUDA runtime says about an SM and a kernel, for the arithmetic of resources.hpp. CUDA alone; behind `must`.
#pragma once

#include "resources.hpp"
#include <cuda_runtime.h>

namespace chapter_3 {

inline int attribute(cudaDeviceAttr which) {
  int value = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

inline sm_limits limits_of_device() {
  return {attribute(cudaDevAttrMaxThreadsPerMultiProcessor), attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
          attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
          (unsigned long long)attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
          (unsigned long long)attribute(cudaDevAttrReservedSharedMemoryPerBlock)};
}

struct kernel_resources {
  block_needs needs;
  int blocks; ///< of one SM, by the runtime
};

inline kernel_resources resources_of(void const* kernel, int threads, unsigned long long dynamic_shared = 0) {
  cudaFuncAttributes found{};
  CUDA_MUST(cudaFuncGetAttributes(&found, kernel));
  int blocks = 0;
  CUDA_MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared));
  return {{threads, found.numRegs, found.sharedSizeBytes + dynamic_shared}, blocks};
}

} // namespace chapter_3
