// SPDX-License-Identifier: Apache-2.0
//
// A block of a cluster uses the shared memory of another block, which may have exited. Right: no block exits before all
// have used it. In the programs "not awaited" the other block works for so long that it has not exited yet, except by
// an unlikely chance: the mistake is that nothing makes it wait.
#include "program.hpp"
#include "ptx.hpp"

namespace {

enum class use { arrival, late_arrival, read, store };

template <use of, bool right>
__global__ void pass(int* seen) {
  __shared__ unsigned long long memory;
  __shared__ int data;
  unsigned const barrier = ptx::shared(&memory), rank = ptx::cluster_ctarank();
  ptx::mbarrier_init(barrier, 1);
  data = 1;
  ptx::cluster_sync();
  if (rank == 1) {
    unsigned const there = ptx::mapa(barrier, 0), other = ptx::mapa(ptx::shared(&data), 0);
    if constexpr (of == use::arrival || of == use::late_arrival) ptx::mbarrier_arrive_cluster(there); // arrival first
    if constexpr (of == use::read) seen[2] = int(ptx::load_of_block(other));                          // read first
    if constexpr (of == use::store) ptx::store_async(other, 2, there);                                // store first
  } else if constexpr (of != use::arrival) {
    for (int i = 0; i < 600; ++i) *static_cast<int volatile*>(seen + 3) = i;
  }
  if constexpr (right && of == use::store) {
    if (rank == 0) {
      ptx::mbarrier_arrive_expect_tx(barrier, 4);
      while (!ptx::mbarrier_try_wait_parity_cluster(barrier, 0));
    }
  } else if constexpr (right) {
    ptx::cluster_sync();
  }
  seen[rank] = 1;
}

template <use of>
bool run(bool right) {
  check::device_memory<int> seen(4);
  check::launch({.blocks = 2, .cluster = 2}, right ? pass<of, true> : pass<of, false>, seen.data());
  return seen[0] == 1 && seen[1] == 1;
}

check::program const programs[] = {
    {"arrival_at_exited_block", "use after free", run<use::arrival>, 10},
    {"arrival_not_awaited_by_its_block", "use after free", run<use::late_arrival>, 10},
    {"read_not_awaited_by_its_block", "use after free", run<use::read>, 10},
    {"store_not_awaited_by_its_block", "use after free", run<use::store>, 10},
};

} // namespace
