// SPDX-License-Identifier: Apache-2.0
//
// wait: polls relaxed, which invalidates no cache. Before that it loads with the order, where a fence afterwards would
// cost more. After a poll that observes a change there is an acquire fence, where the order is acquire or seq_cst: no
// second load, which would be another trip to the L2.
import cudax.sync;
#include "kernel.hpp"

KERNEL(wait_u8)(u8* object, u8 old) { atomic_ref<u8, SCOPE>(*object).wait(old, ORDER); }
// CHECK-LABEL: .entry wait_u8(
// SC:         fence.sc[[S]];
// FIRST:      ld[[SEM]][[S]].global.b8
// ATOMIC:     ld.relaxed[[S]].global.b8
// PLAIN:      ld.global.b8
// CHECK:      nanosleep.u32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];

KERNEL(wait_u32)(u32* object, u32 old) { atomic_ref<u32, SCOPE>(*object).wait(old, ORDER); }
// CHECK-LABEL: .entry wait_u32(
// SC:         fence.sc[[S]];
// FIRST:      ld[[SEM]][[S]].global.b32
// ATOMIC:     ld.relaxed[[S]].global.b32
// PLAIN:      ld.global.b32
// CHECK:      nanosleep.u32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];

KERNEL(wait_f64)(f64* object, f64 old) { atomic_ref<f64, SCOPE>(*object).wait(old, ORDER); }
// CHECK-LABEL: .entry wait_f64(
// SC:         fence.sc[[S]];
// FIRST:      ld[[SEM]][[S]].global.b64
// ATOMIC:     ld.relaxed[[S]].global.b64
// PLAIN:      ld.global.b64
// CHECK:      nanosleep.u32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];

KERNEL(wait_b128)(b128* object, b128 old) { atomic_ref<b128, SCOPE>(*object).wait(old, ORDER); }
// CHECK-LABEL: .entry wait_b128(
// SC:         fence.sc[[S]];
// FIRST:      ld[[SEM]][[S]].global.b128
// ATOMIC:     ld.relaxed[[S]].global.b128
// PLAIN:      ld.global.{{v2.b64|b128}}
// CHECK:      nanosleep.u32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];

KERNEL(wait_function)(atomic<u32, SCOPE>* object, u32 old) { atomic_wait_explicit(object, old, ORDER); }
// CHECK-LABEL: .entry wait_function(
// SC:         fence.sc[[S]];
// FIRST:      ld[[SEM]][[S]].global.b32
// ATOMIC:     ld.relaxed[[S]].global.b32
// PLAIN:      ld.global.b32
// CHECK:      nanosleep.u32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];

KERNEL(wait_flag)(basic_atomic_flag<SCOPE>* object) { object->wait(false, ORDER); }
// The loop stands behind the return.
// CHECK-LABEL: .entry wait_flag(
// SC:         fence.sc[[S]];
// FIRST:      ld[[SEM]][[S]].global.b32
// ATOMIC:     ld.relaxed[[S]].global.b32
// PLAIN:      ld.global.b32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];
// ATOMIC:     ld.relaxed[[S]].global.b32
// CHECK:      nanosleep.u32

KERNEL(try_wait_u32)(u32* object, u32 old, bool* result) {
  *result = atomic_ref<u32, SCOPE>(*object).try_wait(old, ORDER);
}
// CHECK-LABEL: .entry try_wait_u32(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

// The first poll has the order. If that is relaxed, it is one of the polls in a row.
KERNEL(wait_for_u32)(u32* object, u32 old, bool* result) {
  *result = atomic_ref<u32, SCOPE>(*object).wait_for(old, nanoseconds(1000), ORDER);
}
// CHECK-LABEL: .entry wait_for_u32(
// SC:         fence.sc[[S]];
// ATOMIC:     ld[[SEM]][[S]].global.b32
// PLAIN:      ld.global.b32
// ACQUIRES:   ld.relaxed[[S]].global.b32
// CHECK:      nanosleep.u32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];

KERNEL(wait_until_u32)(u32* object, u32 old, steady_clock::time_point point, bool* result) {
  *result = atomic_ref<u32, SCOPE>(*object).wait_until(old, point, ORDER);
}
// CHECK-LABEL: .entry wait_until_u32(
// SC:         fence.sc[[S]];
// ATOMIC:     ld[[SEM]][[S]].global.b32
// PLAIN:      ld.global.b32
// ATOMIC:     ld.relaxed[[S]].global.b32
// CHECK:      nanosleep.u32
// ATOMIC:     ld.relaxed[[S]].global.b32
// SC:         fence.{{acquire|acq_rel}}[[S]];
// ACQUIRE:    [[FENCE]];

KERNEL(notify)(u32* object) { atomic_ref<u32, SCOPE>(*object).notify_all(); }
// On a device no thread parks.
// CHECK-LABEL: .entry notify(
// CHECK-NEXT:  .param
// CHECK-NEXT:  )
// CHECK-NEXT:  {
// CHECK-NOT:   {{[[:alnum:]]}}
// CHECK:       ret;
