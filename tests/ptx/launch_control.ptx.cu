// SPDX-License-Identifier: Apache-2.0
//
// launch_control: cancelling the launch of a block that has not begun, which requires sm_100; with an answer to all
// blocks of the cluster, which requires an SM with a letter.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(cancel_launch)() { cudax_cancel_launch(&in_shared<b128>() + 1, &in_shared<u64>()); }
// CHECK-LABEL: .entry cancel_launch(
// SM70:     call{{.*}} {{cudax_cancel_launch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_cancel_launch|vprintf}}
// SM80-NOT: ret;
// SM90:     call{{.*}} {{cudax_cancel_launch|vprintf}}
// SM90-NOT: ret;
// FROM100:    clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128

KERNEL(cancel_launch_multicast)() { cudax_cancel_launch_multicast(&in_shared<b128>() + 1, &in_shared<u64>()); }
// CHECK-LABEL: .entry cancel_launch_multicast(
// SM70:      call{{.*}} {{cudax_cancel_launch_multicast|vprintf}}
// SM70-NOT:  ret;
// SM80:      call{{.*}} {{cudax_cancel_launch_multicast|vprintf}}
// SM80-NOT:  ret;
// SM90:      call{{.*}} {{cudax_cancel_launch_multicast|vprintf}}
// SM90-NOT:  ret;
// SM100:     call{{.*}} {{cudax_cancel_launch_multicast|vprintf}}
// SM100-NOT: ret;
// SM100A:    clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128

KERNEL(launch_is_canceled)(u64 low, u64 high, bool* result) { *result = cudax_launch_is_canceled(low, high); }
// CHECK-LABEL: .entry launch_is_canceled(
// SM70:     call{{.*}} {{cudax_launch_is_canceled|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_launch_is_canceled|vprintf}}
// SM80-NOT: ret;
// SM90:     call{{.*}} {{cudax_launch_is_canceled|vprintf}}
// SM90-NOT: ret;
// FROM100:    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128

KERNEL(canceled_block_x)(u64 low, u64 high, u32* result) { *result = cudax_canceled_block(low, high, 0); }
// CHECK-LABEL: .entry canceled_block_x(
// SM70:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM80-NOT: ret;
// SM90:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM90-NOT: ret;
// FROM100:    clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128

KERNEL(canceled_block_y)(u64 low, u64 high, u32* result) { *result = cudax_canceled_block(low, high, 1); }
// CHECK-LABEL: .entry canceled_block_y(
// SM70:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM80-NOT: ret;
// SM90:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM90-NOT: ret;
// FROM100:    clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128

KERNEL(canceled_block_z)(u64 low, u64 high, u32* result) { *result = cudax_canceled_block(low, high, 2); }
// CHECK-LABEL: .entry canceled_block_z(
// SM70:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM80-NOT: ret;
// SM90:     call{{.*}} {{cudax_canceled_block|vprintf}}
// SM90-NOT: ret;
// FROM100:    clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128

KERNEL(asked)(u32* other) {
  if (cudax_has_launch_cancellation()) cudax_cancel_launch(&in_shared<b128>() + 1, &in_shared<u64>());
  else *other = 1;
}
// CHECK-LABEL: .entry asked(
// CHECK-NOT: bra
// SM70:      st.global.b32
// SM80:      st.global.b32
// SM90:      st.global.b32
// FROM100:     clusterlaunchcontrol.try_cancel.async

KERNEL(asked_for_multicast)(u32* other) {
  if (cudax_has_launch_cancellation_multicast())
    cudax_cancel_launch_multicast(&in_shared<b128>() + 1, &in_shared<u64>());
  else *other = 1;
}
// CHECK-LABEL: .entry asked_for_multicast(
// CHECK-NOT: bra
// SM70:      st.global.b32
// SM80:      st.global.b32
// SM90:      st.global.b32
// SM100:     st.global.b32
// SM100A:    clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128
