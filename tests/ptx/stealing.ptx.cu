// SPDX-License-Identifier: Apache-2.0
//
// stealing: what work stealing becomes. for_each_canceled_block: before sm_100 one call of f, and no shared memory; from then
// on one request in the asynchronous proxy at a time, behind a fence between the proxies, and one meeting in a round. work_queue:
// one addition for each index.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(canceled)(u32* done) {
  device::for_each_canceled_block<1>([=](block_index i) { done[i.x] = 1; });
}
// CHECK-LABEL: .entry canceled(
// SM70-NOT: .shared
// SM80-NOT: .shared
// SM90-NOT: .shared
// SM70-NOT: barrier
// SM80-NOT: barrier
// SM90-NOT: barrier
// SM70:  %ctaid.x;
// SM80:  %ctaid.x;
// SM90:  %ctaid.x;
// SM100: mbarrier.init.shared::cta.b64 {{.*}}, %r{{[0-9]+}};
// SM100: fence.proxy.async;
// SM100: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// SM100: st.global.b32 {{.*}}, 1;
// SM100: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// SM100: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128
// SM100: clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
// SM100: fence.proxy.async;
// SM100: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// SM100: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
// SM100: ret;

KERNEL(queued)(work_queue<1> queue, u32* done) {
  for_each(queue, [=](block_index i) { done[i.x] = 1; });
}
// CHECK-LABEL: .entry queued(
// CHECK-DAG: atom.relaxed.gpu{{(\.global)?}}.add.u64
// CHECK-DAG: st.relaxed.gpu{{(\.global)?}}.u64
// CHECK:     ret;
