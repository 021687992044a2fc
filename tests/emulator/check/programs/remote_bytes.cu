// SPDX-License-Identifier: Apache-2.0
//
// A block of a cluster sends bytes to another block, whose barrier counts them. Wrong: the other block waits for them
// at block scope, which does not include the sender. Right: it waits at cluster scope, or relaxed and with a fence.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr unsigned bytes = 16;
enum class sender { store, copy, multicast };

template <sender by, bool right>
[[gnu::always_inline, gnu::nodebug]] inline __device__ void wait(unsigned barrier) {
  if constexpr (!right) {
    while (!ptx::mbarrier_try_wait_parity(barrier, 0));
  } else if constexpr (by == sender::multicast) {
    while (!ptx::mbarrier_try_wait_parity_relaxed(barrier, 0));
    ptx::fence_acquire_shared();
  } else {
    while (!ptx::mbarrier_try_wait_parity_cluster(barrier, 0));
  }
}

template <sender by, bool right>
__global__ void pass(int const* from, int* seen) {
  __shared__ alignas(16) int tile[4], own[4];
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory), rank = ptx::cluster_ctarank();
  ptx::mbarrier_init(barrier, 1);
  for (int& each : own) each = 42;
  ptx::fence_proxy_async();
  ptx::cluster_sync();
  if (rank == 1) {
    unsigned const there = ptx::mapa(barrier, 0), to = ptx::mapa(ptx::shared(tile), 0);
    if constexpr (by == sender::store) ptx::store_async(to, 42, there);                            // store first
    if constexpr (by == sender::copy) ptx::bulk_copy_to_block(to, ptx::shared(own), bytes, there); // copy first
    if constexpr (by == sender::multicast)
      ptx::bulk_copy_multicast(ptx::shared(tile), from, bytes, barrier, 1); // first
  } else {
    ptx::mbarrier_arrive_expect_tx(barrier, by == sender::store ? 4 : bytes);
    wait<by, right>(barrier);
    *seen = tile[0]; // second
  }
  ptx::cluster_sync();
}

template <sender by>
bool run(bool right) {
  check::device_memory<int> from(4), seen;
  int const values[] = {42, 42, 42, 42};
  CHECK_MUST(cudaMemcpy(from.data(), values, sizeof(values), cudaMemcpyHostToDevice));
  check::launch({.blocks = 2, .cluster = 2}, right ? pass<by, true> : pass<by, false>, from.data(), seen.data());
  return seen[0] == 42;
}

check::program const programs[] = {
    {"remote_store_awaited_at_block_scope", "race", run<sender::store>, 10},
    {"remote_copy_awaited_at_block_scope", "race", run<sender::copy>, 10},
    {"multicast_awaited_at_block_scope", "race", run<sender::multicast>, 10},
};

} // namespace
