// SPDX-License-Identifier: Apache-2.0
//
// defaults: an operation without an order is seq_cst, and so is an operator. Each kernel has one fence.sc, followed by
// one strong access.
import cudax.sync;
#include "kernel.hpp"

KERNEL(load)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).load(); }
// CHECK-LABEL: .entry load(
// SC:     fence.sc[[S]];
// ATOMIC: ld.acquire[[S]].global.b32

KERNEL(conversion)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object); }
// CHECK-LABEL: .entry conversion(
// SC:     fence.sc[[S]];
// ATOMIC: ld.acquire[[S]].global.b32

KERNEL(load_function)(atomic<u32, SCOPE>* object, u32* result) { *result = atomic_load(object); }
// CHECK-LABEL: .entry load_function(
// SC:     fence.sc[[S]];
// ATOMIC: ld.acquire[[S]].global.b32

KERNEL(store)(u32* object) { atomic_ref<u32, SCOPE>(*object).store(1); }
// CHECK-LABEL: .entry store(
// SC:     fence.sc[[S]];
// ATOMIC: st.relaxed[[S]].global.b32

KERNEL(assignment)(u32* object) {
  atomic_ref<u32, SCOPE> const reference(*object);
  reference = 1;
}
// CHECK-LABEL: .entry assignment(
// SC:     fence.sc[[S]];
// ATOMIC: st.relaxed[[S]].global.b32

KERNEL(store_function)(atomic<u32, SCOPE>* object) { atomic_store(object, 1); }
// CHECK-LABEL: .entry store_function(
// SC:     fence.sc[[S]];
// ATOMIC: st.relaxed[[S]].global.b32

KERNEL(exchange)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).exchange(1); }
// CHECK-LABEL: .entry exchange(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32

KERNEL(compare_exchange_strong)(u32* object, u32* result) {
  atomic_ref<u32, SCOPE>(*object).compare_exchange_strong(*result, 1);
}
// CHECK-LABEL: .entry compare_exchange_strong(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32

KERNEL(compare_exchange_weak)(u32* object, u32* result) {
  atomic_ref<u32, SCOPE>(*object).compare_exchange_weak(*result, 1);
}
// CHECK-LABEL: .entry compare_exchange_weak(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32

KERNEL(fetch_add)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).fetch_add(5); }
// CHECK-LABEL: .entry fetch_add(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(store_add)(u32* object) { atomic_ref<u32, SCOPE>(*object).store_add(5); }
// CHECK-LABEL: .entry store_add(
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].global.add.u32

KERNEL(fetch_sub)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).fetch_sub(5); }
// CHECK-LABEL: .entry fetch_sub(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(store_sub)(u32* object) { atomic_ref<u32, SCOPE>(*object).store_sub(5); }
// CHECK-LABEL: .entry store_sub(
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].global.add.u32

KERNEL(fetch_and)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).fetch_and(5); }
// CHECK-LABEL: .entry fetch_and(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.and.b32

KERNEL(store_and)(u32* object) { atomic_ref<u32, SCOPE>(*object).store_and(5); }
// CHECK-LABEL: .entry store_and(
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].global.and.b32

KERNEL(fetch_or)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).fetch_or(5); }
// CHECK-LABEL: .entry fetch_or(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.or.b32

KERNEL(store_or)(u32* object) { atomic_ref<u32, SCOPE>(*object).store_or(5); }
// CHECK-LABEL: .entry store_or(
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].global.or.b32

KERNEL(fetch_xor)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).fetch_xor(5); }
// CHECK-LABEL: .entry fetch_xor(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.xor.b32

KERNEL(store_xor)(u32* object) { atomic_ref<u32, SCOPE>(*object).store_xor(5); }
// CHECK-LABEL: .entry store_xor(
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].global.xor.b32

KERNEL(fetch_max)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).fetch_max(5); }
// CHECK-LABEL: .entry fetch_max(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u32

KERNEL(store_max)(u32* object) { atomic_ref<u32, SCOPE>(*object).store_max(5); }
// CHECK-LABEL: .entry store_max(
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].global.max.u32

KERNEL(fetch_min)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).fetch_min(5); }
// CHECK-LABEL: .entry fetch_min(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u32

KERNEL(store_min)(u32* object) { atomic_ref<u32, SCOPE>(*object).store_min(5); }
// CHECK-LABEL: .entry store_min(
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].global.min.u32

KERNEL(fetch_add_function)(atomic<u32, SCOPE>* object, u32* result) { *result = atomic_fetch_add(object, 5); }
// CHECK-LABEL: .entry fetch_add_function(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(operator_plus)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object) += 5; }
// CHECK-LABEL: .entry operator_plus(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(operator_minus)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object) -= 5; }
// CHECK-LABEL: .entry operator_minus(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(operator_and)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object) &= 5; }
// CHECK-LABEL: .entry operator_and(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.and.b32

KERNEL(operator_or)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object) |= 5; }
// CHECK-LABEL: .entry operator_or(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.or.b32

KERNEL(operator_xor)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object) ^= 5; }
// CHECK-LABEL: .entry operator_xor(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.xor.b32

KERNEL(pre_increment)(u32* object, u32* result) { *result = ++atomic_ref<u32, SCOPE>(*object); }
// CHECK-LABEL: .entry pre_increment(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(post_increment)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object)++; }
// CHECK-LABEL: .entry post_increment(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(pre_decrement)(u32* object, u32* result) { *result = --atomic_ref<u32, SCOPE>(*object); }
// CHECK-LABEL: .entry pre_decrement(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(post_decrement)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object)--; }
// CHECK-LABEL: .entry post_decrement(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32

KERNEL(try_wait)(u32* object, bool* result) { *result = atomic_ref<u32, SCOPE>(*object).try_wait(5); }
// CHECK-LABEL: .entry try_wait(
// SC:     fence.sc[[S]];
// ATOMIC: ld.acquire[[S]].global.b32

KERNEL(flag_test)(basic_atomic_flag<SCOPE>* object, bool* result) { *result = object->test(); }
// CHECK-LABEL: .entry flag_test(
// SC:     fence.sc[[S]];
// ATOMIC: ld.acquire[[S]].global.b32

KERNEL(flag_test_and_set)(basic_atomic_flag<SCOPE>* object, bool* result) { *result = object->test_and_set(); }
// CHECK-LABEL: .entry flag_test_and_set(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32

KERNEL(flag_clear)(basic_atomic_flag<SCOPE>* object) { object->clear(); }
// CHECK-LABEL: .entry flag_clear(
// SC:     fence.sc[[S]];
// ATOMIC: st.relaxed[[S]].global.b32

KERNEL(pre_increment_f32)(f32* object, f32* result) { *result = ++atomic_ref<f32, SCOPE>(*object); }
// CHECK-LABEL: .entry pre_increment_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.f32 [[OLD:%[rf][0-9]+]],
// ATOMIC: add{{(.rn)?}}.f32 {{.*}}, [[OLD]], 0f3F800000;

KERNEL(post_decrement_f64)(f64* object, f64* result) { *result = atomic_ref<f64, SCOPE>(*object)--; }
// CHECK-LABEL: .entry post_decrement_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.f64
