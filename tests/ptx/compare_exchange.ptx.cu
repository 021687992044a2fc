// SPDX-License-Identifier: Apache-2.0
//
// compare_exchange: one atom.cas of 16, 32 or 64 bits with the join of the success and the failure order, so that both
// paths have their order; seq_cst is fence.sc and an acquire atom.cas. 16 bytes are in wide_compare.ptx.cu.
//
// 8 bits: a relaxed load of the word around the object, and a loop on compare-and-swap of the word. Where the load
// returns another value than the expected one and the order acquires, an acquire load decides.
import cudax.sync;
#include "kernel.hpp"

KERNEL(compare_exchange_u8)(u8* object, u8* expected, u8 desired, bool* result) {
  *result = atomic_ref<u8, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_u8(
// SC:       fence.sc[[S]];
// ATOMIC:   ld.relaxed[[S]].global.b32
// ACQUIRES: ld.acquire[[S]].global.b32
// ATOMIC:   atom[[SEM]][[S]].global.cas.b32
// PLAIN:    ld.global.b8
// PLAIN:    ld.global.b8
// PLAIN:    st.global.b8

KERNEL(compare_exchange_bool)(bool* object, bool* expected, bool desired, bool* result) {
  *result = atomic_ref<bool, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_bool(
// SC:       fence.sc[[S]];
// ATOMIC:   ld.relaxed[[S]].global.b32
// ACQUIRES: ld.acquire[[S]].global.b32
// ATOMIC:   atom[[SEM]][[S]].global.cas.b32
// PLAIN:    ld.global.b8
// PLAIN:    ld.global.b8
// PLAIN:    st.global.b8

KERNEL(compare_exchange_u16)(u16* object, u16* expected, u16 desired, bool* result) {
  *result = atomic_ref<u16, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_u16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b16
// PLAIN:  ld.global.b16
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

KERNEL(compare_exchange_u32)(u32* object, u32* expected, u32 desired, bool* result) {
  *result = atomic_ref<u32, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(compare_exchange_u64)(u64* object, u64* expected, u64 desired, bool* result) {
  *result = atomic_ref<u64, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_u64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(compare_exchange_f32)(f32* object, f32* expected, f32 desired, bool* result) {
  *result = atomic_ref<f32, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(compare_exchange_f64)(f64* object, f64* expected, f64 desired, bool* result) {
  *result = atomic_ref<f64, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(compare_exchange_pointer)(f32** object, f32** expected, f32* desired, bool* result) {
  *result = atomic_ref<f32*, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// PLAIN:  ld.global.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(compare_exchange_weak_u32)(u32* object, u32* expected, u32 desired, bool* result) {
  *result = atomic_ref<u32, SCOPE>(*object).compare_exchange_weak(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_weak_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(compare_exchange_shared)(u32* expected, bool* result) {
  *result = atomic_ref<u32, SCOPE>(in_shared<u32>()).compare_exchange_strong(*expected, 1, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_shared(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].shared.cas.b32
// PLAIN:  ld.shared.b32

KERNEL(compare_exchange_weak_u8)(u8* object, u8* expected, u8 desired, bool* result) {
  *result = atomic_ref<u8, SCOPE>(*object).compare_exchange_weak(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_weak_u8(
// SC:       fence.sc[[S]];
// ATOMIC:   ld.relaxed[[S]].global.b32
// ACQUIRES: ld.acquire[[S]].global.b32
// ATOMIC:   atom[[SEM]][[S]].global.cas.b32
// PLAIN:    ld.global.b8
// PLAIN:    ld.global.b8
// PLAIN:    st.global.b8

KERNEL(compare_exchange_f16)(_Float16* object, _Float16* expected, _Float16 desired, bool* result) {
  *result = atomic_ref<_Float16, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_f16(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b16
// PLAIN:  ld.global.b16
// PLAIN:  ld.global.b16
// PLAIN:  st.global.b16

// Where only padding differs, once more with the padding that was found.
KERNEL(compare_exchange_padded)(padded* object, padded* expected, padded desired, bool* result) {
  *result = atomic_ref<padded, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_padded(
// ATOMIC: [[AGAIN:\$L__BB[0-9_]+]]:
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b64
// ATOMIC: bra{{.*}}[[AGAIN]];
