// SPDX-License-Identifier: Apache-2.0
//
// ptx: instructions of asynchronous copies, mbarriers, named barriers, clusters and dependent launches, as kernels
// write them by hand. They have no line information of their own, so that a finding names the line that uses them.
#pragma once

#define FOREIGN_PTX [[gnu::always_inline, gnu::nodebug]] static inline __device__

namespace ptx {

using u32 = unsigned;

FOREIGN_PTX u32 shared(void const* object) { return u32(__cvta_generic_to_shared(object)); }

/// A load of memory that is read-only while the kernel runs.
FOREIGN_PTX int load_read_only(int const* from) {
  int value;
  asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(from)) : "memory");
  return value;
}

// Copies of a thread, sm_80.

FOREIGN_PTX void cp_async_4(void* to, void const* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared(to)), "l"(__cvta_generic_to_global(from))
               : "memory");
}
FOREIGN_PTX void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `pending` groups of this thread are pending.
template <int pending> FOREIGN_PTX void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// Bulk copies, sm_90.

FOREIGN_PTX void fence_proxy_async_cluster() { asm volatile("fence.proxy.async.shared::cluster;" ::: "memory"); }
FOREIGN_PTX void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// The barrier counts the bytes.
FOREIGN_PTX void bulk_load(void* to, void const* from, u32 bytes, u32 barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier)
      : "memory");
}
/// To the same place in the blocks of the cluster whose bits are set, each of which counts the bytes.
FOREIGN_PTX void bulk_load_multicast(void* to, void const* from, u32 bytes, u32 barrier, unsigned short blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
               "[%3], %4;" ::"r"(shared(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier), "h"(blocks)
               : "memory");
}
FOREIGN_PTX void bulk_store(void* to, void const* from, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(shared(from)), "r"(bytes)
               : "memory");
}
FOREIGN_PTX void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Waits until at most `pending` groups of this thread are not complete.
template <int pending> FOREIGN_PTX void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
}
/// The same for the reads of the copies.
template <int pending> FOREIGN_PTX void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

// mbarriers of the block.

FOREIGN_PTX void mbarrier_init(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
FOREIGN_PTX void mbarrier_arrive(u32 barrier) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.release.cta.shared::cta.b64 s, [%0]; }" ::"r"(barrier) : "memory");
}
FOREIGN_PTX void mbarrier_expect(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
FOREIGN_PTX void mbarrier_arrive_expect(u32 barrier, u32 bytes) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 s, [%0], %1; }" ::"r"(barrier),
               "r"(bytes)
               : "memory");
}
FOREIGN_PTX bool mbarrier_try_wait(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}

FOREIGN_PTX bool mbarrier_try_wait_cluster(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}
/// At the barrier of any block of the cluster: an address of `in_block`.
FOREIGN_PTX void mbarrier_arrive_remote(u32 barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Lets the other blocks of the cluster use the mbarriers that this thread has initialized, after the cluster's
/// barrier.
FOREIGN_PTX void fence_mbarrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

// Named barriers.

FOREIGN_PTX void bar_sync(int id, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
FOREIGN_PTX void bar_arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// Clusters, sm_90.

FOREIGN_PTX u32 cluster_rank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
FOREIGN_PTX void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
FOREIGN_PTX void cluster_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
FOREIGN_PTX void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
/// The address of the same object in the block `rank` of the cluster.
FOREIGN_PTX u32 in_block(void const* object, u32 rank) {
  u32 result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(shared(object)), "r"(rank));
  return result;
}
FOREIGN_PTX int load_remote(u32 from) {
  int value;
  asm volatile("ld.shared::cluster.b32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
  return value;
}
FOREIGN_PTX void store_remote(u32 to, int value) {
  asm volatile("st.shared::cluster.b32 [%0], %1;" ::"r"(to), "r"(value) : "memory");
}
FOREIGN_PTX void add_remote(u32 to, int value) {
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory");
}

// Dependent launches, sm_90.

FOREIGN_PTX void let_dependents_start() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
FOREIGN_PTX void wait_for_prerequisites() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

} // namespace ptx
