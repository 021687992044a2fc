// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.generic], [atomics.flag], [atomics.ref.generic] Atomic objects cannot be copied, and references cannot
// be rebound.
import cudax.sync;

using namespace cudax;

struct three_bytes {
  char at[3];
};

void copies(atomic<int>& a, atomic<three_bytes>& t, atomic_flag& f, basic_atomic_flag<thread_scope_block>& bf) {
  atomic<int> copy = a;            // expected-error {{call to deleted constructor of 'atomic<int>'}}
  atomic<int> moved(static_cast<atomic<int>&&>(a)); // expected-error {{call to deleted constructor of 'atomic<int>'}}
  atomic<three_bytes> locked = t;  // expected-error {{call to deleted constructor of 'atomic<three_bytes>'}}
  atomic_flag flag = f;            // expected-error {{call to deleted constructor of 'atomic_flag'}}
  basic_atomic_flag<thread_scope_block> block_flag(bf); // expected-error {{call to deleted constructor of 'basic_atomic_flag<thread_scope_block>'}}
  atomic<long> loads_the_value(a);
  atomic<int, thread_scope_block> loads_it_too(a);
}

void assignments(atomic<int>& a, atomic<int>& b, atomic<three_bytes>& t, atomic_flag& f, atomic_flag& g, int& i, int& j) {
  a = b;                           // expected-error {{overload resolution selected deleted operator '='}}
  t = t;                           // expected-error {{overload resolution selected deleted operator '='}}
  f = g;                           // expected-error {{overload resolution selected deleted operator '='}}
  f = true;                        // expected-error {{overload resolution selected deleted operator '='}}
  atomic_ref<int> r(i), q(j);
  r = q;                           // expected-error {{overload resolution selected deleted operator '='}}
  r = q.load();
}

void by_value(atomic<int>);        // the declaration alone is valid
void calls(atomic<int>& a) {
  by_value(a);                     // expected-error {{call to deleted constructor of 'atomic<int>'}}
}

void conversions(int& i, atomic<int>& a) {
  atomic_ref<int> r = i;           // expected-error {{no viable conversion from 'int' to 'atomic_ref<int>'}}
  atomic_ref<int> of_atomic(a);    // expected-error {{cudax.sync: atomic_ref: this is a temporary, perhaps made by a conversion}}
  atomic_ref<int> of_its_value(*a.address());
  atomic_ref<int> of_nothing;      // expected-error {{no matching constructor for initialization of 'atomic_ref<int>'}}
  atomic_flag set(true);           // as in libcu++
  atomic_flag copied(set);         // expected-error {{call to deleted constructor of 'atomic_flag'}}
}
