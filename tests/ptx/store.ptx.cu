// SPDX-License-Identifier: Apache-2.0
//
// store: one st of the object's own size; seq_cst is fence.sc and a relaxed st. What precedes in the program stays
// before it. After it comes what ptxas does not move the convergence of lanes over (arch/sm_70/hold_convergence.ll).
import cudax.sync;
#include "kernel.hpp"

KERNEL(store_u8)(u8* object, u8 value) { atomic_ref<u8, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_u8(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b8
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b8

KERNEL(store_u16)(u16* object, u16 value) { atomic_ref<u16, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_u16(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b16
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b16

KERNEL(store_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_u32(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32

KERNEL(store_u64)(u64* object, u64 value) { atomic_ref<u64, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_u64(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b64
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b64

KERNEL(store_b128)(b128* object, b128 value) { atomic_ref<b128, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_b128(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b128
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.{{v2.b64|b128}}

KERNEL(store_f32)(f32* object, f32 value) { atomic_ref<f32, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_f32(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32

KERNEL(store_pointer)(f32** object, f32* value) { atomic_ref<f32*, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b64
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b64

KERNEL(store_atomic)(atomic<u32, SCOPE>* object, u32 value) { object->store(value, ORDER); }
// CHECK-LABEL: .entry store_atomic(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32

KERNEL(store_function)(atomic<u32, SCOPE>* object, u32 value) { atomic_store_explicit(object, value, ORDER); }
// CHECK-LABEL: .entry store_function(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32

KERNEL(flag_clear)(basic_atomic_flag<SCOPE>* object) { object->clear(ORDER); }
// CHECK-LABEL: .entry flag_clear(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32

KERNEL(store_shared)(u32 value) { atomic_ref<u32, SCOPE>(in_shared<u32>()).store(value, ORDER); }
// CHECK-LABEL: .entry store_shared(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].shared.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.shared.b32

KERNEL(data_before_flag)(u32* data, u32* object) {
  *data = 1;
  atomic_ref<u32, SCOPE>(*object).store(2, ORDER);
}
// CHECK-LABEL: .entry data_before_flag(
// CHECK:  st.global.b32 {{.*}}, 1;
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32 {{.*}}, 2;

KERNEL(store_bool)(bool* object, bool value) { atomic_ref<bool, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_bool(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b8
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b8

KERNEL(store_s8)(s8* object, s8 value) { atomic_ref<s8, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_s8(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b8
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b8

KERNEL(store_s16)(s16* object, s16 value) { atomic_ref<s16, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_s16(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b16
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b16

KERNEL(store_s32)(s32* object, s32 value) { atomic_ref<s32, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_s32(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32

KERNEL(store_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_s64(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b64
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b64

KERNEL(store_f64)(f64* object, f64 value) { atomic_ref<f64, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_f64(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b64
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b64

KERNEL(store_f16)(_Float16* object, _Float16 value) { atomic_ref<_Float16, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_f16(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b16
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b16

KERNEL(store_bf16)(__bf16* object, __bf16 value) { atomic_ref<__bf16, SCOPE>(*object).store(value, ORDER); }
// CHECK-LABEL: .entry store_bf16(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b16
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b16

KERNEL(flag_clear_function)(basic_atomic_flag<SCOPE>* object) { atomic_flag_clear_explicit(object, ORDER); }
// CHECK-LABEL: .entry flag_clear_function(
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// PLAIN:  st.global.b32

// Neither plain store may be dropped for the other, as it could be with nothing between them.
KERNEL(data_around_store)(u32* data, u32* object) {
  *data = 1;
  atomic_ref<u32, SCOPE>(*object).store(2, ORDER);
  *data = 3;
}
// CHECK-LABEL: .entry data_around_store(
// ATOMIC: st.global.b32 {{.*}}, 1;
// SC:     fence.sc[[S]];
// ATOMIC: st[[SEM]][[S]].global.b32
// ATOMIC: @{{%p[0-9]+}} pmevent 0;
// CHECK:  st.global.b32 {{.*}}, 3;
