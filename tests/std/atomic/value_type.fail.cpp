// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.generic], [atomics.ref.generic] Value types that cannot be atomic are rejected, with the reason.
import cudax.sync;

using namespace cudax;

struct copied_by_hand {
  copied_by_hand();
  copied_by_hand(copied_by_hand const&);
  int value;
};
struct never_copied {
  never_copied() = default;
  never_copied(never_copied const&) = delete;
  int value;
};
struct never_assigned {
  int const value;
};
struct has_destructor {
  ~has_destructor();
  int value;
};
struct is_virtual {
  virtual void f();
};
struct three_bytes {
  char at[3];
};
struct twelve_bytes {
  int at[3];
};
struct empty_and_large {
  char at[4096];
};

// The error is in the class that is instantiated; the note names the line of the program.

// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable and not cv-qualified, and copying and assigning it must be possible [atomics.types.generic]}}
atomic<copied_by_hand>* a1 = (a1->is_lock_free(), nullptr); // expected-note {{'cudax::atomic<copied_by_hand>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<never_copied>* a2 = (a2->is_lock_free(), nullptr);   // expected-note {{'cudax::atomic<never_copied>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<never_assigned>* a3 = (a3->is_lock_free(), nullptr); // expected-note {{'cudax::atomic<never_assigned>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<has_destructor>* a4 = (a4->is_lock_free(), nullptr); // expected-note {{'cudax::atomic<has_destructor>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<is_virtual>* a5 = (a5->is_lock_free(), nullptr);     // expected-note {{'cudax::atomic<is_virtual>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<int const>* a6 = (a6->is_lock_free(), nullptr);      // expected-note {{'cudax::atomic<const int>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<int volatile>* a7 = (a7->is_lock_free(), nullptr);   // expected-note {{'cudax::atomic<volatile int>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<int&>* a8 = (a8->is_lock_free(), nullptr);           // expected-note {{'cudax::atomic<int &>' requested here}}
// expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
atomic<int[2]>* a9 = (a9->is_lock_free(), nullptr);         // expected-note {{'cudax::atomic<int[2]>' requested here}}

void references(copied_by_hand& c, three_bytes& t, twelve_bytes& w, empty_and_large& e, is_virtual& v, int (&array)[2]) {
  // expected-error@*:* {{cudax.sync: atomic_ref<T>: T must be trivially copyable, and copying and assigning it must be possible [atomics.ref.generic]}}
  atomic_ref<copied_by_hand> r1(c);  // expected-note {{'cudax::atomic_ref<copied_by_hand>' requested here}}
  // expected-error@*:* {{cudax.sync: atomic_ref<T>: T must have 1, 2, 4, 8 or 16 bytes; for another size use atomic<T>, which holds a lock beside the value}}
  atomic_ref<three_bytes> r2(t);     // expected-note {{'cudax::atomic_ref<three_bytes>' requested here}}
  // expected-error@*:* {{cudax.sync: atomic_ref<T>: T must have 1, 2, 4, 8 or 16 bytes}}
  atomic_ref<twelve_bytes> r3(w);    // expected-note {{'cudax::atomic_ref<twelve_bytes>' requested here}}
  // expected-error@*:* {{cudax.sync: atomic_ref<T>: T must have 1, 2, 4, 8 or 16 bytes}}
  atomic_ref<empty_and_large> r4(e); // expected-note {{'cudax::atomic_ref<empty_and_large>' requested here}}
  // expected-error@*:* {{cudax.sync: atomic_ref<T>: T must be trivially copyable}}
  atomic_ref<is_virtual> r5(v);      // expected-note {{'cudax::atomic_ref<is_virtual>' requested here}}
  // expected-error@*:* {{cudax.sync: atomic_ref<T>: T must be trivially copyable}}
  atomic_ref<int[2]> r6(array);      // expected-note {{'cudax::atomic_ref<int[2]>' requested here}}
}

// The contended forms: each type that is rejected gets one sentence, and no other error.
struct five_bytes {
  char at[5];
};
void contended_forms(five_bytes& t) {
  // expected-error@*:* {{cudax.sync: contended<T>: T must have 1, 2, 4, 8 or 16 bytes; for another size use atomic<T>, which holds a lock beside the value}}
  contended<three_bytes>* c1 = (c1->is_lock_free(), nullptr);  // expected-note {{'cudax::contended<three_bytes>' requested here}}
  // expected-error@*:* {{cudax.sync: atomic<T>: T must be trivially copyable}}
  contended<float[2]>* c2 = (c2->is_lock_free(), nullptr);       // expected-note {{'cudax::contended<float[2]>' requested here}}
  // expected-error@*:* {{cudax.sync: atomic_ref<T>: T must have 1, 2, 4, 8 or 16 bytes}}
  contended_ref<five_bytes> r(t); // expected-note {{'cudax::contended_ref<five_bytes>' requested here}}
}

// Padding that cannot be distinguished from the value.
struct bit_field_and_padding {
  char tag;
  int bits : 5;
};
void padding(atomic<bit_field_and_padding>& a, bit_field_and_padding expected) {
  // expected-error@*:* {{cudax.sync: atomic<T>: T has bit-fields and padding bits, which cannot be told apart; give the unused bits a name}}
  a.wait(expected);
}
