// SPDX-License-Identifier: Apache-2.0
//
// clusters: the launch of a kernel in clusters, and stages of a cluster by hand: barriers, a wait and an arrival at
// cluster scope for shared memory alone, which is what the PTX model demands.
#pragma once

#include "cuda.hpp"

#include <cuda_runtime.h>

#include <cstddef>

namespace CUDAX_BENCH_SIDE {

/// A kernel, and how it is launched: in clusters of `size` blocks, with dynamic shared memory.
template <class... Parameter>
class cluster_launch {
  void (*kernel_)(Parameter...);
  cudaLaunchAttribute cluster_{};
  cudaLaunchConfig_t config_{};

public:
  cluster_launch(void (*kernel)(Parameter...), unsigned size, unsigned blocks, unsigned threads, std::size_t bytes)
    : kernel_(kernel) {
    CUDA_MUST(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   int(bytes)));
    cluster_.id = cudaLaunchAttributeClusterDimension;
    cluster_.val.clusterDim.x = size;
    cluster_.val.clusterDim.y = cluster_.val.clusterDim.z = 1;
    config_.gridDim = dim3(blocks);
    config_.blockDim = dim3(threads);
    config_.dynamicSmemBytes = bytes;
    config_.attrs = &cluster_;
    config_.numAttrs = 1;
  }
  cluster_launch(cluster_launch const&) = delete;
  void operator()(Parameter const&... arguments) const {
    CUDA_MUST(cudaLaunchKernelEx(&config_, kernel_, arguments...));
  }
};

#if defined(CUDAX_BENCH_PTX)

/// Begins the barriers of `stages` stages, in `full` and in `empty`, of which each awaits one arrival and `releases`
/// arrivals. All threads of the cluster call it.
__device__ inline void begin_stages_of_cluster(unsigned full, unsigned empty, unsigned stages, unsigned releases) {
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < stages; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full + 8 * i) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(empty + 8 * i), "r"(releases) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
}

/// Pairs with release_in_cluster, and with the completion of bytes.  PTX ISA 8.6, mbarrier.try_wait with .relaxed and
/// fence.acquire.sync_restrict, sm_90
__device__ inline void wait_in_cluster(unsigned barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\n"
               "again: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n"
               "fence.acquire.sync_restrict::shared::cluster.cluster; }" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

/// After wait_in_cluster: bulk copies may overwrite what the warps that released have read.
__device__ inline void acquire_for_copies_in_cluster() {
  asm volatile("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
}

/// Releases what the thread's warp has read in the block's shared memory, to the barrier at this place in `block`.
__device__ inline void release_in_cluster(unsigned barrier, unsigned block) {
  asm volatile("{ .reg .b32 there;\n"
               "fence.release.sync_restrict::shared::cta.cluster;\n"
               "mapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [there]; }" ::"r"(barrier),
               "r"(block)
               : "memory");
}

#endif

} // namespace CUDAX_BENCH_SIDE
