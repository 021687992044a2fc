// SPDX-License-Identifier: Apache-2.0
//
// tensor_core: arrivals of tensor cores at a barrier, and the fences around operations that a program issues by hand.
// For other SMs than sm_100a and sm_103a a call does not link (consumer.sh).
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(tensor_core_commit)() { cudax_tensor_core_commit(&in_shared<u64>()); }
// CHECK-LABEL: .entry tensor_core_commit(
// CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64

KERNEL(tensor_core_commit_pair)() { cudax_tensor_core_commit_pair(&in_shared<u64>()); }
// CHECK-LABEL: .entry tensor_core_commit_pair(
// CHECK: tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64

KERNEL(tensor_core_commit_multicast)(u32 blocks) { cudax_tensor_core_commit_multicast(&in_shared<u64>(), blocks); }
// CHECK-LABEL: .entry tensor_core_commit_multicast(
// CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64

KERNEL(tensor_core_commit_multicast_pair)(u32 blocks) {
  cudax_tensor_core_commit_multicast_pair(&in_shared<u64>(), blocks);
}
// CHECK-LABEL: .entry tensor_core_commit_multicast_pair(
// CHECK: tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64

KERNEL(tensor_core_fence_before)() { cudax_tensor_core_fence_before(); }
// CHECK-LABEL: .entry tensor_core_fence_before(
// CHECK: tcgen05.fence::before_thread_sync;

KERNEL(tensor_core_fence_after)() { cudax_tensor_core_fence_after(); }
// CHECK-LABEL: .entry tensor_core_fence_after(
// CHECK: tcgen05.fence::after_thread_sync;

KERNEL(committed)(u32* out) {
  auto& b = in_shared<barrier<thread_scope_block>>();
  if (threadIdx.x == 0) device::tensor_core_commit(b);
  device::barrier_wait_parity_cluster(b, false);
  device::tensor_core_fence_after_sync();
  *out = 1;
  device::tensor_core_fence_before_sync();
  this_block.sync();
  if (threadIdx.x == 0) device::tensor_core_commit_multicast(b, 5);
}
// CHECK-LABEL: .entry committed(
// CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
// CHECK: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// CHECK: tcgen05.fence::after_thread_sync;
// CHECK: st.global.b32
// CHECK: tcgen05.fence::before_thread_sync;
// CHECK: barrier.sync 0;
// CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64

// A stage that tensor cores release: the commit is in place of the arrival of the agent.
KERNEL(stage_released_by_tensor_cores)() {
  auto p = make_pipeline(this_thread, &in_shared<pipeline_shared_state<thread_scope_block, 1>>());
  p.consumer_wait();
  p.consumer_release_by([](auto& consumed) { device::tensor_core_commit(consumed); });
  p.producer_tail();
}
// CHECK-LABEL: .entry stage_released_by_tensor_cores(
// CHECK-COUNT-2: mbarrier.init
// CHECK: mbarrier.try_wait.parity.acquire.cta
// CHECK-NOT: mbarrier.arrive
// CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
// CHECK-NOT: mbarrier.arrive
// CHECK: mbarrier.try_wait.parity.acquire.cta
// CHECK: atom.acq_rel.cta.shared.add.u32
// CHECK-COUNT-2: mbarrier.inval
