// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.generic], [atomics.types.generic] A const object cannot be modified, through an atomic_ref or directly.
import cudax.sync;

using namespace cudax;

void references(int const& c, float const& cf) {
  atomic_ref<int const> r(c);
  int expected = r.load();
  r.store(1);                       // expected-error {{cudax.sync: store: an atomic_ref to a const object only reads; refer to the object without const}}
  r = 1;                            // expected-error {{cudax.sync: operator=: an atomic_ref to a const object only reads}}
  r.exchange(1);                    // expected-error {{cudax.sync: exchange: an atomic_ref to a const object only reads}}
  r.compare_exchange_weak(expected, 1);   // expected-error {{cudax.sync: compare_exchange_weak: an atomic_ref to a const object only reads}}
  r.compare_exchange_strong(expected, 1); // expected-error {{cudax.sync: compare_exchange_strong: an atomic_ref to a const object only reads}}
  r.fetch_add(1);                   // expected-error {{cudax.sync: fetch_add: an atomic_ref to a const object only reads}}
  r.store_add(1);                   // expected-error {{cudax.sync: store_add: an atomic_ref to a const object only reads}}
  r.fetch_or(1);                    // expected-error {{cudax.sync: fetch_or: an atomic_ref to a const object only reads}}
  r += 1;                           // expected-error {{cudax.sync: operator+=: an atomic_ref to a const object only reads}}
  r &= 1;                           // expected-error {{cudax.sync: operator&=: an atomic_ref to a const object only reads}}
  ++r;                              // expected-error {{cudax.sync: operator++: an atomic_ref to a const object only reads}}
  r--;                              // expected-error {{cudax.sync: operator--: an atomic_ref to a const object only reads}}
  r.notify_one();                   // expected-error {{cudax.sync: notify_one: an atomic_ref to a const object only reads}}
  r.notify_all();                   // expected-error {{cudax.sync: notify_all: an atomic_ref to a const object only reads}}
  int* const address = r.address(); // expected-error {{cannot initialize a variable of type 'int *const' with an rvalue of type}}
  atomic_ref<float const>(cf).fetch_fmaximum(1); // expected-error {{cudax.sync: fetch_fmaximum: an atomic_ref to a const object only reads}}
  atomic_ref<int> drops_const(c);   // expected-error {{no matching constructor for initialization of 'atomic_ref<int>'}}
  atomic_ref<int> of_temporary(5);  // expected-error {{cudax.sync: atomic_ref: this is a temporary, perhaps made by a conversion; name an object of type T}}
}

void temporaries(int& x, long& l, atomic<int>& a) {
  atomic_ref<int> r(x);
  atomic_ref<int const> of_reference(r); // the same object
  atomic_ref<int const> of_number(5);    // expected-error {{cudax.sync: atomic_ref: this is a temporary}}
  atomic_ref<int const> of_long(l);      // expected-error {{cudax.sync: atomic_ref: this is a temporary}}
  atomic_ref<int const> of_atomic(a);    // expected-error {{cudax.sync: atomic_ref: this is a temporary}}
  atomic_ref<int> drops_const(of_reference); // expected-error {{cudax.sync: atomic_ref: this is a temporary}}
}

void objects(atomic<int> const& a, atomic_flag const& f) {
  int expected = a.load();
  a.store(1);                       // expected-error {{function is not marked const}}
  a = 1;                            // expected-error {{no viable overloaded '='}}
  a.exchange(1);                    // expected-error {{function is not marked const}}
  a.compare_exchange_weak(expected, 1); // expected-error {{no matching member function for call to 'compare_exchange_weak'}}
  a.fetch_add(1);                   // expected-error {{no matching member function for call to 'fetch_add'}}
  ++a;                              // expected-error {{cannot increment value of type 'const atomic<int>'}}
  a.notify_one();                   // expected-error {{function is not marked const}}
  *a.address() = 1;                 // expected-error {{read-only variable is not assignable}}
  f.clear();                        // expected-error {{function is not marked const}}
  f.test_and_set();                 // expected-error {{function is not marked const}}
  // expected-error@*:* {{function is not marked const}}
  atomic_store(&a, 1);              // expected-note {{'cudax::atomic_store<const cudax::atomic<int>>' requested here}}
}
