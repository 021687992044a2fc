// SPDX-License-Identifier: Apache-2.0
//
// ptx: instructions of clusters, mbarriers, bulk copies and dependent launches, as kernels write them by hand. They
// have no line information of their own, so that a finding names the line that uses them.
#pragma once

#define TEST_PTX [[gnu::always_inline, gnu::nodebug]] static inline __device__

namespace ptx {

using u32 = unsigned;
using u64 = unsigned long long;

TEST_PTX u32 shared(void const* object) { return u32(__cvta_generic_to_shared(object)); }
/// What __ldg compiles to, at the caller's line.
TEST_PTX int load_read_only(int const* from) {
  int value;
  asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(from)) : "memory");
  return value;
}

// Clusters.

TEST_PTX u32 cluster_ctarank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
TEST_PTX void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
TEST_PTX void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
TEST_PTX void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}
/// Maps `address` to the same address in the shared memory of the block `rank` of the cluster.
TEST_PTX u32 mapa(u32 address, u32 rank) {
  u32 result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}
TEST_PTX u32 load_of_block(u32 from) {
  u32 value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
  return value;
}

// mbarriers of the block.

TEST_PTX void mbarrier_init(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
TEST_PTX u64 mbarrier_arrive(u32 barrier) {
  u64 state;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  return state;
}
TEST_PTX void mbarrier_expect_tx(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
TEST_PTX u64 mbarrier_arrive_expect_tx(u32 barrier, u32 bytes) {
  u64 state;
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(barrier), "r"(bytes)
               : "memory");
  return state;
}
/// An arrival at the barrier of any block of the cluster.
TEST_PTX void mbarrier_arrive_cluster(u32 barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
TEST_PTX bool mbarrier_try_wait_parity(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}
TEST_PTX bool mbarrier_try_wait_parity_cluster(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}

// Bulk copies.

TEST_PTX void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// The barrier counts the bytes.
TEST_PTX void bulk_copy_to_shared(u32 to, void const* from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier)
               : "memory");
}
/// To the blocks whose bits are set, at the places that `to` and `barrier` have in this block.
TEST_PTX void bulk_copy_multicast(u32 to, void const* from, u32 bytes, u32 barrier, unsigned short blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
               "[%3], %4;" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier), "h"(blocks)
               : "memory");
}
TEST_PTX void bulk_copy_to_global(void* to, u32 from, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(from), "r"(bytes)
               : "memory");
}
TEST_PTX void bulk_copy_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Waits until at most `pending` groups of this thread are not complete.
template <int pending> TEST_PTX void bulk_copy_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
}
/// The same for the reads of the copies.
template <int pending> TEST_PTX void bulk_copy_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

// Dependent launches.

TEST_PTX void launch_dependents() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
TEST_PTX void wait_for_prerequisites() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

} // namespace ptx
