// SPDX-License-Identifier: Apache-2.0
//
// A block of a cluster writes into another block's shared memory and arrives at a barrier there. Wrong: an arrival
// without a scope has the scope of the arriving block, and publishes nothing to the cluster.
#include "program.hpp"
#include "ptx.hpp"

namespace {

template <bool right>
[[gnu::always_inline, gnu::nodebug]] inline __device__ void arrive(unsigned barrier) {
  if constexpr (right)
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
  else asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

[[gnu::always_inline, gnu::nodebug]] inline __device__ void store_remote(unsigned where, int value) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(where), "r"(value) : "memory");
}

template <bool right>
__global__ void pass(int* seen) {
  __shared__ unsigned long long barrier;
  __shared__ int data;
  unsigned const here = ptx::shared(&barrier);
  if (ptx::cluster_ctarank() == 0) ptx::mbarrier_init(here, 1);
  ptx::cluster_sync();
  if (ptx::cluster_ctarank() == 1) {
    store_remote(ptx::mapa(ptx::shared(&data), 0), 42); // first
    arrive<right>(ptx::mapa(here, 0));
  } else {
    while (!ptx::mbarrier_try_wait_parity_cluster(here, 0));
    *seen = data; // second
  }
  ptx::cluster_sync();
}

bool run(bool right) {
  check::device_memory<int> seen;
  check::launch({.blocks = 2, .cluster = 2}, right ? pass<true> : pass<false>, seen.data());
  return seen[0] == 42;
}

check::program const program("cluster_arrive_default_scope", "race", run);

} // namespace
