// SPDX-License-Identifier: Apache-2.0
//
// wide: 16 bytes, which require sm_90: one atom.exch or atom.cas of 128 bits. Before sm_90 such a program does not link
// (consumer.sh).
import cudax.sync;
#include "kernel.hpp"

KERNEL(exchange_b128)(b128* object, b128 value, b128* result) {
  *result = atomic_ref<b128, SCOPE>(*object).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_b128(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].global.exch.b128
// PLAIN:  ld.global.{{v2.b64|b128}}
// PLAIN:  st.global.{{v2.b64|b128}}

KERNEL(exchange_b128_shared)(b128 value, b128* result) {
  *result = atomic_ref<b128, SCOPE>(in_shared<b128>()).exchange(value, ORDER);
}
// CHECK-LABEL: .entry exchange_b128_shared(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[SEM]][[S]].shared.exch.b128
// PLAIN:  ld.shared.{{v2.b64|b128}}
