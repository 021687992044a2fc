// SPDX-License-Identifier: Apache-2.0
//
// ptx: instructions that the programs use beside those of tests/support.
#pragma once

#include "../../../support/ptx.hpp"

namespace ptx {

TEST_PTX void store_release(int* to, int value) {
  asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
}
TEST_PTX void mbarrier_inval(u32 barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
TEST_PTX void mbarrier_arrive_cluster_relaxed(u32 barrier) {
  asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
TEST_PTX bool mbarrier_test_wait(u32 barrier, u64 state) {
  u32 done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(barrier), "l"(state)
               : "memory");
  return done;
}
TEST_PTX bool mbarrier_try_wait_parity_relaxed(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}
/// Acquires what is in the shared memory of the cluster.
TEST_PTX void fence_acquire_shared() {
  asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
}
/// Releases what is in the shared memory of the block.
TEST_PTX void fence_release_shared() { asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory"); }
TEST_PTX void fence_proxy_async_global() { asm volatile("fence.proxy.async.global;" ::: "memory"); }
/// To the shared memory of another block of the cluster, where the barrier is, too.
TEST_PTX void bulk_copy_to_block(u32 to, u32 from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "r"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
TEST_PTX void store_async(u32 to, u32 value, u32 barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(value),
               "r"(barrier)
               : "memory");
}
/// Commits the copies of this thread, and waits for them.
TEST_PTX void bulk_copy_wait() {
  bulk_copy_commit();
  bulk_copy_wait_group<0>();
}
/// The same for the reads of the copies.
TEST_PTX void bulk_copy_wait_read() {
  bulk_copy_commit();
  bulk_copy_wait_group_read<0>();
}
/// No lane of the warp continues before all have come. Orders no memory.
TEST_PTX void meet_lanes() {
  u32 lane = 0;
  asm volatile("shfl.sync.idx.b32 %0, %0, 0, 31, -1;" : "+r"(lane));
}
/// A barrier of `threads` threads of the block.
template <int number>
TEST_PTX void bar_sync(int threads) {
  asm volatile("barrier.sync %0, %1;" ::"n"(number), "r"(threads) : "memory");
}

} // namespace ptx
