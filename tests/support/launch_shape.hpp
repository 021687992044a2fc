// SPDX-License-Identifier: Apache-2.0
//
// launch_shape: launches that the syntax <<<...>>> cannot express: clusters of blocks, and dependent launches.
#pragma once

#include <cuda_runtime.h>

namespace cudax_test {

struct launch_shape {
  int blocks = 1, threads = 1, cluster = 1;
  bool is_dependent = false; ///< may begin before the kernel before it has ended
  cudaStream_t stream = nullptr;
};

/// Starts a kernel, and does not wait for it.
template <class... Parameters, class... Arguments>
cudaError_t try_enqueue(launch_shape const& shape, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(shape.blocks));
  config.blockDim = dim3(unsigned(shape.threads));
  config.stream = shape.stream;
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
  return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

} // namespace cudax_test
