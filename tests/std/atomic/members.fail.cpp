// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.int], [atomics.types.float], [atomics.types.pointer] A member that a value type does not have is
// rejected, with a message that names the types that have it.
import cudax.sync;

using namespace cudax;

struct point {
  short x, y;
};
enum class colour { red };
struct three_bytes {
  char at[3];
};

void arithmetic_of(atomic<bool>& b, atomic<point>& p, atomic<colour>& e, atomic<void*>& v, atomic<void (*)()>& f,
                   atomic<three_bytes>& t, atomic_ref<bool> rb, atomic_ref<point> rp) {
  b.fetch_add(true);        // expected-error {{cudax.sync: fetch_add: needs an integer other than bool, a floating-point number or a pointer to objects; use compare_exchange_weak in a loop}}
  b.fetch_sub(true);        // expected-error {{cudax.sync: fetch_sub: needs an integer other than bool, a floating-point number or a pointer to objects}}
  b.fetch_max(true);        // expected-error {{cudax.sync: fetch_max: needs an integer}}
  b.fetch_min(true);        // expected-error {{cudax.sync: fetch_min: needs an integer}}
  b.store_add(true);        // expected-error {{cudax.sync: store_add: needs an integer}}
  b.store_sub(true);        // expected-error {{cudax.sync: store_sub: needs an integer}}
  b.store_max(true);        // expected-error {{cudax.sync: store_max: needs an integer}}
  b.store_min(true);        // expected-error {{cudax.sync: store_min: needs an integer}}
  b += true;                // expected-error {{cudax.sync: operator+=: needs an integer}}
  b -= true;                // expected-error {{cudax.sync: operator-=: needs an integer}}
  p.fetch_add(point());     // expected-error {{cudax.sync: fetch_add: needs an integer}}
  e.fetch_add(colour::red); // expected-error {{cudax.sync: fetch_add: needs an integer}}
  v.fetch_add(1);           // expected-error {{cudax.sync: fetch_add: needs an integer}}
  f.fetch_add(1);           // expected-error {{cudax.sync: fetch_add: needs an integer}}
  f += 1;                   // expected-error {{cudax.sync: operator+=: needs an integer}}
  t.fetch_add({});          // expected-error {{no matching member function for call to 'fetch_add'}}
  t.fetch_add(three_bytes()); // expected-error {{cudax.sync: fetch_add: needs an integer}}
  rb.fetch_add(true, memory_order_relaxed); // expected-error {{cudax.sync: fetch_add: needs an integer}}
  rb.store_add(true);       // expected-error {{cudax.sync: store_add: needs an integer}}
  rp += point();            // expected-error {{cudax.sync: operator+=: needs an integer}}
}

void bitwise_of(atomic<bool>& b, atomic<float>& f, atomic<int*>& p, atomic_ref<double> rd) {
  b.fetch_or(true);         // expected-error {{cudax.sync: fetch_or: needs an integer other than bool; use compare_exchange_weak in a loop}}
  f.fetch_and(1.0f);        // expected-error {{cudax.sync: fetch_and: needs an integer other than bool}}
  f.fetch_xor(1.0f);        // expected-error {{cudax.sync: fetch_xor: needs an integer other than bool}}
  f.store_or(1.0f);         // expected-error {{cudax.sync: store_or: needs an integer other than bool}}
  f.store_and(1.0f);        // expected-error {{cudax.sync: store_and: needs an integer other than bool}}
  f.store_xor(1.0f);        // expected-error {{cudax.sync: store_xor: needs an integer other than bool}}
  b |= true;                // expected-error {{cudax.sync: operator|=: needs an integer other than bool}}
  b &= true;                // expected-error {{cudax.sync: operator&=: needs an integer other than bool}}
  p ^= nullptr;             // expected-error {{cudax.sync: operator^=: needs an integer other than bool}}
  rd.fetch_or(1.0);         // expected-error {{cudax.sync: fetch_or: needs an integer other than bool}}
}

