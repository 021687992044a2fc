// SPDX-License-Identifier: Apache-2.0
//
// counting: the module unit of the guide's page on building; the test consumer.command compiles it.
module;
#include <cudax/cuda.hpp> // CUDA's declarations: for kernels, threadIdx, ...
export module counting;
import cudax.sync;

export __device__ void count(cudax::atomic<int>& n) { n.fetch_add(1, cudax::memory_order_relaxed); }
export __global__ void count_threads(cudax::atomic<int>* n) {
  if (threadIdx.x < 32) count(*n);
}
