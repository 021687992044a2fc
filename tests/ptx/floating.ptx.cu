// SPDX-License-Identifier: Apache-2.0
//
// floating: fetch_max and fetch_min of float and double are one integer instruction on the bits. The sign of the
// operand selects it: a signed one if the sign is clear, the opposite unsigned one if it is set. A constant sign leaves
// one instruction. The other maxima and minima are a relaxed load and a loop on compare-and-swap, whose successful
// round has the order of the operation.
import cudax.sync;
#include "kernel.hpp"

KERNEL(fetch_max_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_f32(
// ATOMIC: setp.nan.f32 [[NAN:%p[0-9]+]],
// ATOMIC: selp.b32 [[BITS:%r[0-9]+]], -1, {{.*}}, [[NAN]];
// ATOMIC: setp.gt.s32 [[CLEAR:%p[0-9]+]], [[BITS]], -1;
// ATOMIC: @[[CLEAR]] bra [[SIGNED:\$L__BB[0-9_]+]];
// ATOMIC: [[SIGNED]]:
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.s32 {{.*}}, [[BITS]];
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u32 {{.*}}, [[BITS]];
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_max_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_f64(
// ATOMIC: setp.nan.f64 [[NAN:%p[0-9]+]],
// ATOMIC: selp.b64 [[BITS:%rd[0-9]+]], -1, {{.*}}, [[NAN]];
// ATOMIC: setp.gt.s64 [[CLEAR:%p[0-9]+]], [[BITS]], -1;
// ATOMIC: @[[CLEAR]] bra [[SIGNED:\$L__BB[0-9_]+]];
// ATOMIC: [[SIGNED]]:
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.s64 {{.*}}, [[BITS]];
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u64 {{.*}}, [[BITS]];
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_min_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_f32(
// ATOMIC: setp.nan.f32 [[NAN:%p[0-9]+]],
// ATOMIC: selp.b32 [[BITS:%r[0-9]+]], 2147483647, {{.*}}, [[NAN]];
// ATOMIC: setp.gt.s32 [[CLEAR:%p[0-9]+]], [[BITS]], -1;
// ATOMIC: @[[CLEAR]] bra [[SIGNED:\$L__BB[0-9_]+]];
// ATOMIC: [[SIGNED]]:
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.s32 {{.*}}, [[BITS]];
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u32 {{.*}}, [[BITS]];
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_min_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_f64(
// ATOMIC: setp.nan.f64 [[NAN:%p[0-9]+]],
// ATOMIC: selp.b64 [[BITS:%rd[0-9]+]], 9223372036854775807, {{.*}}, [[NAN]];
// ATOMIC: setp.gt.s64 [[CLEAR:%p[0-9]+]], [[BITS]], -1;
// ATOMIC: @[[CLEAR]] bra [[SIGNED:\$L__BB[0-9_]+]];
// ATOMIC: [[SIGNED]]:
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.s64 {{.*}}, [[BITS]];
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u64 {{.*}}, [[BITS]];
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_max_positive_f32)(f32* object, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_max(1.5f, ORDER);
}
// CHECK-LABEL: .entry fetch_max_positive_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_max_negative_f32)(f32* object, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_max(-1.5f, ORDER);
}
// CHECK-LABEL: .entry fetch_max_negative_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_max_positive_f64)(f64* object, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_max(1.5, ORDER);
}
// CHECK-LABEL: .entry fetch_max_positive_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_max_negative_f64)(f64* object, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_max(-1.5, ORDER);
}
// CHECK-LABEL: .entry fetch_max_negative_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_min_positive_f32)(f32* object, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_min(1.5f, ORDER);
}
// CHECK-LABEL: .entry fetch_min_positive_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_min_negative_f32)(f32* object, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_min(-1.5f, ORDER);
}
// CHECK-LABEL: .entry fetch_min_negative_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_min_positive_f64)(f64* object, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_min(1.5, ORDER);
}
// CHECK-LABEL: .entry fetch_min_positive_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.min.s64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_min_negative_f64)(f64* object, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_min(-1.5, ORDER);
}
// CHECK-LABEL: .entry fetch_min_negative_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.u64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

// The operand has no effect on any value; the operation has its order.
KERNEL(fetch_max_nan_f32)(f32* object, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_max(__builtin_nanf(""), ORDER);
}
// CHECK-LABEL: .entry fetch_max_nan_f32(
// SC:     fence.sc[[S]];
// ATOMIC: mov.b32 [[NONE:%r[0-9]+]], -1;
// ATOMIC: atom[[SEM]][[S]].global.min.u32 {{.*}}, [[NONE]];

KERNEL(fetch_min_nan_f64)(f64* object, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_min(-__builtin_nan(""), ORDER);
}
// CHECK-LABEL: .entry fetch_min_nan_f64(
// SC:     fence.sc[[S]];
// ATOMIC: mov.b64 [[NONE:%rd[0-9]+]], 9223372036854775807;
// ATOMIC: atom[[SEM]][[S]].global.min.s64 {{.*}}, [[NONE]];

// The optimiser knows the sign of some operands that are not constant.
KERNEL(fetch_max_known_sign)(f32* object, u32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_max(f32(value), ORDER);
}
// CHECK-LABEL: .entry fetch_max_known_sign(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.max.s32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fmaximum_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fmaximum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_f32(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fmaximum_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fmaximum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_f64(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b64
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_fminimum_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fminimum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_f32(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fminimum_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fminimum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_f64(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b64
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_fmaximum_num_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fmaximum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_num_f32(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fmaximum_num_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fmaximum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_num_f64(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b64
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_fminimum_num_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fminimum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_num_f32(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fminimum_num_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fminimum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_num_f64(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b64
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64
