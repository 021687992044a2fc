// SPDX-License-Identifier: Apache-2.0
//
// space: one instruction with its state space where the compiler knows the space of the object. Otherwise the
// instruction is generic. Before it, local memory is queried: on all generations for what ptxas may combine and for 16
// bytes, on most for all else.
import cudax.sync;
#include "kernel.hpp"

__device__ u32 KERNEL_NAME(object, CASE);
KERNEL(device_variable)(u32* result) {
  *result = atomic_ref<u32, SCOPE>(KERNEL_NAME(object, CASE)).fetch_add(1, ORDER);
}
// CHECK-LABEL: .entry device_variable(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// PLAIN:  st.global.b32

KERNEL(element)(u32* objects, int index, u32* result) {
  *result = atomic_ref<u32, SCOPE>(objects[index]).fetch_add(1, ORDER);
}
// CHECK-LABEL: .entry element(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// PLAIN:  st.global.b32

struct KERNEL_NAME(view, CASE) {
  u32* objects;
  int index;
};
KERNEL(in_a_struct)(KERNEL_NAME(view, CASE) view, u32* result) {
  *result = atomic_ref<u32, SCOPE>(view.objects[view.index]).fetch_add(1, ORDER);
}
// CHECK-LABEL: .entry in_a_struct(
// CHECK-NOT: isspacep
// SC:     fence.sc[[S]];
// Relaxed and at the scope of the device it is an instruction of LLVM IR, which has the space (arch/sm_70/atom_add.ll).
// ATOMIC: atom[[SEM]][[S]]{{(.global)?}}.add.u32
// PLAIN:  st.global.b32

KERNEL(shared_variable)(u32* result) {
  __shared__ u32 object;
  object = 7;
  *result = atomic_ref<u32, SCOPE>(object).fetch_add(1, ORDER) + object;
}
// CHECK-LABEL: .entry shared_variable(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].shared.add.u32
// CHECK:  st.global.b32

KERNEL(shared_element)(u32* result, int index) {
  *result = atomic_ref<u32, SCOPE>((&in_shared<u32>())[index]).fetch_add(1, ORDER);
}
// CHECK-LABEL: .entry shared_element(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].shared.add.u32
// PLAIN:  st.shared.b32

// Generic from sm_90, where `.shared` of 64 bits is a loop.
KERNEL(shared_fetch_add_u64)(u64* result) { *result = atomic_ref<u64, SCOPE>(in_shared<u64>()).fetch_add(1, ORDER); }
// CHECK-LABEL: .entry shared_fetch_add_u64(
// SC:     fence.sc[[S]];
// ATOMIC70: atom[[SEM]][[S]].shared.add.u64
// ATOMIC90: atom[[SEM]][[S]].add.u64
// CHECK:  st.global.b64

KERNEL(shared_store_add_u64)() { atomic_ref<u64, SCOPE>(in_shared<u64>()).store_add(1, ORDER); }
// CHECK-LABEL: .entry shared_store_add_u64(
// SC:     fence.sc[[S]];
// ATOMIC70: red.relaxed[[S]].shared.add.u64
// ATOMIC90: red.relaxed[[S]].add.u64

KERNEL(load_in_a_struct)(KERNEL_NAME(view, CASE) view, u32* result) {
  *result = atomic_ref<u32, SCOPE>(view.objects[view.index]).load(ORDER);
}
// CHECK-LABEL: .entry load_in_a_struct(
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].global.b32
// PLAIN:  st.global.b32

KERNEL(store_in_a_struct)(KERNEL_NAME(view, CASE) view, u32 value) {
  atomic_ref<u32, SCOPE>(view.objects[view.index]).store(value, ORDER);
}
// CHECK-LABEL: .entry store_in_a_struct(
// SC:     fence.sc[[S]];
// ATOMIC: st.relaxed[[S]].global.b32
// PLAIN:  st.global.b32

KERNEL(unknown_load)(u32** objects, u32* result) { *result = atomic_ref<u32, SCOPE>(**objects).load(ORDER); }
// CHECK-LABEL: .entry unknown_load(
// LOCAL:  isspacep.local
// LOCAL:  ld.b32
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].b32
// PLAIN:  ld.b32

KERNEL(unknown_load_u8)(u8** objects, u8* result) { *result = atomic_ref<u8, SCOPE>(**objects).load(ORDER); }
// CHECK-LABEL: .entry unknown_load_u8(
// LOCAL:  isspacep.local
// LOCAL:  ld.b8
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].b8
// PLAIN:  ld.b8

KERNEL(unknown_store)(u32** objects, u32 value) { atomic_ref<u32, SCOPE>(**objects).store(value, ORDER); }
// CHECK-LABEL: .entry unknown_store(
// LOCAL:  isspacep.local
// LOCAL:  st.b32
// SC:     fence.sc[[S]];
// ATOMIC: st.relaxed[[S]].b32
// PLAIN:  st.b32

