// SPDX-License-Identifier: Apache-2.0
//
// cluster_launch: launches of kernels in clusters, by CUDA's own function: what the tests test is not used to run them.
#pragma once

#include "device_report.hpp"

namespace cudax_test {

/// Launches as <<<blocks, threads>>> does, in clusters of `cluster` blocks. Clusters of one block are no clusters, and
/// need no device that has them.
template <class... Parameter, class... Argument>
void launch_in_clusters(void (*kernel)(Parameter...), dim3 blocks, unsigned threads, dim3 cluster,
                        Argument... argument) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.attrs = &attribute;
  config.numAttrs = cluster.x * cluster.y * cluster.z != 1;
  CUDA_MUST(cudaLaunchKernelEx(&config, kernel, static_cast<Parameter>(argument)...));
}

} // namespace cudax_test
