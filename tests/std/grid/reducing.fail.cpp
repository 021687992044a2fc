// SPDX-License-Identifier: Apache-2.0
//
// Misuse of reductions that can be detected at compile time is rejected.
import cudax.sync;

using namespace cudax;

struct copied_by_hand {
  copied_by_hand(copied_by_hand const&) {}
};

// expected-error@*:* {{cudax.sync: reduce_state<T>: T must be trivially copyable, constructible and assignable from T const&, without const or volatile}}
static_assert(sizeof(reduce_state<int const>) != 0);
// expected-error@*:* {{cudax.sync: reduce_state<T, Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
static_assert(sizeof(reduce_state<int, thread_scope(9)>) != 0);
// expected-error@*:* {{cudax.sync: reduce_state<T, Scope, Places>: use a number of places from 1 to 2^31 - 2}}
static_assert(sizeof(reduce_state<int, thread_scope_device, 1ull << 31>) != 0);
