// SPDX-License-Identifier: Apache-2.0
//
// clock: each clock is one special register; sleeping is nanosleep.
import cudax.sync;
#include "kernel.hpp"

KERNEL(steady)(s64* result) { *result = steady_clock::now().time_since_epoch().count(); }
// CHECK-LABEL: .entry steady(
// CHECK:     mov.u64 {{.*}}, %globaltimer;
// CHECK-NOT: mov.u64 {{.*}}, %globaltimer;

KERNEL(system)(s64* result) { *result = system_clock::now().time_since_epoch().count(); }
// CHECK-LABEL: .entry system(
// CHECK:     mov.u64 {{.*}}, %globaltimer;
// CHECK-NOT: mov.u64 {{.*}}, %globaltimer;

KERNEL(cycles)(u64* result) { *result = sm_clock::now(); }
// CHECK-LABEL: .entry cycles(
// CHECK:     mov.u64 {{.*}}, %clock64;
// CHECK-NOT: mov.u64 {{.*}}, %clock64;

KERNEL(interval)(u64* result, u32* object) {
  u64 const before = sm_clock::now();
  *object = 1;
  *result = sm_clock::now() - before;
}
// Both readings stay where they are written.
// CHECK-LABEL: .entry interval(
// CHECK: mov.u64 {{.*}}, %clock64;
// CHECK: st.global.b32 {{.*}}, 1;
// CHECK: mov.u64 {{.*}}, %clock64;

KERNEL(yield)() { this_thread::yield(); }
// CHECK-LABEL: .entry yield(
// CHECK:     nanosleep.u32
// CHECK-NOT: nanosleep

KERNEL(sleep)() { this_thread::sleep_for(nanoseconds(1000)); }
// CHECK-LABEL: .entry sleep(
// CHECK: %globaltimer;
// CHECK: nanosleep.u32
