// SPDX-License-Identifier: Apache-2.0
//
// fence: one fence; one-sided for sm_90 and later, fence.acq_rel before. It stays between the accesses that it orders.
import cudax.sync;
#include "kernel.hpp"

KERNEL(fence_between)(u32* first, u32* second) {
  *first = 1;
  atomic_thread_fence(ORDER, SCOPE);
  *second = 2;
}
// CHECK-LABEL: .entry fence_between(
// CHECK: st.global.b32 {{.*}}, 1;
// FENCE: [[FENCE]];
// CHECK: st.global.b32 {{.*}}, 2;

KERNEL(signal_fence)(u32* first, u32* second) {
  *first = 1;
  atomic_signal_fence(ORDER);
  *second = 2;
}
// CHECK-LABEL: .entry signal_fence(
// CHECK: st.global.b32 {{.*}}, 1;
// CHECK: st.global.b32 {{.*}}, 2;

// Neither store may be dropped for the other, as it could be with nothing between them.
KERNEL(fence_between_equal)(u32* object) {
  *object = 1;
  atomic_thread_fence(ORDER, SCOPE);
  *object = 2;
}
// CHECK-LABEL: .entry fence_between_equal(
// FENCE: st.global.b32 {{.*}}, 1;
// FENCE: [[FENCE]];
// CHECK: st.global.b32 {{.*}}, 2;
