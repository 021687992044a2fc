// SPDX-License-Identifier: Apache-2.0
//
// local: automatic storage, which no other thread can reach: plain accesses at every order and scope. At
// thread scope an object can live in registers; at the others it stays in local memory, because the optimiser
// decides on registers before it knows the state space.
import cudax.sync;
#include "kernel.hpp"

KERNEL(variable)(u32 value, u32* result) {
  u32 object = value;
  u32 const before = atomic_ref<u32, SCOPE>(object).fetch_add(1, ORDER);
  *result = before + atomic_ref<u32, SCOPE>(object).exchange(2, ORDER) + object;
}
// CHECK-LABEL: .entry variable(
// PLAIN-NOT: .local
// CHECK:     st.global.b32

KERNEL(compare_exchange)(u32 value, u32 expected, bool* result) {
  u32 object = value;
  *result = atomic_ref<u32, SCOPE>(object).compare_exchange_strong(expected, 3, ORDER) && object == 3;
}
// CHECK-LABEL: .entry compare_exchange(
// PLAIN-NOT: .local
// CHECK:     st.global.b8

KERNEL(byte)(u8 value, u8* result) {
  atomic<u8, SCOPE> object(value);
  *result = object.fetch_or(1, ORDER) + object.fetch_xor(2, ORDER);
}
// CHECK-LABEL: .entry byte(
// PLAIN-NOT: .local
// CHECK:     st.global.b8

KERNEL(element)(u32* result, int index) {
  u32 objects[8] = {};
  *result = atomic_ref<u32, SCOPE>(objects[index]).fetch_add(1, ORDER) + objects[index ^ 1];
}
// CHECK-LABEL: .entry element(
// CHECK: ld.local.b32
// CHECK: st.global.b32

// With loads and stores alone the object lives in a register at every scope.
KERNEL(stored)(u32 value, u32* result) {
  u32 object = 0;
  atomic_ref<u32, SCOPE>(object).store(value, memory_order_release);
  *result = atomic_ref<u32, SCOPE>(object).load(memory_order_acquire);
}
// CHECK-LABEL: .entry stored(
// CHECK-NOT:   .local
// CHECK:       st.global.b32

KERNEL(stored_element)(u32 value, u32* result, int index) {
  u32 objects[8] = {};
  atomic_ref<u32, SCOPE>(objects[index]).store(value, memory_order_relaxed);
  *result = atomic_ref<u32, SCOPE>(objects[index ^ 1]).load(memory_order_acquire);
}
// CHECK-LABEL: .entry stored_element(
// CHECK: st.local.b32
// CHECK: ld.local.b32
// CHECK: st.global.b32

KERNEL(floating)(f32 value, f32 operand, f32* result) {
  f32 object = value;
  *result = atomic_ref<f32, SCOPE>(object).fetch_max(operand, ORDER) + object;
}
// CHECK-LABEL: .entry floating(
// PLAIN-NOT: .local
// CHECK:     st.global.b32
