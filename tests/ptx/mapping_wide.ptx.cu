// SPDX-License-Identifier: Apache-2.0
//
// mapping_wide: insert_only_map with slots of 16 bytes, whose insertion requires sm_90: one atom.cas of 128 bits.
// In the text of find, the fence stands before the load that branches to it.
import cudax.sync;
#include "kernel.hpp"

namespace {
template <thread_scope Scope>
using wide = insert_only_map<u64, u64, Scope, value_hash, value_equal, 16>;
}

KERNEL(insert_wide)(wide<SCOPE> map, u64 key, u64 value, bool* full) {
  *full = map.insert(key, value) == map_insertion::full;
}
// CHECK-LABEL: .entry insert_wide(
// ATOMIC: ld.relaxed[[S]].b128
// ATOMIC: atom.release[[S]].cas.b128

KERNEL(find_wide)(wide<SCOPE> map, u64 key, u64* result) {
  u64 value;
  if (map.find(key, value)) *result = value;
}
// CHECK-LABEL: .entry find_wide(
// FENCE:     [[FENCE]];
// ATOMIC:    ld.relaxed[[S]].b128
// CHECK-NOT: ld.global
// CHECK:     st.global.b64
