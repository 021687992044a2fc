// SPDX-License-Identifier: Apache-2.0
//
// launches: launches that the syntax <<<...>>> cannot express: clusters of blocks, and dependent launches, which may
// begin before the kernel before them has ended.
#pragma once
#include "foreign.hpp"

namespace foreign {

struct launch_shape {
  int blocks = 1, threads = 1, cluster = 1;
  bool is_dependent = false;
};

/// Starts a kernel, and does not wait for it.
template <class... Parameters, class... Arguments>
void enqueue(launch_shape shape, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(shape.blocks));
  config.blockDim = dim3(unsigned(shape.threads));
  cudaLaunchAttribute attributes[2]{};
  config.attrs = attributes;
  if (shape.cluster > 1) {
    cudaLaunchAttribute& a = attributes[config.numAttrs++];
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = unsigned(shape.cluster);
    a.val.clusterDim.y = a.val.clusterDim.z = 1;
  }
  if (shape.is_dependent) {
    cudaLaunchAttribute& a = attributes[config.numAttrs++];
    a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a.val.programmaticStreamSerializationAllowed = 1;
  }
  FOREIGN_MUST(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

/// Waits for all kernels.
inline void finish() { FOREIGN_MUST(cudaDeviceSynchronize()); }

} // namespace foreign