KERNEL(unknown_store_u64)(u64** objects, u64 value) { atomic_ref<u64, SCOPE>(**objects).store(value, ORDER); }
// CHECK-LABEL: .entry unknown_store_u64(
// LOCAL:  isspacep.local
// LOCAL:  st.b64
// SC:     fence.sc[[S]];
// ATOMIC: st.relaxed[[S]].b64
// PLAIN:  st.b64

KERNEL(unknown_load_b128)(b128** objects, b128* result) { *result = atomic_ref<b128, SCOPE>(**objects).load(ORDER); }
// CHECK-LABEL: .entry unknown_load_b128(
// ATOMIC: isspacep.local
// ATOMIC: ld.{{v2.b64|b128}}
// SC:     fence.sc[[S]];
// ATOMIC: ld[[SEM]][[S]].b128
// PLAIN:  ld.{{v2.b64|b128}}

// Exchange, compare-and-swap and floating-point addition: ptxas may not combine them.
KERNEL(unknown_exchange)(u32** objects, u32* result) { *result = atomic_ref<u32, SCOPE>(**objects).exchange(1, ORDER); }
// CHECK-LABEL: .entry unknown_exchange(
// LOCAL:  isspacep.local
// LOCAL:  ld.b32
// LOCAL:  st.b32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].exch.b32
// PLAIN:  ld.b32
// PLAIN:  st.b32

KERNEL(unknown_exchange_u64)(u64** objects, u64* result) {
  *result = atomic_ref<u64, SCOPE>(**objects).exchange(1, ORDER);
}
// CHECK-LABEL: .entry unknown_exchange_u64(
// LOCAL:  isspacep.local
// LOCAL:  ld.b64
// LOCAL:  st.b64
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].exch.b64
// PLAIN:  ld.b64
// PLAIN:  st.b64

KERNEL(unknown_compare_exchange)(u32** objects, u32* expected, bool* result) {
  *result = atomic_ref<u32, SCOPE>(**objects).compare_exchange_strong(*expected, 1, ORDER);
}
// CHECK-LABEL: .entry unknown_compare_exchange(
// LOCAL:  isspacep.local
// LOCAL:  ld.b32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].cas.b32
// PLAIN:  ld.b32
// CHECK:  st.global.b8

KERNEL(unknown_compare_exchange_u16)(u16** objects, u16* expected, bool* result) {
  *result = atomic_ref<u16, SCOPE>(**objects).compare_exchange_strong(*expected, 1, ORDER);
}
// CHECK-LABEL: .entry unknown_compare_exchange_u16(
// LOCAL:  isspacep.local
// LOCAL:  ld.b16
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].cas.b16
// PLAIN:  ld.b16
// CHECK:  st.global.b8

KERNEL(unknown_fetch_add_f32)(f32** objects, f32* result) {
  *result = atomic_ref<f32, SCOPE>(**objects).fetch_add(1, ORDER);
}
// CHECK-LABEL: .entry unknown_fetch_add_f32(
// LOCAL:  isspacep.local
// LOCAL:  ld.b32
// LOCAL:  st.b32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].add.f32
// PLAIN:  ld.b32
// PLAIN:  st.b32

KERNEL(unknown_store_add_f64)(f64** objects) { atomic_ref<f64, SCOPE>(**objects).store_add(1, ORDER); }
// CHECK-LABEL: .entry unknown_store_add_f64(
// LOCAL:  isspacep.local
// LOCAL:  ld.b64
// LOCAL:  st.b64
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].add.f64
// PLAIN:  ld.b64
// PLAIN:  st.b64

// Of integers it may combine the operations of a warp's lanes.
KERNEL(unknown_fetch_add)(u32** objects, u32* result) {
  *result = atomic_ref<u32, SCOPE>(**objects).fetch_add(1, ORDER);
}
// CHECK-LABEL: .entry unknown_fetch_add(
// ATOMIC: isspacep.local
// ATOMIC: ld.b32
// ATOMIC: st.b32
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].add.u32
// PLAIN:  ld.b32
// PLAIN:  st.b32

KERNEL(unknown_store_or)(u8** objects, u8 value) { atomic_ref<u8, SCOPE>(**objects).store_or(value, ORDER); }
// CHECK-LABEL: .entry unknown_store_or(
// ATOMIC: isspacep.local
// ATOMIC: ld.b8
// ATOMIC: st.b8
// SC:     fence.sc[[S]];
// ATOMIC: red.relaxed[[S]].or.b32
// PLAIN:  ld.b8
// PLAIN:  st.b8