void steps_of(atomic<bool>& b, atomic<float>& f, atomic<point>& p, atomic_ref<bool> rb, atomic_ref<float> rf) {
  ++b;                      // expected-error {{cudax.sync: operator++: needs an integer other than bool, a floating-point number or a pointer to objects; use compare_exchange_weak in a loop}}
  b++;                      // expected-error {{cudax.sync: operator++: needs an integer}}
  --b;                      // expected-error {{cudax.sync: operator--: needs an integer}}
  b--;                      // expected-error {{cudax.sync: operator--: needs an integer}}
  --f, f++, ++rf;           // fine, as in libcu++
  p++;                      // expected-error {{cudax.sync: operator++: needs an integer}}
  ++rb;                     // expected-error {{cudax.sync: operator++: needs an integer}}
}

void floating_of(atomic<int>& i, atomic<int*>& p, atomic_ref<unsigned> r) {
  int const before = i.fetch_fmaximum(1); // expected-error {{cudax.sync: fetch_fmaximum: needs a floating-point number; use fetch_max and fetch_min for others}}
  i.fetch_fminimum(1);      // expected-error {{cudax.sync: fetch_fminimum: needs a floating-point number}}
  i.store_fmaximum(1);      // expected-error {{cudax.sync: store_fmaximum: needs a floating-point number}}
  i.store_fminimum_num(1);  // expected-error {{cudax.sync: store_fminimum_num: needs a floating-point number}}
  p.fetch_fmaximum_num(nullptr); // expected-error {{cudax.sync: fetch_fmaximum_num: needs a floating-point number}}
  r.fetch_fminimum_num(1);  // expected-error {{cudax.sync: fetch_fminimum_num: needs a floating-point number}}
  (void)before;
}

// The contended forms lack the same, with the same sentences.
void contended_of(contended<bool>& b, contended<float>& f, contended_ref<bool> rb, contended_ref<int> ri) {
  ++b;                      // expected-error {{cudax.sync: operator++: needs an integer other than bool, a floating-point number or a pointer to objects; use compare_exchange_weak in a loop}}
  b.fetch_add(true);        // expected-error {{cudax.sync: fetch_add: needs an integer}}
  f |= 1.0f;                // expected-error {{cudax.sync: operator|=: needs an integer other than bool}}
  --rb;                     // expected-error {{cudax.sync: operator--: needs an integer}}
  ri.store_fmaximum(1);     // expected-error {{cudax.sync: store_fmaximum: needs a floating-point number}}
  --f, f++;                 // fine
}

// A requires-expression detects a missing member without an error.
template <class A>
concept adds = requires(A& a) { a.fetch_add(1); };
template <class A>
concept steps = requires(A& a) { ++a; };
static_assert(!adds<atomic<bool>>);        // the message of the member is not an error here
static_assert(!steps<atomic<bool>> && !steps<contended<bool>> && !adds<contended_ref<bool>>);
static_assert(adds<atomic<int>> && steps<atomic<int*>> && adds<atomic<float>> && steps<atomic<float>>);
static_assert(adds<atomic<bool>>);         // expected-error {{static assertion failed}}
static_assert(steps<atomic_ref<bool>>);   // expected-error {{static assertion failed}}

// Free functions call the members. The note names the line of the program.
void functions(atomic<bool>& b, atomic<float>& f) {
  // expected-error@*:* {{cudax.sync: fetch_add: needs an integer}}
  atomic_fetch_add(&b, true);  // expected-note {{'cudax::atomic_fetch_add<cudax::atomic<bool>>' requested here}}
  // expected-error@*:* {{cudax.sync: fetch_or: needs an integer other than bool}}
  atomic_fetch_or(&f, 1.0f);   // expected-note {{'cudax::atomic_fetch_or<cudax::atomic<float>>' requested here}}
  int plain = 0;
  atomic_load(&plain);         // expected-error {{no matching function for call to 'atomic_load'}}
  atomic_flag flag;
  atomic_store(&flag, true);   // expected-error {{no matching function for call to 'atomic_store'}}
  atomic_flag_clear(&b);       // expected-error {{no matching function for call to 'atomic_flag_clear'}}
}
