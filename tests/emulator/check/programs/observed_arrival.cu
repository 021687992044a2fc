// SPDX-License-Identifier: Apache-2.0
//
// A barrier ends, without an acquire, after a wait that has observed the last arrival. Wrong: the wait has observed the
// arrival before the last one; it has another scope than the arrival, so that it observes nothing. Right: the last
// arrival is observed, by a wait whose scope includes both threads.
#include "program.hpp"
#include "ptx.hpp"
import cudax.sync;

namespace {

using flag = cudax::atomic_ref<int, cudax::thread_scope_device>;
using cudax::memory_order::relaxed;

TEST_PTX void arrive_at_block_scope(unsigned remote) {
  asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
}

__device__ void await_flag(int& where) { while (flag(where).load(relaxed) == 0); }

/// Initializes the barrier of block 1, which awaits one arrival. Returns its address.
__device__ unsigned begin_in_block_1(unsigned long long& memory) {
  unsigned const barrier = ptx::shared(&memory);
  if (ptx::cluster_ctarank() == 1) ptx::mbarrier_init(barrier, 1);
  ptx::cluster_sync();
  return barrier;
}

template <bool right>
__global__ void arrive_twice(int* flags) {
  __shared__ unsigned long long memory;
  unsigned const barrier = begin_in_block_1(memory);
  if (ptx::cluster_ctarank() == 0) {
    unsigned const remote = ptx::mapa(barrier, 1);
    ptx::mbarrier_arrive_cluster_relaxed(remote);
    await_flag(flags[0]);
    ptx::mbarrier_arrive_cluster_relaxed(remote); // first
    flag(flags[1]).store(1, relaxed);
  } else {
    while (!ptx::mbarrier_try_wait_parity_relaxed(barrier, 0));
    flag(flags[0]).store(1, relaxed);
    await_flag(flags[1]);
    if constexpr (right)
      while (!ptx::mbarrier_try_wait_parity_relaxed(barrier, 1));
    ptx::mbarrier_inval(barrier); // second
  }
  ptx::cluster_sync();
}

template <bool right>
__global__ void arrive_in_scope(int*) {
  __shared__ unsigned long long memory;
  unsigned const barrier = begin_in_block_1(memory);
  if (ptx::cluster_ctarank() == 0) {
    unsigned const remote = ptx::mapa(barrier, 1);
    if constexpr (right) ptx::mbarrier_arrive_cluster_relaxed(remote);
    else arrive_at_block_scope(remote); // first
  } else {
    while (!ptx::mbarrier_try_wait_parity_relaxed(barrier, 0));
    ptx::mbarrier_inval(barrier); // second
  }
  ptx::cluster_sync();
}

template <auto right_kernel, auto wrong_kernel>
bool run(bool right) {
  check::device_memory<int> flags(2);
  check::launch({.blocks = 2, .cluster = 2}, right ? right_kernel : wrong_kernel, flags.data());
  return true;
}

check::program const programs[] = {
    {"observed_arrival", "race", run<arrive_twice<true>, arrive_twice<false>>},
    {"observed_scope", "race", run<arrive_in_scope<true>, arrive_in_scope<false>>},
};

} // namespace
