// SPDX-License-Identifier: Apache-2.0
//
// wait: polls relaxed, which invalidates no cache, and looks with the order before it returns.
import cudax.sync;
#include "kernel.hpp"

KERNEL(wait_u32)(u32* object, u32 old) { atomic_ref<u32, SCOPE>(*object).wait(old, ORDER); }
// CHECK-LABEL: .entry wait_u32(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.u32
// ATOMIC: ld.relaxed[[S]].global.u32
// PLAIN:  ld.global.b32
// CHECK:  nanosleep.u32

KERNEL(try_wait_u32)(u32* object, u32 old, bool* result) {
  *result = atomic_ref<u32, SCOPE>(*object).try_wait(old, ORDER);
}
// CHECK-LABEL: .entry try_wait_u32(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.u32
// PLAIN:  ld.global.b32

KERNEL(wait_flag)(basic_atomic_flag<SCOPE>* object) { object->wait(false, ORDER); }
// CHECK-LABEL: .entry wait_flag(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.u32
// ATOMIC: ld.relaxed[[S]].global.u32
// PLAIN:  ld.global.b32
// CHECK:  nanosleep.u32

KERNEL(notify)(u32* object) { atomic_ref<u32, SCOPE>(*object).notify_all(); }
// Nobody parks on a device.
// CHECK-LABEL: .entry notify(
// CHECK-NEXT:  .param
// CHECK-NEXT:  )
// CHECK-NEXT:  {
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT:  ret;
