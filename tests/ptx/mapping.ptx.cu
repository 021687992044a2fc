// SPDX-License-Identifier: Apache-2.0
//
// mapping: insert_only_map in global memory. Four packed slots are loaded relaxed by two instructions, and by one each
// where they are not aligned to 32 bytes, or fewer are left. A slot is filled by one compare-and-swap that releases,
// and acquired by a fence only if it has the key, or if a visit finds it filled. A separate slot is reserved by a
// relaxed compare-and-swap and published by a store that releases.
import cudax.sync;
#include "kernel.hpp"

namespace {
template <thread_scope Scope>
using packed = insert_only_map<u32, u32, Scope>;
template <thread_scope Scope>
using separate = insert_only_map<u32, u32, Scope, value_hash, value_equal, 0>;
} // namespace

KERNEL(insert_packed)(packed<SCOPE> map, u32 key, u32 value, bool* full) {
  *full = map.insert(key, value) == map_insertion::full;
}
// CHECK-LABEL: .entry insert_packed(
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom.release[[S]].cas.b64
// ATOMIC: ld.relaxed[[S]].v2.b64
// ATOMIC: ld.relaxed[[S]].v2.b64
// ATOMIC: atom.release[[S]].cas.b64

KERNEL(insert_packed_relaxed)(packed<SCOPE> map, u32 key, u32 value, bool* full) {
  *full = map.try_insert(key, value, memory_order_relaxed).value == nullptr;
}
// CHECK-LABEL: .entry insert_packed_relaxed(
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom.relaxed[[S]].cas.b64
// ATOMIC: ld.relaxed[[S]].v2.b64
// ATOMIC: ld.relaxed[[S]].v2.b64
// ATOMIC: atom.relaxed[[S]].cas.b64

KERNEL(try_insert_packed)(packed<SCOPE> map, u32 key, u32 value, u32* result) {
  *result = *map.try_insert(key, value).value;
}
// CHECK-LABEL: .entry try_insert_packed(
// ATOMIC: ld.relaxed[[S]].global.b64
// ATOMIC: atom.release[[S]].cas.b64
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].v2.b64
// ATOMIC: ld.relaxed[[S]].v2.b64
// FENCE:  [[FENCE]];
// ATOMIC: atom.release[[S]].cas.b64

KERNEL(find_packed)(packed<SCOPE> map, u32 key, u32* result) {
  u32 const* const value = map.find(key);
  if (value) *result = *value;
}
// CHECK-LABEL: .entry find_packed(
// ATOMIC: ld.relaxed[[S]].global.b64
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].v2.b64
// ATOMIC: ld.relaxed[[S]].v2.b64
// FENCE:  [[FENCE]];
// CHECK:  ld.global.b32

// The value comes with the key: no second load.
KERNEL(copy_packed)(packed<SCOPE> map, u32 key, u32* result) {
  u32 value;
  if (map.find(key, value, memory_order_relaxed)) *result = value;
}
// CHECK-LABEL: .entry copy_packed(
// ATOMIC:    ld.relaxed[[S]].global.b64
// ATOMIC:    ld.relaxed[[S]].v2.b64
// ATOMIC:    ld.relaxed[[S]].v2.b64
// CHECK-NOT: ld.global
// CHECK:     st.global.b32

KERNEL(insert_separate)(separate<SCOPE> map, u32 key, u32 value, bool* full) {
  *full = map.insert(key, value) == map_insertion::full;
}
// CHECK-LABEL: .entry insert_separate(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.relaxed[[S]].cas.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];
// ATOMIC: st.release[[S]].global.b32

KERNEL(find_separate)(separate<SCOPE> map, u32 key, bool* result) { *result = map.contains(key); }
// CHECK-LABEL: .entry find_separate(
// ATOMIC: ld.relaxed[[S]].global.b32
// FENCE:  [[FENCE]];

// A visit loads each slot relaxed, and acquires only where it is filled: nothing is read of the others.
KERNEL(visit_packed)(packed<SCOPE> map, u32* result) {
  if (auto const first = map.begin(); first != map.end()) *result = (*first).value;
}
// CHECK-LABEL: .entry visit_packed(
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  setp.eq.b64 [[EMPTY:%p[0-9]+]],
// CHECK:  @[[EMPTY]] bra
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  ld.global.b32

KERNEL(visit_separate)(separate<SCOPE> map, u32* result) {
  if (auto const first = map.begin(); first != map.end()) *result = (*first).key;
}
// CHECK-LABEL: .entry visit_separate(
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  setp.eq.b32 [[EMPTY:%p[0-9]+]],
// CHECK:  @[[EMPTY]] bra
// FENCE:  [[FENCE]];
// CHECK:  ld.global.b32

// The size reads no key and no value, so it acquires nothing. LLVM unrolls its loop, and leaves the rest to a second
// one.
KERNEL(size_packed)(packed<SCOPE> map, u64* result) { *result = map.size(); }
// CHECK-LABEL: .entry size_packed(
// ATOMIC-COUNT-5: ld.relaxed[[S]].global.b64
// SM90-COUNT-4:   ld.relaxed[[S]].global.b64
