// SPDX-License-Identifier: Apache-2.0
//
// ptx: instructions that the programs use beside those of tests/support.
#pragma once

#include "../support/ptx.hpp"

namespace ptx {

// Copies of a thread, sm_80.

TEST_PTX void cp_async_4(void* to, void const* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared(to)), "l"(__cvta_generic_to_global(from))
               : "memory");
}
TEST_PTX void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `pending` groups of this thread are pending.
template <int pending> TEST_PTX void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// sm_90.

TEST_PTX void fence_proxy_async_cluster() { asm volatile("fence.proxy.async.shared::cluster;" ::: "memory"); }
/// Lets the other blocks of the cluster use the mbarriers that this thread has initialized, after the cluster's
/// barrier.
TEST_PTX void fence_mbarrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
TEST_PTX void cluster_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
TEST_PTX void add_remote(u32 to, int value) {
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory");
}

// Named barriers.

TEST_PTX void bar_sync(int id, int threads) { asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
TEST_PTX void bar_arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

} // namespace ptx
