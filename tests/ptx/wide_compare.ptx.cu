// SPDX-License-Identifier: Apache-2.0
//
// wide_compare: compare_exchange of 16 bytes, which requires sm_90: one atom.cas of 128 bits.
import cudax.sync;
#include "kernel.hpp"

KERNEL(compare_exchange_b128)(b128* object, b128* expected, b128 desired, bool* result) {
  *result = atomic_ref<b128, SCOPE>(*object).compare_exchange_strong(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_b128(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b128
// PLAIN:  ld.global.{{v2.b64|b128}}
// PLAIN:  st.global.{{v2.b64|b128}}

KERNEL(compare_exchange_weak_b128)(b128* object, b128* expected, b128 desired, bool* result) {
  *result = atomic_ref<b128, SCOPE>(*object).compare_exchange_weak(*expected, desired, ORDER);
}
// CHECK-LABEL: .entry compare_exchange_weak_b128(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.cas.b128
// PLAIN:  ld.global.{{v2.b64|b128}}
// PLAIN:  st.global.{{v2.b64|b128}}
