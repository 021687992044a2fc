// SPDX-License-Identifier: Apache-2.0
//
// cuda_calls: calls of CUDA that must not fail, and how a test's kernel is launched.
#pragma once

#include <cuda_runtime.h>

#include <cstring>
#include <string>

#include "layout.hpp"
#include "machine.hpp"

namespace litmus_runner {

inline constexpr unsigned long long words_of_scratch = 1ull << 22; ///< on each device

inline void must(cudaError_t error, char const* call) {
  if (error != cudaSuccess) throw machine_error(std::string(call) + ": " + cudaGetErrorString(error));
}
#define MUST(...) must(__VA_ARGS__, #__VA_ARGS__)

/// Memory of the device, initially 0.
template <class T>
T* allocate(unsigned long long bytes) {
  void* memory = nullptr;
  if (cudaError_t const error = cudaMalloc(&memory, bytes); error != cudaSuccess)
    throw machine_error("cudaMalloc of " + std::to_string(bytes) + " bytes: " + cudaGetErrorString(error));
  must(cudaMemset(memory, 0, bytes), "cudaMemset");
  return static_cast<T*>(memory);
}

/// Memory of the host that the device accesses, too; initially 0.
inline void* allocate_mapped(unsigned long long bytes) {
  void* memory = nullptr;
  must(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped), "cudaHostAlloc");
  std::memset(memory, 0, bytes);
  return memory;
}

/// A launch configuration for `blocks` blocks of a layout.
struct configuration {
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attributes[2]{};

  configuration(layout const& l, unsigned blocks, unsigned threads, std::size_t shared) {
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.attrs = attributes;
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    config.numAttrs = 1;
    if (l.blocks_per_cluster > 1) {
      attributes[1].id = cudaLaunchAttributeClusterDimension;
      attributes[1].val.clusterDim.x = l.blocks_per_cluster;
      attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
      config.numAttrs = 2;
    }
  }
};

} // namespace litmus_runner
