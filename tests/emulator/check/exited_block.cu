// SPDX-License-Identifier: Apache-2.0
//
// A block of a cluster arrives at the barrier of another block, which may have exited. Right: no block exits before all
// have arrived.
#include "program.hpp"
#include "ptx.hpp"

namespace {

template <bool right>
__global__ void pass(int* seen) {
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory);
  ptx::mbarrier_init(barrier, 1);
  ptx::cluster_sync();
  if (ptx::cluster_ctarank() == 1) ptx::mbarrier_arrive_cluster(ptx::mapa(barrier, 0)); // first
  if constexpr (right) ptx::cluster_sync();
  seen[ptx::cluster_ctarank()] = 1;
}

bool run(bool right) {
  check::device_memory<int> seen(2);
  check::launch({.blocks = 2, .cluster = 2}, right ? pass<true> : pass<false>, seen.data());
  return seen.all_are(1);
}

check::program const program("arrival_at_exited_block", "use after free", run);

} // namespace
