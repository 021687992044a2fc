// SPDX-License-Identifier: Apache-2.0
//
// load: one ld of the object's own size; seq_cst is fence.sc and an acquire ld. What follows in the program stays after
// it.
import cudax.sync;
#include "kernel.hpp"

KERNEL(load_u8)(u8* object, u8* result) { *result = atomic_ref<u8, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_u8(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b8
// PLAIN:  ld.global.b8

KERNEL(load_u16)(u16* object, u16* result) { *result = atomic_ref<u16, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_u16(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b16
// PLAIN:  ld.global.b16

KERNEL(load_u32)(u32* object, u32* result) { *result = atomic_ref<u32, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_u32(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

KERNEL(load_u64)(u64* object, u64* result) { *result = atomic_ref<u64, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_u64(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b64
// PLAIN:  ld.global.b64

KERNEL(load_b128)(b128* object, b128* result) { *result = atomic_ref<b128, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_b128(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b128
// PLAIN:  ld.global.{{v2.b64|b128}}

KERNEL(load_f32)(f32* object, f32* result) { *result = atomic_ref<f32, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_f32(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

KERNEL(load_pointer)(f32** object, f32** result) { *result = atomic_ref<f32*, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b64
// PLAIN:  ld.global.b64

KERNEL(load_const)(u32 const* object, u32* result) { *result = atomic_ref<u32 const, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_const(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

KERNEL(load_atomic)(atomic<u32, SCOPE>* object, u32* result) { *result = object->load(ORDER); }
// CHECK-LABEL: .entry load_atomic(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

KERNEL(load_function)(atomic<u32, SCOPE>* object, u32* result) { *result = atomic_load_explicit(object, ORDER); }
// CHECK-LABEL: .entry load_function(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

KERNEL(flag_test)(basic_atomic_flag<SCOPE>* object, bool* result) { *result = object->test(ORDER); }
// CHECK-LABEL: .entry flag_test(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

KERNEL(load_shared)(u32* result) { *result = atomic_ref<u32, SCOPE>(in_shared<u32>()).load(ORDER); }
// CHECK-LABEL: .entry load_shared(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].shared.b32
// PLAIN:  ld.shared.b32

KERNEL(data_after_flag)(u32* data, u32* object, u32* result) {
  u32 const flag = atomic_ref<u32, SCOPE>(*object).load(ORDER);
  *result = *data + flag;
}
// CHECK-LABEL: .entry data_after_flag(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32
// CHECK:  ld.global.b32

KERNEL(load_bool)(bool* object, bool* result) { *result = atomic_ref<bool, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_bool(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b8
// PLAIN:  ld.global.{{[bs]}}8

KERNEL(load_s8)(s8* object, s8* result) { *result = atomic_ref<s8, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_s8(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b8
// PLAIN:  ld.global.{{[bs]}}8

KERNEL(load_s16)(s16* object, s16* result) { *result = atomic_ref<s16, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_s16(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b16
// PLAIN:  ld.global.{{[bs]}}16

KERNEL(load_s32)(s32* object, s32* result) { *result = atomic_ref<s32, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_s32(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

KERNEL(load_s64)(s64* object, s64* result) { *result = atomic_ref<s64, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_s64(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b64
// PLAIN:  ld.global.b64

KERNEL(load_f64)(f64* object, f64* result) { *result = atomic_ref<f64, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_f64(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b64
// PLAIN:  ld.global.b64

KERNEL(load_f16)(_Float16* object, _Float16* result) { *result = atomic_ref<_Float16, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_f16(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b16
// PLAIN:  ld.global.{{[bs]}}16

KERNEL(load_bf16)(__bf16* object, __bf16* result) { *result = atomic_ref<__bf16, SCOPE>(*object).load(ORDER); }
// CHECK-LABEL: .entry load_bf16(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b16
// PLAIN:  ld.global.{{[bs]}}16

KERNEL(load_volatile)(atomic<u32, SCOPE> volatile* object, u32* result) { *result = object->load(ORDER); }
// CHECK-LABEL: .entry load_volatile(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld{{(.volatile)?}}.global.b32

KERNEL(flag_test_function)(basic_atomic_flag<SCOPE>* object, bool* result) {
  *result = atomic_flag_test_explicit(object, ORDER);
}
// CHECK-LABEL: .entry flag_test_function(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  ld.global.b32

// The second read is made again, as it need not be with nothing between them.
KERNEL(data_around_load)(u32* data, u32* object, u32* result) {
  u32 const before = *data;
  u32 const flag = atomic_ref<u32, SCOPE>(*object).load(ORDER);
  *result = *data - before + flag;
}
// CHECK-LABEL: .entry data_around_load(
// CHECK:  ld.global.b32
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// ATOMIC: ld.global.b32
