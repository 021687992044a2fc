// SPDX-License-Identifier: Apache-2.0
//
// stealing: what work stealing becomes. for_each_canceled_block: before sm_100 one call of f, and no shared memory; for
// sm_100 and later a fence between the proxies before each request, and one meeting in a round; with a letter, in a
// cluster, a request whose answer all blocks get. work_queue: one
// addition for each index and one meeting.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(canceled)(u32* done) {
  device::for_each_canceled_block<1>([=](block_index i) { done[i.x] = 1; });
}
// CHECK-LABEL: .entry canceled(
// SM70-NOT: stealing
// SM80-NOT: stealing
// SM90-NOT: stealing
// SM100: mbarrier.init.shared::cta.b64
// SM100: fence.proxy.async.shared::cta;
// SM100: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// SM100: st.global.b32 {{.*}}, 1;
// SM100: barrier.sync 0;
// SM100: barrier.cluster.arrive.release;
// SM100: barrier.cluster.wait.acquire;
// SM100: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// SM100: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128
// SM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
// SM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128
// SM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128
// SM100: fence.proxy.async.shared::cta;
// SM100: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// SM100: barrier.sync 0;
// SM100: barrier.cluster.arrive.release;
// SM100: barrier.cluster.wait.acquire;
// The compiler mixes the two ways: of one block, and of a cluster, which waits at cluster scope.
// SM100A: mbarrier.init.shared::cta.b64
// SM100A: fence.proxy.async.shared::cta;
// SM100A: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100A: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// SM100A: barrier.sync 0;
// SM100A: mbarrier.init.shared::cta.b64
// SM100A: fence.proxy.async.shared::cta;
// SM100A: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100A: barrier.cluster.arrive.release;
// SM100A: barrier.cluster.wait.acquire;
// SM100A: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128
// SM100A: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// SM100A: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128
// SM100A: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
// SM100A: clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128
// SM100A: clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128
// SM100A: fence.proxy.async.shared::cta;
// SM100A: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100A: barrier.cluster.arrive.release;
// SM100A: barrier.cluster.wait.acquire;
// SM100A: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128
// SM100A: barrier.cluster.arrive.release;
// SM100A: barrier.cluster.wait.acquire;
// SM100A: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// SM100A: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128
// SM100A: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
// SM100A: clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128
// SM100A: clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128
// SM100A: fence.proxy.async.shared::cta;
// SM100A: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100A: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// SM100A: barrier.sync 0;
// SM100A: barrier.cluster.arrive.release;
// SM100A: barrier.cluster.wait.acquire;
// CHECK: ret;

KERNEL(queued)(work_queue<1> queue, u32* done) {
  for_each(queue, [=](block_index i) { done[i.x] = 1; });
}
// CHECK-LABEL: .entry queued(
// CHECK:  barrier.sync 0;
// FROM90: barrier.cluster.arrive.release;
// FROM90: barrier.cluster.wait.acquire;
// CHECK:  atom.relaxed.gpu.global.add.u64
// CHECK:  st.relaxed.gpu.global.b64
// FROM90: mapa.u64
// CHECK:  barrier.sync 0;
// FROM90: barrier.cluster.arrive.release;
// FROM90: barrier.cluster.wait.acquire;
// CHECK:  ret;

// One request by the program itself: one proxy fence, of shared memory.
KERNEL(requested)(u32* done) {
  __shared__ device::launch_cancellation answer;
  __shared__ barrier<thread_scope_block> answered;
  if (!device::has_launch_cancellation()) return;
  init(&answered, 1);
  (void)device::barrier_arrive_tx(answered, 1, sizeof(answer));
  device::try_cancel_tx(&answer, answered);
  answered.wait_parity(false);
  if (answer.is_canceled()) *done = answer.first_block().x;
}
// CHECK-LABEL: .entry requested(
// SM70-NOT: mbarrier
// SM80-NOT: mbarrier
// SM90-NOT: mbarrier
// FROM100: mbarrier.init.shared::cta.b64
// FROM100: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// FROM100: fence.proxy.async.shared::cta;
// FROM100: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// FROM100: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM100: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128
// FROM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
// FROM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128
// FROM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128
// CHECK: ret;

