// SPDX-License-Identifier: Apache-2.0
//
// half: __half and __nv_bfloat16. fetch_add is one atom; for bfloat16 before sm_90 it is a loop on 16-bit
// compare-and-swap.
import cudax.sync;
#include "kernel.hpp"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

KERNEL(fetch_add_f16)(__half* object, __half value, __half* result) {
  *result = atomic_ref<__half, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_f16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.noftz.f16
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(fetch_sub_f16)(__half* object, __half value, __half* result) {
  *result = atomic_ref<__half, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_f16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.noftz.f16
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(fetch_max_f16)(__half* object, __half value, __half* result) {
  *result = atomic_ref<__half, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_f16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(fetch_add_bf16)(__nv_bfloat16* object, __nv_bfloat16 value, __nv_bfloat16* result) {
  *result = atomic_ref<__nv_bfloat16, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_bf16(
// SC:       fence.sc[[S]];
// ATOMIC70: ld.relaxed[[S]].global.b16
// ATOMIC70: atom[[SEM]][[S]].global.cas.b16
// ATOMIC90: atom[[SEM]][[S]].global.add.noftz.bf16
// PLAIN:    ld.global.b16
// PLAIN:    st.global.b16

KERNEL(fetch_min_bf16)(__nv_bfloat16* object, __nv_bfloat16 value, __nv_bfloat16* result) {
  *result = atomic_ref<__nv_bfloat16, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_bf16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(fetch_min_f16)(__half* object, __half value, __half* result) {
  *result = atomic_ref<__half, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_f16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(fetch_fmaximum_f16)(__half* object, __half value, __half* result) {
  *result = atomic_ref<__half, SCOPE>(*object).fetch_fmaximum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_f16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(fetch_fminimum_num_f16)(__half* object, __half value, __half* result) {
  *result = atomic_ref<__half, SCOPE>(*object).fetch_fminimum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_num_f16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(exchange_f16)(__half* object, __half value, __half* result) {
  *result = atomic_ref<__half, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_f16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(fetch_max_bf16)(__nv_bfloat16* object, __nv_bfloat16 value, __nv_bfloat16* result) {
  *result = atomic_ref<__nv_bfloat16, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_bf16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(fetch_fminimum_bf16)(__nv_bfloat16* object, __nv_bfloat16 value, __nv_bfloat16* result) {
  *result = atomic_ref<__nv_bfloat16, SCOPE>(*object).fetch_fminimum(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fminimum_bf16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(fetch_fmaximum_num_bf16)(__nv_bfloat16* object, __nv_bfloat16 value, __nv_bfloat16* result) {
  *result = atomic_ref<__nv_bfloat16, SCOPE>(*object).fetch_fmaximum_num(value, ORDER);
}
// CHECK-LABEL: .entry fetch_fmaximum_num_bf16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(exchange_bf16)(__nv_bfloat16* object, __nv_bfloat16 value, __nv_bfloat16* result) {
  *result = atomic_ref<__nv_bfloat16, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_bf16(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}16
// PLAIN:  st.global.b16

KERNEL(fetch_sub_bf16)(__nv_bfloat16* object, __nv_bfloat16 value, __nv_bfloat16* result) {
  *result = atomic_ref<__nv_bfloat16, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_bf16(
// SC:       fence.sc[[S]];
// ATOMIC70: ld.relaxed[[S]].global.b16
// ATOMIC70: atom[[SEM]][[S]].global.cas.b16
// ATOMIC90: atom[[SEM]][[S]].global.add.noftz.bf16
// PLAIN:    ld.global.b16
// PLAIN:    st.global.b16
