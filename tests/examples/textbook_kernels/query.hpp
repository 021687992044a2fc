// SPDX-License-Identifier: Apache-2.0
//
// query: what the CUDA runtime reports about an SM and a kernel, as input for the arithmetic of resources.hpp. Only for
// CUDA; include it after the definition of CUDA_MUST.
#pragma once

#include "resources.hpp"
#include <cuda_runtime.h>

namespace textbook_kernels {

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
  int blocks; ///< resident on one SM at a time, as the runtime reports
};

inline kernel_resources resources_of(void const* kernel, int threads, unsigned long long dynamic_shared = 0) {
  cudaFuncAttributes found{};
  CUDA_MUST(cudaFuncGetAttributes(&found, kernel));
  int blocks = 0;
  CUDA_MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared));
  return {{threads, found.numRegs, found.sharedSizeBytes + dynamic_shared}, blocks};
}

} // namespace textbook_kernels
