// SPDX-License-Identifier: Apache-2.0
//
// subword: 8 and 16 bits. A bitwise operation is one atom on the 32-bit word around the object, and so are an addition
// in the highest part of the word and the exchange of a bool. The others are a relaxed load of the word and a
// compare-and-swap; if it fails, one lane repeats it for its peers.
import cudax.sync;
#include "kernel.hpp"

KERNEL(fetch_and_u8)(u8* object, u8 value, u8* result) {
  *result = atomic_ref<u8, SCOPE>(*object).fetch_and(value, ORDER);
}
// CHECK-LABEL: .entry fetch_and_u8(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.and.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(fetch_and_s16)(s16* object, s16 value, s16* result) {
  *result = atomic_ref<s16, SCOPE>(*object).fetch_and(value, ORDER);
}
// CHECK-LABEL: .entry fetch_and_s16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.and.b32
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(fetch_or_u8)(u8* object, u8 value, u8* result) {
  *result = atomic_ref<u8, SCOPE>(*object).fetch_or(value, ORDER);
}
// CHECK-LABEL: .entry fetch_or_u8(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.or.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(fetch_or_s16)(s16* object, s16 value, s16* result) {
  *result = atomic_ref<s16, SCOPE>(*object).fetch_or(value, ORDER);
}
// CHECK-LABEL: .entry fetch_or_s16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.or.b32
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(fetch_xor_u8)(u8* object, u8 value, u8* result) {
  *result = atomic_ref<u8, SCOPE>(*object).fetch_xor(value, ORDER);
}
// CHECK-LABEL: .entry fetch_xor_u8(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.xor.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(fetch_xor_s16)(s16* object, s16 value, s16* result) {
  *result = atomic_ref<s16, SCOPE>(*object).fetch_xor(value, ORDER);
}
// CHECK-LABEL: .entry fetch_xor_s16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.xor.b32
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(exchange_u8)(u8* object, u8 value, u8* result) {
  *result = atomic_ref<u8, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_u8(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(exchange_u16)(u16* object, u16 value, u16* result) {
  *result = atomic_ref<u16, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_u16(
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

KERNEL(exchange_bool)(bool* object, bool value, bool* result) {
  *result = atomic_ref<bool, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_bool(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.{{or|and}}.b32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.{{or|and}}.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(exchange_true)(bool* object, bool* result) { *result = atomic_ref<bool, SCOPE>(*object).exchange(true, ORDER); }
// CHECK-LABEL: .entry exchange_true(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.or.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(exchange_false)(bool* object, bool* result) {
  *result = atomic_ref<bool, SCOPE>(*object).exchange(false, ORDER);
}
// CHECK-LABEL: .entry exchange_false(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.and.b32
// PLAIN:  ld.global.b8
// PLAIN:  st.global.b8

KERNEL(fetch_add_u8)(u8* object, u8 value, u8* result) {
  *result = atomic_ref<u8, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_u8(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(fetch_add_s16)(s16* object, s16 value, s16* result) {
  *result = atomic_ref<s16, SCOPE>(*object).fetch_add(value, ORDER);
}
// CHECK-LABEL: .entry fetch_add_s16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
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

KERNEL(fetch_sub_s8)(s8* object, s8 value, s8* result) {
  *result = atomic_ref<s8, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_s8(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(fetch_max_s8)(s8* object, s8 value, s8* result) {
  *result = atomic_ref<s8, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_s8(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(fetch_min_u16)(u16* object, u16 value, u16* result) {
  *result = atomic_ref<u16, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_u16(
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

KERNEL(fetch_or_shared)(u8* result) { *result = atomic_ref<u8, SCOPE>(in_shared<u8>()).fetch_or(1, ORDER); }
// CHECK-LABEL: .entry fetch_or_shared(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].shared.or.b32
// PLAIN:  ld.shared.b8

KERNEL(fetch_min_u8)(u8* object, u8 value, u8* result) {
  *result = atomic_ref<u8, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_u8(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(fetch_sub_u16)(u16* object, u16 value, u16* result) {
  *result = atomic_ref<u16, SCOPE>(*object).fetch_sub(value, ORDER);
}
// CHECK-LABEL: .entry fetch_sub_u16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
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

KERNEL(fetch_max_s16)(s16* object, s16 value, s16* result) {
  *result = atomic_ref<s16, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_s16(
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

KERNEL(fetch_max_u8)(u8* object, u8 value, u8* result) {
  *result = atomic_ref<u8, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_u8(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(fetch_min_s8)(s8* object, s8 value, s8* result) {
  *result = atomic_ref<s8, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_s8(
// SC:     fence.sc[[S]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: activemask
// ATOMIC: match.any.sync.b64
// ATOMIC: bar.warp.sync
// ATOMIC-DAG: atom[[PEERS]][[S]].global.cas.b32
// ATOMIC-DAG: bar.warp.sync
// PLAIN:  ld.global.{{[bs]}}8
// PLAIN:  st.global.b8

KERNEL(fetch_max_u16)(u16* object, u16 value, u16* result) {
  *result = atomic_ref<u16, SCOPE>(*object).fetch_max(value, ORDER);
}
// CHECK-LABEL: .entry fetch_max_u16(
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

KERNEL(fetch_min_s16)(s16* object, s16 value, s16* result) {
  *result = atomic_ref<s16, SCOPE>(*object).fetch_min(value, ORDER);
}
// CHECK-LABEL: .entry fetch_min_s16(
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
