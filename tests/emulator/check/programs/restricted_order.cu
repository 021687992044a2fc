// SPDX-License-Identifier: Apache-2.0
//
// An arrival and a wait that order shared memory alone (fences with .sync_restrict) hand over a datum between the
// blocks of a cluster. Wrong: the datum is in global memory; it is in the shared memory of the waiting block, where the
// arriving thread stores it; it is in the own shared memory, but no fence comes before the arrival, or after the wait.
// Right: the order is not restricted; the datum is in the own shared memory, and both fences are there. pipeline: the
// datum of a stage of a cluster's pipeline, in global memory; right: in shared memory, and the pipeline ends without a
// meeting of the cluster.
#include "program.hpp"
#include "ptx.hpp"
import cudax.sync;

namespace {

using namespace cudax;
using device::sync_restrict_shared;

enum class datum { remote, own };

template <datum where, bool right>
__global__ void pass(int* seen) {
  __shared__ int shared;
  __shared__ unsigned long long memory;
  constexpr bool own = where == datum::own;
  unsigned const barrier = ptx::shared(&memory), rank = ptx::cluster_ctarank();
  int* const datum = this_cluster.map_shared_rank(&shared, own ? 0 : 1);
  ptx::mbarrier_init(barrier, 1);
  if (!own && rank == 1) shared = 0;
  ptx::cluster_sync();
  if (rank == 0) {
    *datum = 42; // first
    if constexpr (right && !own) {
      ptx::mbarrier_arrive_cluster(ptx::mapa(barrier, 1));
    } else {
      if (right || !own) ptx::fence_release_shared();
      ptx::mbarrier_arrive_cluster_relaxed(ptx::mapa(barrier, 1));
    }
  } else {
    if constexpr (right && !own) {
      while (!ptx::mbarrier_try_wait_parity_cluster(barrier, 0));
    } else {
      while (!ptx::mbarrier_try_wait_parity_relaxed(barrier, 0));
      ptx::fence_acquire_shared();
    }
    *seen = *datum; // second
  }
  ptx::cluster_sync();
}

template <datum where>
bool run(bool right) {
  check::device_memory<int> seen;
  check::launch({.blocks = 2, .cluster = 2}, right ? pass<where, true> : pass<where, false>, seen.data());
  return seen[0] == 42;
}

// Block 1 produces nothing that block 0 uses, and block 0's consumer releases its stage for it.
template <bool right>
__global__ void reuse(int* global, int* seen) {
  __shared__ int data[2];
  __shared__ pipeline_shared_state<thread_scope_block, 1> state;
  bool const produces = this_block.thread_rank() == 0;
  int const rank = int(this_cluster.thread_rank() / this_block.size());
  auto p =
      make_pipeline(this_cluster, &state, produces ? pipeline_role::producer : pipeline_role::consumer, this_thread);
  int* const datum = right ? this_cluster.map_shared_rank(data, 0) : global;
  for (int round = 0; round < 2; ++round) {
    if (produces) {
      p.producer_acquire();
      if (round == 1 && rank == 1) *seen = *datum; // second
      p.producer_commit();
    } else {
      p.consumer_wait();
      if (round == 0 && rank == 0) *(right ? data : datum) = 42; // first
      p.consumer_release();
    }
  }
  if constexpr (!right) this_cluster.sync();
  else if (produces) p.producer_tail(); // the arrivals that it awaits precede the end of their barriers
}

bool run_pipeline(bool right) {
  check::device_memory<int> global, seen;
  check::launch({.blocks = 2, .threads = 2, .cluster = 2}, right ? reuse<true> : reuse<false>, global.data(),
                seen.data());
  return seen[0] == 42;
}

// The library's functions: restricted, and not.
template <bool right>
__global__ void hand_over(int* global, int* seen) {
  __shared__ barrier<thread_scope_block> ready;
  init(&ready, 1);
  this_cluster.sync();
  if (this_cluster.thread_rank() == 0) {
    *global = 42; // first
    auto& there = *this_cluster.map_shared_rank(&ready, 1);
    if constexpr (right) device::barrier_arrive_remote(there);
    else device::barrier_arrive_remote(there, 1, sync_restrict_shared);
  } else {
    if constexpr (right) device::barrier_wait_parity_cluster(ready, false);
    else device::barrier_wait_parity_cluster(ready, false, sync_restrict_shared);
    *seen = *global; // second
  }
  this_cluster.sync();
}

bool run_hand_over(bool right) {
  check::device_memory<int> global, seen;
  check::launch({.blocks = 2, .cluster = 2}, right ? hand_over<true> : hand_over<false>, global.data(), seen.data());
  return seen[0] == 42;
}

check::program const programs[] = {
    {"restricted_order_of_remote_memory", "race", run<datum::remote>, 10},
    {"restricted_order_unreleased", "race", run<datum::own>, 10},
    {"restricted_order_of_pipeline", "race", run_pipeline, 10},
    {"restricted_order_of_barrier", "race", run_hand_over, 10},
};

} // namespace
