// SPDX-License-Identifier: Apache-2.0
//
// locked: atomics of 12 bytes, for which there is no instruction. An operation takes a ticket, relaxed, waits until it
// is served, and serves the next one. Entering acquires and leaving releases, whatever the order; seq_cst adds a fence.
import cudax.sync;
#include "kernel.hpp"

KERNEL(load_locked)(atomic<uint3, SCOPE>* object, uint3* result) { *result = object->load(memory_order_relaxed); }
// CHECK-LABEL: .entry load_locked(
// CHECK:     atom.relaxed[[S]].global.add.u32
// CHECK-NOT: ld.global
// CHECK:     ld.acquire[[S]].global.b32
// CHECK-NOT: ld.global
// CHECK:     ld.relaxed[[S]].global.b32
// CHECK-NOT: ld.global
// CHECK:     nanosleep.u32
// CHECK:     ld.global.b32
// CHECK:     st.release[[S]].global.b32

KERNEL(exchange_locked)(atomic<uint3, SCOPE>* object, uint3* result) { *result = object->exchange(*result, ORDER); }
// CHECK-LABEL: .entry exchange_locked(
// SC:        fence.sc[[S]];
// CHECK:     atom.relaxed[[S]].global.add.u32
// CHECK-NOT: st.global
// CHECK:     ld.acquire[[S]].global.b32
// CHECK:     ld.relaxed[[S]].global.b32
// CHECK:     nanosleep.u32
// CHECK:     st.global.b32
// CHECK:     st.release[[S]].global.b32
