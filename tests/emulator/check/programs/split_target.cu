// SPDX-License-Identifier: Apache-2.0
//
// A copy between the blocks of a cluster completes its bytes at a barrier of another block than the one that gets the
// data. store: the value goes to the sender's own block. copy: the sender's own barrier is to count the bytes. Right:
// data and bytes go to the same block.
#include "program.hpp"
#include "ptx.hpp"
import cudax.sync;

namespace {

using namespace cudax;

template <bool right, bool stores>
__global__ void pass(int* seen) {
  __shared__ alignas(16) int inbox[4], own[4];
  __shared__ barrier<thread_scope_block> ready;
  int const rank = int(ptx::cluster_ctarank());
  aligned_size_t<16> const size(sizeof(own));
  for (int i = 0; i < 4; ++i) inbox[i] = 0, own[i] = 42;
  init(&ready, 1);
  this_cluster.sync();
  // Block 1 sends to block 0.
  int const told = right || stores ? 0 : 1, target = right || !stores ? 0 : 1;
  if (rank == told) (void)device::barrier_arrive_tx(ready, 1, stores ? sizeof(int) : sizeof(own));
  if (rank == 1) {
    int* const to = this_cluster.map_shared_rank(inbox, target);
    auto& there = *this_cluster.map_shared_rank(&ready, told);
    if constexpr (stores) device::store_async_tx_remote(to, 42, there); // store first
    else device::memcpy_async_tx_remote(to, own, size, there);          // copy first
  }
  if (rank == told) device::barrier_wait_parity_cluster(ready, false);
  if (right && rank == 0) *seen = inbox[0];
  this_cluster.sync();
}

template <bool stores>
bool run(bool right) {
  check::device_memory<int> seen;
  check::launch({.blocks = 2, .cluster = 2}, right ? pass<true, stores> : pass<false, stores>, seen.data());
  return seen[0] == 42;
}

check::program const programs[] = {
    {"store_completes_at_another_block", "misuse", run<true>, 10},
    {"copy_completes_at_another_block", "misuse", run<false>, 10},
};

} // namespace
