// SPDX-License-Identifier: Apache-2.0
//
// hang: reports of long waits. A wait that is not long reads one word of device memory and the clock, and writes
// nothing.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(hang_is_due)(u64 began, u64* result) { *result = cudax_hang_is_due(&began) ? 1 : began; }
// CHECK-LABEL: .entry hang_is_due(
// CHECK:     ld.relaxed.gpu.global.b64
// CHECK:     mov.u64 {{.*}}, %globaltimer;
// CHECK-NOT: {{atom|red|fence}}

KERNEL(hang_configure)(void* mailbox, u64 limit) { cudax_hang_configure(mailbox, limit, true); }
// The limit follows the other words.
// CHECK-LABEL: .entry hang_configure(
// CHECK-COUNT-19: st.relaxed.gpu.global.b64
// CHECK: st.release.gpu.global.b64

// One claim in a loop; one release, after the words of the report. Before the trap the thread polls until the report is
// printed.
KERNEL(hang_report)(void* object, u64 value) { cudax_hang_report(object, "text", value, value); }
// CHECK-LABEL: .entry hang_report(
// CHECK: ld.acquire.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b64
// CHECK: atom.relaxed.gpu.global.cas.b64
// CHECK: st.release.sys.global.b32
// CHECK: fence.sc.sys;
// CHECK: ld.relaxed.sys.global.b32
// CHECK: nanosleep.u32
// CHECK: trap;
