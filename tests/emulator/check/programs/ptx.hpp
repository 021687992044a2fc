// SPDX-License-Identifier: Apache-2.0
//
// ptx: instructions that the programs use and no language offers. They have no line information of their own, so that a
// finding names the line that uses them.
#pragma once

#define CHECK_PTX [[gnu::always_inline, gnu::nodebug]] static inline __device__

namespace ptx {

using u32 = unsigned;
using u64 = unsigned long long;

CHECK_PTX u32 shared(void const* object) { return u32(__cvta_generic_to_shared(object)); }

/// Maps `address` to the same address in the shared memory of the block `rank` of the cluster.
CHECK_PTX u32 mapa(u32 address, u32 rank) {
  u32 result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}
CHECK_PTX u32 cluster_ctarank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
CHECK_PTX void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

CHECK_PTX void store_release(int* to, int value) {
  asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(value) : "memory");
}

CHECK_PTX void mbarrier_init(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
CHECK_PTX void mbarrier_inval(u32 barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
CHECK_PTX u64 mbarrier_arrive(u32 barrier) {
  u64 state;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  return state;
}
CHECK_PTX u64 mbarrier_arrive_expect_tx(u32 barrier, u32 bytes) {
  u64 state;
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(barrier), "r"(bytes)
               : "memory");
  return state;
}
CHECK_PTX void mbarrier_expect_tx(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/// An arrival at the barrier of any block of the cluster.
CHECK_PTX void mbarrier_arrive_cluster(u32 barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
CHECK_PTX void mbarrier_arrive_cluster_relaxed(u32 barrier) {
  asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
CHECK_PTX bool mbarrier_test_wait(u32 barrier, u64 state) {
  u32 done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(barrier), "l"(state)
               : "memory");
  return done;
}
CHECK_PTX bool mbarrier_try_wait_parity(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}
CHECK_PTX bool mbarrier_try_wait_parity_cluster(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}

CHECK_PTX bool mbarrier_try_wait_parity_relaxed(u32 barrier, u32 parity) {
  u32 done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}
/// Acquires what is in the shared memory of the cluster.
CHECK_PTX void fence_acquire_shared() {
  asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
}

/// Releases what is in the shared memory of the block.
CHECK_PTX void fence_release_shared() {
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
}

/// What __ldg compiles to, at the caller's line.
CHECK_PTX int load_read_only(int const* from) {
  int value;
  asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(from)) : "memory");
  return value;
}

CHECK_PTX void fence_proxy_async_global() { asm volatile("fence.proxy.async.global;" ::: "memory"); }
CHECK_PTX void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// The barrier counts the bytes.
CHECK_PTX void bulk_copy_to_shared(u32 to, void const* from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier)
               : "memory");
}
/// To the shared memory of another block of the cluster, where the barrier is, too.
CHECK_PTX void bulk_copy_to_block(u32 to, u32 from, u32 bytes, u32 barrier) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "r"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
/// To the blocks whose bits are set, at the places that `to` and `barrier` have in this block.
CHECK_PTX void bulk_copy_multicast(u32 to, void const* from, u32 bytes, u32 barrier, unsigned short blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
               "[%3], %4;" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier), "h"(blocks)
               : "memory");
}
CHECK_PTX void store_async(u32 to, u32 value, u32 barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(value),
               "r"(barrier)
               : "memory");
}
CHECK_PTX u32 load_of_block(u32 from) {
  u32 value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
  return value;
}
CHECK_PTX void bulk_copy_to_global(void* to, u32 from, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(from), "r"(bytes)
               : "memory");
}
CHECK_PTX void bulk_copy_wait() {
  asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

CHECK_PTX void bulk_copy_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Of those copies only that were committed.
CHECK_PTX void bulk_copy_wait_of_groups() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
CHECK_PTX void bulk_copy_wait_read() {
  asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;" ::: "memory");
}

CHECK_PTX void launch_dependents() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
CHECK_PTX void wait_for_prerequisites() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

/// No lane of the warp continues before all have come. Orders no memory.
CHECK_PTX void meet_lanes() {
  u32 lane = 0;
  asm volatile("shfl.sync.idx.b32 %0, %0, 0, 31, -1;" : "+r"(lane));
}

/// A barrier of `threads` threads of the block.
template <int number>
CHECK_PTX void bar_sync(int threads) {
  asm volatile("barrier.sync %0, %1;" ::"n"(number), "r"(threads) : "memory");
}

} // namespace ptx
