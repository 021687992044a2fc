// SPDX-License-Identifier: Apache-2.0
//
// floating: maximum and minimum of float and double have no instruction. They are a relaxed load and a loop on
// compare-and-swap, whose successful round has the order of the operation.
import cudax.sync;
#include "kernel.hpp"

KERNEL(fetch_max_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_f32(
// ATOMIC: ld.relaxed[[S]].global.u32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_max_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_f64(
// ATOMIC: ld.relaxed[[S]].global.u64
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_min_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_f32(
// ATOMIC: ld.relaxed[[S]].global.u32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_min_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_f64(
// ATOMIC: ld.relaxed[[S]].global.u64
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_fmaximum_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fmaximum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_f32(
// ATOMIC: ld.relaxed[[S]].global.u32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fmaximum_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fmaximum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_f64(
// ATOMIC: ld.relaxed[[S]].global.u64
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_fminimum_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fminimum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_f32(
// ATOMIC: ld.relaxed[[S]].global.u32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fminimum_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fminimum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_f64(
// ATOMIC: ld.relaxed[[S]].global.u64
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_fmaximum_num_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fmaximum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_num_f32(
// ATOMIC: ld.relaxed[[S]].global.u32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fmaximum_num_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fmaximum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_num_f64(
// ATOMIC: ld.relaxed[[S]].global.u64
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(fetch_fminimum_num_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).fetch_fminimum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_num_f32(
// ATOMIC: ld.relaxed[[S]].global.u32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(fetch_fminimum_num_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).fetch_fminimum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_num_f64(
// ATOMIC: ld.relaxed[[S]].global.u64
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64
