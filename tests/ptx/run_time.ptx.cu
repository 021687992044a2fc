// SPDX-License-Identifier: Apache-2.0
//
// run_time: an order that is known only at run time. Each order has its own branch, and one that the operation does
// not allow prints a sentence and ends the kernel.
import cudax.sync;
#include "kernel.hpp"

KERNEL(load)(u32* object, memory_order order, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).load(order); }
// seq_cst falls into the branch of acquire.
// CHECK-LABEL: .entry load(
// CHECK:      fence.sc[[S]];
// CHECK-NOT:  bra
// CHECK:      ld.acquire[[S]].global.b32
// CHECK:      ld.relaxed[[S]].global.b32
// CHECK:      call{{.*}} vprintf
// CHECK:      trap;

KERNEL(store)(u32* object, memory_order order) { atomic_ref<u32, SCOPE>(*object).store(1, order); }
// seq_cst falls into the branch of relaxed.
// CHECK-LABEL: .entry store(
// CHECK:      fence.sc[[S]];
// CHECK-NOT:  bra
// CHECK:      st.relaxed[[S]].global.b32
// CHECK:      st.release[[S]].global.b32
// CHECK:      call{{.*}} vprintf
// CHECK:      trap;

KERNEL(fetch_add)(u32* object, memory_order order, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_add(1, order);
}
// CHECK-LABEL: .entry fetch_add(
// CHECK:      .branchtargets
// CHECK-NEXT: [[RELAXED:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[ACQUIRE:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[ACQUIRE]],
// CHECK-NEXT: [[RELEASE:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[ACQ_REL:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[SEQ_CST:\$L__BB[0-9_]+]];
// CHECK:      [[RELAXED]]:
// CHECK:      atom.relaxed[[S]].global.add.u32
// CHECK:      [[RELEASE]]:
// CHECK:      atom.release[[S]].global.add.u32
// CHECK:      [[SEQ_CST]]:
// CHECK:      fence.sc[[S]];
// CHECK-NOT:  bra
// CHECK:      [[ACQUIRE]]:
// CHECK:      atom.acquire[[S]].global.add.u32
// CHECK:      [[ACQ_REL]]:
// CHECK:      atom.acq_rel[[S]].global.add.u32
// CHECK:      call{{.*}} vprintf
// CHECK:      trap;

KERNEL(fence)(memory_order order) { atomic_thread_fence(order, SCOPE); }
// CHECK-LABEL: .entry fence(
// CHECK:      .branchtargets
// CHECK-NEXT: [[RELAXED:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[ACQUIRE:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[ACQUIRE]],
// CHECK-NEXT: [[RELEASE:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[ACQ_REL:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[SEQ_CST:\$L__BB[0-9_]+]];
// CHECK:      [[ACQUIRE]]:
// ATOMIC70:   fence.acq_rel[[S]];
// ATOMIC90:   fence.acquire[[S]];
// CHECK:      [[RELEASE]]:
// ATOMIC70:   fence.acq_rel[[S]];
// ATOMIC90:   fence.release[[S]];
// CHECK:      [[SEQ_CST]]:
// CHECK:      fence.sc[[S]];
// CHECK:      [[ACQ_REL]]:
// CHECK:      fence.acq_rel[[S]];
// CHECK:      [[RELAXED]]:
// CHECK-NEXT: ret;
// CHECK:      call{{.*}} vprintf
// CHECK:      trap;

KERNEL(fence_scope)(thread_scope scope) { atomic_thread_fence(memory_order_seq_cst, scope); }
// CHECK-LABEL: .entry fence_scope(
// CHECK:      .branchtargets
// CHECK-NEXT: [[SYSTEM:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[DEVICE:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[BLOCK:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[THREAD:\$L__BB[0-9_]+]],
// CHECK-NEXT: [[CLUSTER:\$L__BB[0-9_]+]];
// CHECK:      [[SYSTEM]]:
// CHECK:      fence.sc.sys;
// CHECK:      [[CLUSTER]]:
// ATOMIC70:   fence.sc.cta;
// ATOMIC90:   fence.sc.cluster;
// CHECK:      [[BLOCK]]:
// CHECK:      fence.sc.cta;
// CHECK:      [[THREAD]]:
// CHECK:      [[DEVICE]]:
// CHECK:      fence.sc.gpu;
// CHECK:      call{{.*}}stop