// A stealing_pipeline: the scheduler writes the slot and releases it, in a cluster to each block; from the third index
// on it acquires the readers' arrival first, and all of them in the end. Before sm_100 the first request says "none".
KERNEL(stages_canceled)() {
  __shared__ stealing_pipeline_state<2> state;
  auto blocks = make_stealing_pipeline<1>(&state, 1);
  blocks.schedule();
}
// CHECK-LABEL: .entry stages_canceled(
// SM70:  barrier.sync 0;
// SM70:  st.shared.v4.b32
// SM70:  atom.release.cta.shared.add.u64
// SM70:  red.relaxed.cta.shared.add.u64
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  barrier.sync 0;
// SM80:  st.shared.v4.b32
// SM80:  mbarrier.arrive.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.arrive_drop.release.cta.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.arrive_drop.release.cta.shared::cta.b64
// FROM90:  barrier.sync 0;
// FROM90:  barrier.cluster.arrive.release;
// FROM90:  barrier.cluster.wait.acquire;
// FROM100: mbarrier.init.shared::cta.b64
// FROM90:  st.shared.v4.b32
// FROM90:  mbarrier.arrive.release.cta.shared::cta.b64
// FROM100: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM100: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// FROM100: fence.proxy.async.shared::cta;
// FROM100: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// FROM100: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// FROM100: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM100: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128
// FROM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
// FROM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128
// FROM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128
// FROM90:  mapa.u64
// FROM90:  st.v4.b32
// FROM90:  mbarrier.arrive.release.cluster.shared::cluster.b64
// FROM100: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM100: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// CHECK: ret;

KERNEL(stages_queued)(work_queue<1> queue) {
  __shared__ stealing_pipeline_state<2> state;
  auto blocks = make_stealing_pipeline(&state, 1, queue);
  blocks.schedule();
}
// CHECK-LABEL: .entry stages_queued(
// SM70:  barrier.sync 0;
// SM70:  ld.relaxed.cta.shared.b64
// SM70:  fence.acq_rel.cta;
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  mbarrier.init.shared::cta.b64
// SM80:  barrier.sync 0;
// SM80:  st.shared.v4.b32
// SM80:  mbarrier.arrive.shared::cta.b64
// SM80:  mbarrier.test_wait.parity.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.arrive_drop.release.cta.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.init.shared::cta.b64
// FROM90:  mbarrier.arrive_drop.release.cta.shared::cta.b64
// FROM90:  barrier.sync 0;
// FROM90:  barrier.cluster.arrive.release;
// FROM90:  barrier.cluster.wait.acquire;
// FROM90:  st.shared.v4.b32
// FROM90:  mbarrier.arrive.release.cta.shared::cta.b64
// FROM90:  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM90:  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// CHECK:   atom.relaxed.gpu.global.add.u64
// CHECK:   st.relaxed.gpu.global.b64
// SM70:    st.shared.v4.b32
// SM70:    atom.release.cta.shared.add.u64
// SM70:    red.relaxed.cta.shared.add.u64
// SM80:    mbarrier.test_wait.parity.shared::cta.b64
// FROM90:  mapa.u64
// FROM90:  st.v4.b32
// FROM90:  mbarrier.arrive.release.cluster.shared::cluster.b64
// FROM90:  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM90:  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// SM70:    ld.relaxed.cta.shared.b64
// SM70:    nanosleep.u32
// CHECK:   ret;
// SM70:    fence.acq_rel.cta;
// SM70:    ld.relaxed.cta.shared.b64
// SM70:    nanosleep.u32

// A reader of it: acquires the slot, reads it, and its first lane releases the read.
KERNEL(stages_read)(u32* done) {
  __shared__ stealing_pipeline_state<1> state;
  auto blocks = make_stealing_pipeline<1>(&state, 1);
  for (block_index index; blocks.next(this_warp, index);) done[index.x] = 1;
}
// CHECK-LABEL: .entry stages_read(
// SM80:   mbarrier.init.shared::cta.b64
// SM80:   mbarrier.init.shared::cta.b64
// FROM90: mbarrier.init.shared::cta.b64
// FROM90: mbarrier.init.shared::cta.b64
// FROM90: mbarrier.arrive_drop.release.cta.shared::cta.b64
// CHECK:  barrier.sync 0;
// FROM90: barrier.cluster.arrive.release;
// FROM90: barrier.cluster.wait.acquire;
// FROM90: mapa.u64
// SM70:   ld.relaxed.cta.shared.b64
// SM70:   fence.acq_rel.cta;
// SM80:   mbarrier.test_wait.parity.shared::cta.b64
// FROM90: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM90: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// CHECK:  ld.shared.v4.b32
// CHECK:  bar.warp.sync
// SM70:   atom.release.cta.shared.add.u64
// SM70:   red.relaxed.cta.shared.add.u64
// SM80:   mbarrier.arrive.shared::cta.b64
// FROM90: mbarrier.arrive.release.cta.shared::cta.b64
// FROM90: mbarrier.arrive.release.cluster.shared::cluster.b64
// SM70:   ld.relaxed.cta.shared.b64
// SM70:   nanosleep.u32
// CHECK:  ret;
