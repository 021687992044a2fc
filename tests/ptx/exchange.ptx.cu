// SPDX-License-Identifier: Apache-2.0
//
// exchange: one atom.exch of 32 or 64 bits; seq_cst is fence.sc and an acquire one. 8 and 16 bits are in
// subword.ptx.cu, 16 bytes in wide.ptx.cu.
import cudax.sync;
#include "kernel.hpp"

KERNEL(exchange_u32)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_u32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(exchange_u64)(u64* object, u64 value, u64* result) {
  *result = atomic_ref<u64, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_u64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(exchange_f32)(f32* object, f32 value, f32* result) {
  *result = atomic_ref<f32, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_f32(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(exchange_f64)(f64* object, f64 value, f64* result) {
  *result = atomic_ref<f64, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_f64(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(exchange_pointer)(f32** object, f32* value, f32** result) {
  *result = atomic_ref<f32*, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_pointer(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b64
// PLAIN:  ld.global.b64
// PLAIN:  st.global.b64

KERNEL(flag_test_and_set)(basic_atomic_flag<SCOPE>* object, bool* result) { *result = object->test_and_set(ORDER); }
// CHECK-LABEL: .entry flag_test_and_set(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(exchange_shared)(u32* result) { *result = atomic_ref<u32, SCOPE>(in_shared<u32>()).exchange(1, ORDER); }
// CHECK-LABEL: .entry exchange_shared(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].shared.exch.b32
// PLAIN:  ld.shared.b32

KERNEL(exchange_atomic)(atomic<u32, SCOPE>* object, u32* result) { *result = object->exchange(1, ORDER); }
// CHECK-LABEL: .entry exchange_atomic(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(exchange_function)(atomic<u32, SCOPE>* object, u32* result) {
  *result = atomic_exchange_explicit(object, 1, ORDER);
}
// CHECK-LABEL: .entry exchange_function(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

KERNEL(flag_test_and_set_function)(basic_atomic_flag<SCOPE>* object, bool* result) {
  *result = atomic_flag_test_and_set_explicit(object, ORDER);
}
// CHECK-LABEL: .entry flag_test_and_set_function(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32

// Neither plain store may be dropped for the other, as it could be with nothing between them.
KERNEL(data_around_exchange)(u32* data, u32* object, u32* result) {
  *data = 1;
  *result = atomic_ref<u32, SCOPE>(*object).exchange(2, ORDER);
  *data = 3;
}
// CHECK-LABEL: .entry data_around_exchange(
// ATOMIC: st.global.b32 {{.*}}, 1;
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// CHECK:  st.global.b32 {{.*}}, 3;
