// SPDX-License-Identifier: Apache-2.0
//
// copying: what memcpy_async and pipelines become where spaces, sizes and alignments are known: the copies, the proxy
// fences before each bulk copy (none if they are promised), and the waits. No query and no other kind of copy remains.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

using block_barrier = barrier<thread_scope_block>;

/// Behind the barrier.
__device__ char* in_stage() { return &in_shared<char>() + 128; }

KERNEL(copy_a_unit)(char const* from) {
  memcpy_async(in_stage(), from, aligned_size_t<16>(16), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_a_unit(
// CHECK-NOT:  bra
// SM70:       ld.global
// SM70:       st.shared
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80:     cp.async.mbarrier.arrive.shared::cta.b64
// CHECK-NOT:  bra

KERNEL(copy_small)(int const* from) {
  memcpy_async(reinterpret_cast<int*>(in_stage()), from, 4, in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_small(
// SM70:       st.shared
// FROM80:     cp.async.ca.shared::cta.global {{.*}}, 4;
// FROM80:     cp.async.mbarrier.arrive.shared::cta.b64

// The zeros are part of the copy: no store, and no branch on the number of valid bytes.
KERNEL(copy_filled)(char const* from, u32 valid) {
  memcpy_async(in_stage(), from, zero_filled_size_t<16>(16, valid), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_filled(
// SM70:       ld.global
// SM70:       st.shared
// FROM80-NOT: bra
// FROM80-NOT: st.
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16, %r{{[0-9]+}};
// FROM80:     cp.async.mbarrier.arrive.shared::cta.b64
// FROM80-NOT: bra
// FROM80-NOT: st.
// CHECK:      ret;

// Never a bulk copy.
KERNEL(copy_filled_many)(char const* from, u32 valid) {
  memcpy_async(in_stage(), from, zero_filled_size_t<16>(4096, valid), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_filled_many(
// SM70:       st.shared
// FROM80-COUNT-8: cp.async.cg.shared::cta.global {{.*}}, 16, %r{{[0-9]+}};
// FROM80:     cp.async.mbarrier.arrive.shared::cta.b64

KERNEL(copy_in_bulk)(char const* from) {
  memcpy_async(in_stage(), from, aligned_size_t<16>(1024), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_in_bulk(
// SM70:       st.shared
// SM80-COUNT-10: cp.async.cg.shared::cta.global {{.*}}, 16;
// SM80:       cp.async.mbarrier.arrive.shared::cta.b64
// FROM90-NOT: bra
// FROM90-NOT: cp.async.cg
// FROM90-NOT: mbarrier
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM90-NOT: bra
// FROM90-NOT: cp.async

KERNEL(copy_in_bulk_promised)(char const* from) {
  memcpy_async(in_stage(), from, aligned_size_t<16>(1024), in_shared<block_barrier>(), proxy_fenced);
}
// CHECK-LABEL: .entry copy_in_bulk_promised(
// SM70:       st.shared
// SM80-COUNT-10: cp.async.cg.shared::cta.global {{.*}}, 16;
// SM80:       cp.async.mbarrier.arrive.shared::cta.b64
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM90-NOT: fence.proxy
// FROM90-NOT: cp.async

// One fence of the program for two copies.
KERNEL(two_copies_promised)(char const* from) {
  fence_proxy_async();
  memcpy_async(in_stage(), from, aligned_size_t<16>(1024), in_shared<block_barrier>(), proxy_fenced);
  memcpy_async(in_stage() + 1024, from + 4096, aligned_size_t<16>(1024), in_shared<block_barrier>(), proxy_fenced);
}
// CHECK-LABEL: .entry two_copies_promised(
// SM80-COUNT-10: cp.async.cg.shared::cta.global {{.*}}, 16;
// SM80:       cp.async.mbarrier.arrive.shared::cta.b64
// SM80-COUNT-10: cp.async.cg.shared::cta.global {{.*}}, 16;
// SM80:       cp.async.mbarrier.arrive.shared::cta.b64
// SM70-NOT: fence.proxy
// SM80-NOT: fence.proxy
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM90-NOT: fence.proxy

KERNEL(fence_global)() { fence_proxy_async_global(); }
// CHECK-LABEL: .entry fence_global(
// SM70-NOT: fence.proxy
// SM80-NOT: fence.proxy
// FROM90:     fence.proxy.async.global;
// FROM90-NOT: fence.proxy

KERNEL(fence_shared)() { fence_proxy_async_shared(); }
// CHECK-LABEL: .entry fence_shared(
// SM70-NOT: fence.proxy
// SM80-NOT: fence.proxy
// FROM90:     fence.proxy.async.shared::cta;
// FROM90-NOT: fence.proxy

// The barrier is a word in global memory: the thread waits for its units.
KERNEL(copy_and_wait)(char const* from, barrier<thread_scope_device>* b) {
  memcpy_async(in_stage(), from, aligned_size_t<16>(16), *b);
}
// CHECK-LABEL: .entry copy_and_wait(
// SM70:       st.shared
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80-NOT: mbarrier
// FROM80:     cp.async.wait_all;
// CHECK-NOT:  bra

KERNEL(copy_to_global)(char* to) { memcpy_async(to, in_stage(), aligned_size_t<16>(256), in_shared<block_barrier>()); }
// CHECK-LABEL: .entry copy_to_global(
// SM70:       st.global
// SM80:       st.global
// FROM90-NOT: st.global
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.global.shared::cta.bulk_group
// FROM90:     cp.async.bulk.commit_group;
// FROM90:     cp.async.bulk.wait_group 0;
// FROM90-NOT: bra

KERNEL(copy_to_global_promised)(char* to) {
  memcpy_async(to, in_stage(), aligned_size_t<16>(256), in_shared<block_barrier>(), proxy_fenced);
}
// CHECK-LABEL: .entry copy_to_global_promised(
// SM80:       st.global
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.global.shared::cta.bulk_group
// FROM90:     cp.async.bulk.commit_group;
// FROM90:     cp.async.bulk.wait_group 0;
// FROM90-NOT: fence.proxy

// A stage of a pipeline of the block; here the block is one thread.
template <class... Promise>
__device__ void fill_stage(char const* from, unsigned bytes, Promise... promise) {
  if (!cudax_has_shared_barrier()) return;
  auto p = make_pipeline(this_thread, &in_shared<pipeline_shared_state<thread_scope_block, 2>>());
  p.producer_acquire();
  memcpy_async(in_stage(), from, aligned_size_t<16>(bytes), p, promise...);
  p.producer_commit();
}

// A thread copies up to 128 bytes by itself. The copy makes an additional arrival.
KERNEL(stage)(char const* from) { fill_stage(from, 128); }
// CHECK-LABEL: .entry stage(
// FROM80-COUNT-4: mbarrier.init
// FROM80:     mbarrier.{{test|try}}_wait.parity
// FROM80-COUNT-8: cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80:     cp.async.mbarrier.arrive.shared::cta.b64
// FROM80:     mbarrier.arrive
// FROM80:     atom.acq_rel.cta.shared.add.u32
// FROM80-COUNT-4: mbarrier.inval

KERNEL(stage_in_bulk)(char const* from) { fill_stage(from, 256); }
// CHECK-LABEL: .entry stage_in_bulk(
// FROM80-COUNT-4: mbarrier.init
// FROM80:     mbarrier.{{test|try}}_wait.parity
// SM80-COUNT-16: cp.async.cg.shared::cta.global {{.*}}, 16;
// SM80:       cp.async.mbarrier.arrive.shared::cta.b64
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM80:     mbarrier.arrive
// FROM80:     atom.acq_rel.cta.shared.add.u32
// FROM80-COUNT-4: mbarrier.inval

// A copy completes its bytes through the generic proxy: the initialization of the state needs no proxy fence.
KERNEL(stage_in_bulk_promised)(char const* from) { fill_stage(from, 256, proxy_fenced); }
// CHECK-LABEL: .entry stage_in_bulk_promised(
// FROM80-COUNT-4: mbarrier.init
// FROM80:     mbarrier.{{test|try}}_wait.parity
// SM80-COUNT-16: cp.async.cg.shared::cta.global {{.*}}, 16;
// SM80:       cp.async.mbarrier.arrive.shared::cta.b64
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM80:     mbarrier.arrive
// FROM80:     atom.acq_rel.cta.shared.add.u32
// FROM80-COUNT-4: mbarrier.inval

// Bytes that the program expects itself, and a commit of one thread: no other thread of the warp is awaited.
KERNEL(stage_of_own_bytes)(char const* from) {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_block, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_role::producer, this_warp);
  p.producer_acquire();
  p.producer_expect(64);
  device::memcpy_async_tx(in_stage(), from, aligned_size_t<16>(64), p.stage_barrier(), proxy_fenced);
  p.producer_commit(this_thread);
}
// CHECK-LABEL: .entry stage_of_own_bytes(
// FROM90-COUNT-3: st.relaxed.cta.shared.b32
// FROM90:     barrier.sync 0;
// FROM90:     red.relaxed.cta.shared.add.u32
// FROM90:     barrier.sync 0;
// FROM90-COUNT-3: ld.relaxed.cta.shared.b32
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     barrier.sync 0;
// FROM90:     mbarrier.try_wait.parity.acquire.cta
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90-NOT: bar.warp.sync
// FROM90:     mbarrier.arrive.release.cta.shared::cta.b64
// FROM90-NOT: bar.warp.sync
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval

// The same with one instruction for the bytes and the commit. The numbers of arrivals are given: no agent is counted.
KERNEL(stage_of_bytes_and_commit)(char const* from) {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_block, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_arrivals{1, 1}, this_warp);
  p.producer_acquire();
  device::memcpy_async_tx(in_stage(), from, aligned_size_t<16>(64), p.stage_barrier(), proxy_fenced);
  p.producer_commit(this_thread, 64);
  p.producer_tail();
}
// CHECK-LABEL: .entry stage_of_bytes_and_commit(
// FROM90-COUNT-3: st.relaxed.cta.shared.b32
// FROM90:     barrier.sync 0;
// FROM90-NOT: red.relaxed
// FROM90-COUNT-3: ld.relaxed.cta.shared.b32
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     barrier.sync 0;
// FROM90:     mbarrier.try_wait.parity.acquire.cta
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90-NOT: mbarrier.arrive.release
// FROM90:     mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// FROM90-NOT: mbarrier.arrive
// FROM90:     mbarrier.try_wait.parity.acquire.cta
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval

// The same, with the arrival before the copy.
KERNEL(stage_committed_by_a_copy)(char const* from) {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_block, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_arrivals{1, 1}, this_warp);
  p.producer_acquire();
  p.producer_commit_by(64, [&](auto& barrier) {
    device::memcpy_async_tx(in_stage(), from, aligned_size_t<16>(64), barrier, proxy_fenced);
  });
  p.producer_tail();
}
// CHECK-LABEL: .entry stage_committed_by_a_copy(
// FROM90-COUNT-3: st.relaxed.cta.shared.b32
// FROM90:     barrier.sync 0;
// FROM90-COUNT-3: ld.relaxed.cta.shared.b32
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     barrier.sync 0;
// FROM90:     mbarrier.try_wait.parity.acquire.cta
// FROM90-NOT: cp.async
// FROM90:     mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90-NOT: mbarrier.arrive
// FROM90:     mbarrier.try_wait.parity.acquire.cta
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval

// A wait ahead is a wait at the next stage's barrier, and a poll polls once.
KERNEL(waited_for_ahead)(u32* out) {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_thread, &in_shared<pipeline_shared_state<thread_scope_block, 2>>());
  auto ahead = p.consumer_position();
  p.consumer_wait(ahead);
  ++ahead;
  out[0] = p.consumer_try_wait(ahead);
  p.consumer_release();
}
// CHECK-LABEL: .entry waited_for_ahead(
// FROM90-COUNT-4: mbarrier.init
// FROM90:     mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [[[FIRST:%rd[0-9]+]]],
// FROM90:     bra
// FROM90-NOT: mbarrier{{.*}}[[[FIRST]]]
// FROM90:     mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// FROM90-NOT: bra
// FROM90:     mbarrier.arrive.release.cta.shared::cta.b64
// FROM90-NOT: bra
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-4: mbarrier.inval

// The bytes of other blocks: an acquire at cluster scope.
KERNEL(stage_of_other_blocks)() {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_thread, &in_shared<pipeline_shared_state<thread_scope_block, 1>>());
  p.consumer_wait_cluster();
}
// CHECK-LABEL: .entry stage_of_other_blocks(
// FROM90-COUNT-2: mbarrier.init
// FROM90:     mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64
// FROM90:     fence.acquire.sync_restrict::shared::cluster.cluster;
// FROM90:     fence.acquire.cta;
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval

// Stages of a cluster: the waits acquire at cluster scope for shared memory alone, the producer's for bulk copies, too,
// and the agent arrives at the barrier of each block. On sm_100 make_pipeline's loop over the blocks queries for local
// memory.
KERNEL(stage_filled_in_a_cluster)() {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_cluster, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_role::producer, this_warp);
  p.producer_acquire();
  p.producer_commit();
}
// CHECK-LABEL: .entry stage_filled_in_a_cluster(
// FROM90-COUNT-3: st.relaxed.cta.shared.b32
// FROM90:     barrier.sync 0;
// FROM90:     red.relaxed.cta.shared.add.u32
// FROM90:     barrier.cluster.arrive.release
// FROM90:     barrier.cluster.wait.acquire
// FROM90:     ld.relaxed.cluster.b32
// SM100:      isspacep.local
// FROM90-COUNT-2: ld.relaxed.cta.shared.b32
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     barrier.cluster.arrive.release
// FROM90:     barrier.cluster.wait.acquire
// FROM90:     mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64
// FROM90:     fence.acquire.sync_restrict::shared::cluster.cluster;
// FROM90:     fence.acquire.cta;
// FROM90:     fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
// FROM90:     bar.warp.sync
// FROM90:     mbarrier.arrive.release.cta.shared::cta.b64
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval

// Where the program says how many agents there are, the blocks tell each other nothing, and meet once.
KERNEL(pipeline_started_in_a_cluster)() {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_cluster, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_arrivals{1, 1}, this_warp);
}
// CHECK-LABEL: .entry pipeline_started_in_a_cluster(
// FROM90-COUNT-2: mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     barrier.cluster.arrive.release
// FROM90:     barrier.cluster.wait.acquire
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval
// FROM90-NOT: ld.relaxed.cluster

// Each lane of the warp arrives in one block; those of a smaller warp arrive in more, in a loop.
KERNEL(stage_released_in_a_cluster)() {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_cluster, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_role::consumer, this_warp);
  p.consumer_wait();
  p.consumer_release();
}
// CHECK-LABEL: .entry stage_released_in_a_cluster(
// FROM90-COUNT-3: st.relaxed.cta.shared.b32
// FROM90:     barrier.sync 0;
// FROM90:     red.relaxed.cta.shared.add.u32
// FROM90:     barrier.cluster.arrive.release
// FROM90:     barrier.cluster.wait.acquire
// FROM90:     ld.relaxed.cluster.b32
// SM100:      isspacep.local
// FROM90-COUNT-2: ld.relaxed.cta.shared.b32
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     barrier.cluster.arrive.release
// FROM90:     barrier.cluster.wait.acquire
// FROM90:     mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64
// FROM90:     fence.acquire.sync_restrict::shared::cluster.cluster;
// FROM90:     fence.acquire.cta;
// FROM90:     bar.warp.sync
// FROM90:     mapa.u64
// FROM90:     fence.release.sync_restrict::shared::cta.cluster;
// FROM90:     mbarrier.arrive.relaxed.cluster.shared::cluster.b64
// FROM90:     fence.release.sync_restrict::shared::cta.cluster;
// FROM90:     mapa.u64
// FROM90:     mbarrier.arrive.relaxed.cluster.shared::cluster.b64
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval

// To the blocks 0 and 2 alone: of a thread, whose arrivals are in a loop over the mask, which stands behind the end.
KERNEL(stage_released_to_some_blocks)() {
  if (!cudax_has_bulk_copy()) return;
  auto p = make_pipeline(this_cluster, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_role::consumer, this_thread, 5);
  p.consumer_wait();
  p.consumer_release();
}
// CHECK-LABEL: .entry stage_released_to_some_blocks(
// FROM90-COUNT-3: st.relaxed.cta.shared.b32
// FROM90:     barrier.sync 0;
// FROM90:     red.relaxed.cta.shared.add.u32
// FROM90:     barrier.cluster.arrive.release
// FROM90:     barrier.cluster.wait.acquire
// FROM90:     ld.relaxed.cluster.b32
// SM100:      isspacep.local
// FROM90-COUNT-2: ld.relaxed.cta.shared.b32
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     mbarrier.init
// FROM90:     mbarrier.arrive_drop
// FROM90:     barrier.cluster.arrive.release
// FROM90:     barrier.cluster.wait.acquire
// FROM90:     mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64
// FROM90:     fence.acquire.sync_restrict::shared::cluster.cluster;
// FROM90:     fence.acquire.cta;
// FROM90:     fence.release.sync_restrict::shared::cta.cluster;
// FROM90:     atom.acq_rel.cta.shared.add.u32
// FROM90-COUNT-2: mbarrier.inval
// FROM90:     ret;
// FROM90:     mapa.u64
// FROM90:     mbarrier.arrive.relaxed.cluster.shared::cluster.b64

// A warp is one agent: its lanes wait themselves, meet, and one of them arrives.
KERNEL(released_by_a_warp)() {
  if (!cudax_has_shared_barrier()) return;
  auto p = make_pipeline(this_block, &in_shared<pipeline_shared_state<thread_scope_block, 1>>(),
                         pipeline_role::consumer, this_warp);
  p.consumer_wait();
  p.consumer_release();
}
// CHECK-LABEL: .entry released_by_a_warp(
// FROM80-COUNT-3: st.relaxed.cta.shared.b32
// FROM80:     barrier.sync 0;
// FROM80:     red.relaxed.cta.shared.add.u32
// FROM80:     barrier.sync 0;
// FROM80-COUNT-3: ld.relaxed.cta.shared.b32
// FROM80:     mbarrier.init
// FROM80:     mbarrier.arrive_drop
// FROM80:     mbarrier.init
// FROM80:     mbarrier.arrive_drop
// FROM80:     barrier.sync 0;
// FROM80:     mbarrier.{{test|try}}_wait.parity
// FROM80:     bar.warp.sync
// FROM80:     mbarrier.arrive
// FROM80:     atom.acq_rel.cta.shared.add.u32
// FROM80-COUNT-2: mbarrier.inval

KERNEL(pipeline_of_a_thread)(char const* from) {
  auto p = make_pipeline();
  p.producer_acquire();
  memcpy_async(in_stage(), from, aligned_size_t<16>(16), p);
  p.producer_commit();
  p.producer_acquire();
  memcpy_async(in_stage() + 16, from, aligned_size_t<16>(16), p);
  p.producer_commit();
  p.consumer_wait();
  p.consumer_release();
}
// No bulk copy has begun, so there is no group of them.
// CHECK-LABEL: .entry pipeline_of_a_thread(
// CHECK-NOT:  bra
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80:     cp.async.commit_group;
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80:     cp.async.commit_group;
// FROM80:     cp.async.wait_group 1;
// CHECK-NOT:  bra

// Elsewhere it stops: a program asks first.
KERNEL(bytes)(char const* from) {
  if (cudax_has_bulk_copy())
    device::memcpy_async_tx(in_stage(), from, aligned_size_t<16>(64), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry bytes(
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes

KERNEL(bytes_promised)(char const* from) {
  if (cudax_has_bulk_copy())
    device::memcpy_async_tx(in_stage(), from, aligned_size_t<16>(64), in_shared<block_barrier>(), proxy_fenced);
}
// CHECK-LABEL: .entry bytes_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90-NOT: fence.proxy

// The fences of the other copies: those for the spaces that the copy accesses, and no others.
KERNEL(bytes_remote)(char* const* to, block_barrier* const* barrier) {
  if (cudax_has_bulk_copy()) device::memcpy_async_tx_remote(*to, in_stage(), aligned_size_t<16>(64), **barrier);
}
// CHECK-LABEL: .entry bytes_remote(
// FROM90-NOT: fence.proxy.async.global
// FROM90:     fence.proxy.async.shared::cluster;
// FROM90:     cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes

KERNEL(bytes_remote_promised)(char* const* to, block_barrier* const* barrier) {
  if (cudax_has_bulk_copy())
    device::memcpy_async_tx_remote(*to, in_stage(), aligned_size_t<16>(64), **barrier, proxy_fenced);
}
// CHECK-LABEL: .entry bytes_remote_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes

KERNEL(bytes_multicast)(char const* from) {
  if (cudax_has_bulk_copy())
    device::memcpy_async_tx_multicast(in_stage(), from, aligned_size_t<16>(64), in_shared<block_barrier>(), 5);
}
// CHECK-LABEL: .entry bytes_multicast(
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cluster;
// FROM90:     cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster

KERNEL(bytes_multicast_promised)(char const* from) {
  if (cudax_has_bulk_copy())
    device::memcpy_async_tx_multicast(in_stage(), from, aligned_size_t<16>(64), in_shared<block_barrier>(), 5,
                                      proxy_fenced);
}
// CHECK-LABEL: .entry bytes_multicast_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster

KERNEL(bulk)(char* to) {
  if (!cudax_has_bulk_copy()) return;
  device::memcpy_async_bulk(to, in_stage(), aligned_size_t<16>(64));
  device::bulk_commit();
  device::bulk_wait_read<1>();
  device::bulk_wait<0>();
}
// CHECK-LABEL: .entry bulk(
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.global.shared::cta.bulk_group
// FROM90:     cp.async.bulk.commit_group;
// FROM90:     cp.async.bulk.wait_group.read 1;
// FROM90:     cp.async.bulk.wait_group 0;

KERNEL(bulk_promised)(char* to, char const* next) {
  if (!cudax_has_bulk_copy()) return;
  device::prefetch_bulk(next, aligned_size_t<16>(64));
  device::memcpy_async_bulk(to, in_stage(), aligned_size_t<16>(64), proxy_fenced);
}
// CHECK-LABEL: .entry bulk_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.prefetch.L2.global
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.global.shared::cta.bulk_group

// Reductions have the fences of the copies between the same spaces.
KERNEL(reductions)(float* to) {
  if (!cudax_has_bulk_copy()) return;
  device::reduce_async_bulk<device::reduction::add>(to, reinterpret_cast<float*>(in_stage()), aligned_size_t<16>(64));
}
// CHECK-LABEL: .entry reductions(
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32

KERNEL(reductions_promised)(int* to) {
  if (!cudax_has_bulk_copy()) return;
  device::reduce_async_bulk<device::reduction::min>(to, reinterpret_cast<int*>(in_stage()), aligned_size_t<16>(64),
                                                    proxy_fenced);
}
// CHECK-LABEL: .entry reductions_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32

KERNEL(reductions_remote)(int* const* to, block_barrier* const* barrier) {
  if (!cudax_has_bulk_copy()) return;
  device::reduce_async_bulk_tx_remote<device::reduction::bit_or>(*to, reinterpret_cast<int*>(in_stage()),
                                                                 aligned_size_t<16>(64), **barrier);
}
// CHECK-LABEL: .entry reductions_remote(
// FROM90-NOT: fence.proxy.async.global
// FROM90:     fence.proxy.async.shared::cluster;
// FROM90:     cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32

// Stores and reductions of a value belong to the generic proxy: no fence.
KERNEL(values_remote)(b128* const* to, b128 value, block_barrier* const* barrier) {
  if (!cudax_has_bulk_copy()) return;
  device::store_async_tx_remote(*to, value, **barrier);
  device::store_async_tx_remote(reinterpret_cast<double*>(*to), 2.0, **barrier);
  device::store_async_tx_remote(reinterpret_cast<float*>(*to), 2.0f, **barrier);
  device::reduce_async_tx_remote<device::reduction::add>(reinterpret_cast<s64*>(*to), 2, **barrier);
  device::reduce_async_tx_remote<device::reduction::max>(reinterpret_cast<int*>(*to), 2, **barrier);
}
// CHECK-LABEL: .entry values_remote(
// FROM90-NOT: fence.proxy
// FROM90:     st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64
// FROM90:     st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64
// FROM90:     st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32
// FROM90:     red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64
// FROM90:     red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32
// FROM90-NOT: fence.proxy

KERNEL(made)(bool* result) {
  device::fence_barrier_init();
  if (cudax_has_bulk_copy()) *result = device::barrier_try_wait_parity_cluster(in_shared<block_barrier>(), false);
}
// CHECK-LABEL: .entry made(
// FROM90:     fence.mbarrier_init.release.cluster;
// FROM90:     mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64

// A policy is created once, and costs one operand; in either order with the promise.
KERNEL(copies_with_a_policy)(char* to, char const* from) {
  if (!cudax_has_bulk_copy()) return;
  device::l2_policy const policy(device::l2_eviction::evict_last, 0.5f, device::l2_eviction::evict_first);
  aligned_size_t<16> const size(64);
  device::memcpy_async_tx(in_stage(), from, size, in_shared<barrier<thread_scope_block>>(), policy);
  device::memcpy_async_tx_multicast(in_stage(), from, size, in_shared<barrier<thread_scope_block>>(), 3, proxy_fenced,
                                    policy);
  device::memcpy_async_bulk(to, in_stage(), size, policy, proxy_fenced);
  device::reduce_async_bulk<device::reduction::add>(reinterpret_cast<int*>(to), reinterpret_cast<int*>(in_stage()),
                                                    size, policy);
  device::prefetch_bulk(from, size, policy);
}
// CHECK-LABEL: .entry copies_with_a_policy(
// CHECK-NOT:  bra
// FROM90:     createpolicy.fractional.L2::evict_last.L2::evict_first.b64 [[POLICY:%rd[0-9]+]], {{.*}};
// FROM90-NOT: createpolicy
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32 {{.*}}, [[POLICY]];
// FROM90:     cp.async.bulk.prefetch.L2.global.L2::cache_hint {{.*}}, [[POLICY]];
