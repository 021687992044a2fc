// SPDX-License-Identifier: Apache-2.0
//
// reduce: one red for store_add, sub, and, or, xor, max and min; seq_cst is fence.sc and a relaxed red. The bitwise
// ones of 8 and 16 bits act on the word around the object. Floating-point max and min are integer ones, selected by the
// sign of the operand. Operations without an instruction are the loop of a fetch.
import cudax.sync;
#include "kernel.hpp"

KERNEL(store_add_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_u32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_add_s32)(s32* object, s32 value) { atomic_ref<s32, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_s32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_add_u64)(u64* object, u64 value) { atomic_ref<u64, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_u64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_add_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_s64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_add_f32)(f32* object, f32 value) { atomic_ref<f32, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_f32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.f32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_add_f64)(f64* object, f64 value) { atomic_ref<f64, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_f64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.f64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_add_pointer)(f32** object, s64 value) { atomic_ref<f32*, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_sub_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store_sub(value, ORDER); }
// CHECK-LABEL: .entry store_sub_u32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_sub_f64)(f64* object, f64 value) { atomic_ref<f64, SCOPE>(*object).store_sub(value, ORDER); }
// CHECK-LABEL: .entry store_sub_f64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.f64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_and_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store_and(value, ORDER); }
// CHECK-LABEL: .entry store_and_u32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.and.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_and_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store_and(value, ORDER); }
// CHECK-LABEL: .entry store_and_s64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.and.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_and_u8)(u8* object, u8 value) { atomic_ref<u8, SCOPE>(*object).store_and(value, ORDER); }
// CHECK-LABEL: .entry store_and_u8(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.and.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(store_and_u16)(u16* object, u16 value) { atomic_ref<u16, SCOPE>(*object).store_and(value, ORDER); }
// CHECK-LABEL: .entry store_and_u16(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.and.b32
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(store_or_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store_or(value, ORDER); }
// CHECK-LABEL: .entry store_or_u32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.or.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_or_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store_or(value, ORDER); }
// CHECK-LABEL: .entry store_or_s64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.or.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_or_u8)(u8* object, u8 value) { atomic_ref<u8, SCOPE>(*object).store_or(value, ORDER); }
// CHECK-LABEL: .entry store_or_u8(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.or.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(store_or_u16)(u16* object, u16 value) { atomic_ref<u16, SCOPE>(*object).store_or(value, ORDER); }
// CHECK-LABEL: .entry store_or_u16(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.or.b32
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(store_xor_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store_xor(value, ORDER); }
// CHECK-LABEL: .entry store_xor_u32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.xor.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_xor_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store_xor(value, ORDER); }
// CHECK-LABEL: .entry store_xor_s64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.xor.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_xor_u8)(u8* object, u8 value) { atomic_ref<u8, SCOPE>(*object).store_xor(value, ORDER); }
// CHECK-LABEL: .entry store_xor_u8(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.xor.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(store_xor_u16)(u16* object, u16 value) { atomic_ref<u16, SCOPE>(*object).store_xor(value, ORDER); }
// CHECK-LABEL: .entry store_xor_u16(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.xor.b32
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(store_max_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store_max(value, ORDER); }
// CHECK-LABEL: .entry store_max_u32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_max_s32)(s32* object, s32 value) { atomic_ref<s32, SCOPE>(*object).store_max(value, ORDER); }
// CHECK-LABEL: .entry store_max_s32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_max_u64)(u64* object, u64 value) { atomic_ref<u64, SCOPE>(*object).store_max(value, ORDER); }
// CHECK-LABEL: .entry store_max_u64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_max_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store_max(value, ORDER); }
// CHECK-LABEL: .entry store_max_s64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_min_u32)(u32* object, u32 value) { atomic_ref<u32, SCOPE>(*object).store_min(value, ORDER); }
// CHECK-LABEL: .entry store_min_u32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_min_s32)(s32* object, s32 value) { atomic_ref<s32, SCOPE>(*object).store_min(value, ORDER); }
// CHECK-LABEL: .entry store_min_s32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_min_u64)(u64* object, u64 value) { atomic_ref<u64, SCOPE>(*object).store_min(value, ORDER); }
// CHECK-LABEL: .entry store_min_u64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_min_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store_min(value, ORDER); }
// CHECK-LABEL: .entry store_min_s64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_add_u16)(u16* object, u16 value) { atomic_ref<u16, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_u16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[RMW]][[S]].global.add.u32
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[RMW]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(store_max_f32)(f32* object, f32 value) { atomic_ref<f32, SCOPE>(*object).store_max(value, ORDER); }
// CHECK-LABEL: .entry store_max_f32(
// ATOMIC: setp.nan.f32 [[NAN:%p[0-9]+]],
// ATOMIC: selp.b32 [[BITS:%r[0-9]+]], -1, {{.*}}, [[NAN]];
// ATOMIC: setp.gt.s32 [[CLEAR:%p[0-9]+]], [[BITS]], -1;
// ATOMIC: @[[CLEAR]] bra [[SIGNED:\$L__BB[0-9_]+]];
// ATOMIC: [[SIGNED]]:
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.s32 {{.*}}, [[BITS]];
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.u32 {{.*}}, [[BITS]];
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_max_positive_f32)(f32* object) { atomic_ref<f32, SCOPE>(*object).store_max(1.5f, ORDER); }
// CHECK-LABEL: .entry store_max_positive_f32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_max_negative_f32)(f32* object) { atomic_ref<f32, SCOPE>(*object).store_max(-1.5f, ORDER); }
// CHECK-LABEL: .entry store_max_negative_f32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_max_positive_f64)(f64* object) { atomic_ref<f64, SCOPE>(*object).store_max(1.5, ORDER); }
// CHECK-LABEL: .entry store_max_positive_f64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_max_negative_f64)(f64* object) { atomic_ref<f64, SCOPE>(*object).store_max(-1.5, ORDER); }
// CHECK-LABEL: .entry store_max_negative_f64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_min_positive_f32)(f32* object) { atomic_ref<f32, SCOPE>(*object).store_min(1.5f, ORDER); }
// CHECK-LABEL: .entry store_min_positive_f32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_min_negative_f32)(f32* object) { atomic_ref<f32, SCOPE>(*object).store_min(-1.5f, ORDER); }
// CHECK-LABEL: .entry store_min_negative_f32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_min_positive_f64)(f64* object) { atomic_ref<f64, SCOPE>(*object).store_min(1.5, ORDER); }
// CHECK-LABEL: .entry store_min_positive_f64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_min_negative_f64)(f64* object) { atomic_ref<f64, SCOPE>(*object).store_min(-1.5, ORDER); }
// CHECK-LABEL: .entry store_min_negative_f64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_add_f16)(_Float16* object, _Float16 value) {
  atomic_ref<_Float16, SCOPE>(*object).store_add(value, ORDER);
}
// CHECK-LABEL: .entry store_add_f16(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.noftz.f16
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(store_add_bf16)(__bf16* object, __bf16 value) { atomic_ref<__bf16, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_bf16(
// SC:       fence.sc[[S]];
// ATOMIC70: ld.relaxed[[S]].global.b16
// ATOMIC70: atom[[SEM]][[S]].global.cas.b16
// ATOMIC90: red[[SEM]][[S]].global.add.noftz.bf16
// PLAIN:    ld.global.b16
// PLAIN:    st.global.b16

KERNEL(store_add_shared)(u32 value) { atomic_ref<u32, SCOPE>(in_shared<u32>()).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_shared(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].shared.add.u32
// PLAIN:  ld.shared.b32

KERNEL(store_sub_s64)(s64* object, s64 value) { atomic_ref<s64, SCOPE>(*object).store_sub(value, ORDER); }
// CHECK-LABEL: .entry store_sub_s64(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_sub_f32)(f32* object, f32 value) { atomic_ref<f32, SCOPE>(*object).store_sub(value, ORDER); }
// CHECK-LABEL: .entry store_sub_f32(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.f32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(store_sub_f16)(_Float16* object, _Float16 value) {
  atomic_ref<_Float16, SCOPE>(*object).store_sub(value, ORDER);
}
// CHECK-LABEL: .entry store_sub_f16(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.noftz.f16
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(store_sub_pointer)(f32** object, s64 value) { atomic_ref<f32*, SCOPE>(*object).store_sub(value, ORDER); }
// CHECK-LABEL: .entry store_sub_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_max_pointer)(f32** object, f32* value) { atomic_ref<f32*, SCOPE>(*object).store_max(value, ORDER); }
// CHECK-LABEL: .entry store_max_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_min_pointer)(f32** object, f32* value) { atomic_ref<f32*, SCOPE>(*object).store_min(value, ORDER); }
// CHECK-LABEL: .entry store_min_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_add_u8)(u8* object, u8 value) { atomic_ref<u8, SCOPE>(*object).store_add(value, ORDER); }
// CHECK-LABEL: .entry store_add_u8(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[RMW]][[S]].global.add.u32
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[RMW]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(store_max_s8)(s8* object, s8 value) { atomic_ref<s8, SCOPE>(*object).store_max(value, ORDER); }
// CHECK-LABEL: .entry store_max_s8(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[RMW]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(store_min_u16)(u16* object, u16 value) { atomic_ref<u16, SCOPE>(*object).store_min(value, ORDER); }
// CHECK-LABEL: .entry store_min_u16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[RMW]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(store_min_f64)(f64* object, f64 value) { atomic_ref<f64, SCOPE>(*object).store_min(value, ORDER); }
// CHECK-LABEL: .entry store_min_f64(
// ATOMIC: setp.nan.f64 [[NAN:%p[0-9]+]],
// ATOMIC: selp.b64 [[BITS:%rd[0-9]+]], 9223372036854775807, {{.*}}, [[NAN]];
// ATOMIC: setp.gt.s64 [[CLEAR:%p[0-9]+]], [[BITS]], -1;
// ATOMIC: @[[CLEAR]] bra [[SIGNED:\$L__BB[0-9_]+]];
// ATOMIC: [[SIGNED]]:
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.min.s64 {{.*}}, [[BITS]];
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.max.u64 {{.*}}, [[BITS]];
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(store_max_f16)(_Float16* object, _Float16 value) {
  atomic_ref<_Float16, SCOPE>(*object).store_max(value, ORDER);
}
// CHECK-LABEL: .entry store_max_f16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[RMW]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(store_fmaximum_f32)(f32* object, f32 value) { atomic_ref<f32, SCOPE>(*object).store_fmaximum(value, ORDER); }
// CHECK-LABEL: .entry store_fmaximum_f32(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[RMW]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}32
// PLAIN:  st.global.b32

KERNEL(store_fminimum_f64)(f64* object, f64 value) { atomic_ref<f64, SCOPE>(*object).store_fminimum(value, ORDER); }
// CHECK-LABEL: .entry store_fminimum_f64(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom[[RMW]][[S]].global.cas.b64
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b64
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}64
// PLAIN:  st.global.b64

KERNEL(store_fmaximum_num_f64)(f64* object, f64 value) {
  atomic_ref<f64, SCOPE>(*object).store_fmaximum_num(value, ORDER);
}
// CHECK-LABEL: .entry store_fmaximum_num_f64(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom[[RMW]][[S]].global.cas.b64
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b64
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}64
// PLAIN:  st.global.b64

KERNEL(store_fminimum_num_f32)(f32* object, f32 value) {
  atomic_ref<f32, SCOPE>(*object).store_fminimum_num(value, ORDER);
}
// CHECK-LABEL: .entry store_fminimum_num_f32(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[RMW]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}32
// PLAIN:  st.global.b32

KERNEL(store_add_atomic)(atomic<u32, SCOPE>* object) { object->store_add(1, ORDER); }
// CHECK-LABEL: .entry store_add_atomic(
// SC:     fence.sc[[S]];
// ATOMIC: red[[SEM]][[S]].global.add.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32
