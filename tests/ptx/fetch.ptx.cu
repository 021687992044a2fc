// SPDX-License-Identifier: Apache-2.0
//
// fetch: one atom for fetch_add, sub, and, or, xor, max and min of 32 and 64 bits; seq_cst is fence.sc and an
// acquire atom.
import cudax.sync;
#include "kernel.hpp"

KERNEL(fetch_add_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_add_s32)(s32* object, s32 value, s32* result) {
  *result = atomic_ref<s32, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_s32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_add_u64)(u64* object, u64 value, u64* result) {
  *result = atomic_ref<u64, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_u64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_add_s64)(s64* object, s64 value, s64* result) {
  *result = atomic_ref<s64, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_s64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_add_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.f32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_add_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.f64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_add_pointer)(f32** object, s64 value, f32** result) {
  *result = atomic_ref<f32*, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_sub_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_sub_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.f64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_and_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_and(value, ORDER);
}
// CHECK-LABEL: .entry fetch_and_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.and.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_and_s64)(s64* object, s64 value, s64* result) {
  *result = atomic_ref<s64, SCOPE>(*object).fetch_and(value, ORDER);
}
// CHECK-LABEL: .entry fetch_and_s64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.and.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_or_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_or(value, ORDER);
}
// CHECK-LABEL: .entry fetch_or_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.or.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_or_s64)(s64* object, s64 value, s64* result) {
  *result = atomic_ref<s64, SCOPE>(*object).fetch_or(value, ORDER);
}
// CHECK-LABEL: .entry fetch_or_s64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.or.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_xor_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_xor(value, ORDER);
}
// CHECK-LABEL: .entry fetch_xor_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.xor.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_xor_s64)(s64* object, s64 value, s64* result) {
  *result = atomic_ref<s64, SCOPE>(*object).fetch_xor(value, ORDER);
}
// CHECK-LABEL: .entry fetch_xor_s64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.xor.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_max_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_max_s32)(s32* object, s32 value, s32* result) {
  *result = atomic_ref<s32, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_s32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_max_u64)(u64* object, u64 value, u64* result) {
  *result = atomic_ref<u64, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_u64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_max_s64)(s64* object, s64 value, s64* result) {
  *result = atomic_ref<s64, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_s64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_min_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_min_s32)(s32* object, s32 value, s32* result) {
  *result = atomic_ref<s32, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_s32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_min_u64)(u64* object, u64 value, u64* result) {
  *result = atomic_ref<u64, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_u64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_min_s64)(s64* object, s64 value, s64* result) {
  *result = atomic_ref<s64, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_s64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_max_pointer)(f32** object, f32* value, f32** result) {
  *result = atomic_ref<f32*, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_add_atomic)(atomic<u32, SCOPE>* object, u32* result) { *result = object->fetch_add(1, ORDER); }
// CHECK-LABEL: .entry fetch_add_atomic(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_add_function)(atomic<u32, SCOPE>* object, u32* result) {
  *result = atomic_fetch_add_explicit(object, 1, ORDER);
}
// CHECK-LABEL: .entry fetch_add_function(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_add_shared)(u32* result) { *result = atomic_ref<u32, SCOPE>(in_shared<u32>()).fetch_add(1, ORDER); }
// CHECK-LABEL: .entry fetch_add_shared(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].shared.add.u32
// PLAIN:  ld.shared.b32

KERNEL(fetch_sub_s64)(s64* object, s64 value, s64* result) {
  *result = atomic_ref<s64, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_s64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_sub_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.f32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_sub_pointer)(f32** object, s64 value, f32** result) {
  *result = atomic_ref<f32*, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_min_pointer)(f32** object, f32* value, f32** result) {
  *result = atomic_ref<f32*, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64
