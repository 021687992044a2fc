// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.operations] A constant memory order that an operation does not allow is rejected at compile time.
#include <atomic>
import cudax.sync;

using namespace cudax;

constexpr auto no_order = memory_order(9);

void loads(atomic<int>& a, atomic_ref<long> r, atomic_flag& f, memory_order known_later) {
  a.load(memory_order_release);                 // expected-error {{cudax.sync: a load, a wait or a failed compare_exchange cannot release; use relaxed, acquire or seq_cst}}
  a.load(memory_order_acq_rel);                 // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  a.load(memory_order::acq_rel);                // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  a.load(std::memory_order_release);            // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  a.load(no_order);                             // expected-error {{cudax.sync: this memory order does not exist; use an enumerator of cudax::memory_order}}
  r.load(memory_order_release);                 // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  f.test(memory_order_acq_rel);                 // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  atomic_load_explicit(&a, memory_order_release);       // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  atomic_flag_test_explicit(&f, memory_order_release);  // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  a.load(known_later);                          // stops at run time: misuse.death.cpp
}

void stores(atomic<int>& a, atomic_ref<long> r, atomic_flag& f) {
  a.store(1, memory_order_acquire);             // expected-error {{cudax.sync: a store or a reduction cannot acquire; use relaxed, release or seq_cst}}
  a.store(1, memory_order_consume);             // expected-error {{a store or a reduction cannot acquire}}
  a.store(1, memory_order_acq_rel);             // expected-error {{a store or a reduction cannot acquire}}
  a.store(1, std::memory_order_acquire);        // expected-error {{a store or a reduction cannot acquire}}
  a.store(1, no_order);                         // expected-error {{this memory order does not exist}}
  r.store(1, memory_order_acquire);             // expected-error {{a store or a reduction cannot acquire}}
  f.clear(memory_order_acquire);                // expected-error {{a store or a reduction cannot acquire}}
  atomic_store_explicit(&a, 1, memory_order_acquire);   // expected-error {{a store or a reduction cannot acquire}}
  atomic_flag_clear_explicit(&f, memory_order_acq_rel); // expected-error {{a store or a reduction cannot acquire}}
}

void reductions(atomic<int>& a, atomic_ref<float> r) {
  a.store_add(1, memory_order_acquire);         // expected-error {{a store or a reduction cannot acquire}}
  a.store_or(1, memory_order_acq_rel);          // expected-error {{a store or a reduction cannot acquire}}
  a.store_max(1, no_order);                     // expected-error {{this memory order does not exist}}
  r.store_fminimum(1, memory_order_acquire);    // expected-error {{a store or a reduction cannot acquire}}
  atomic_store_add_explicit(&a, 1, memory_order_acquire); // expected-error {{a store or a reduction cannot acquire}}
}

void compare_exchanges(atomic<int>& a, atomic_ref<long> r, int& i, long& l) {
  a.compare_exchange_strong(i, 1, memory_order_seq_cst, memory_order_release); // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  a.compare_exchange_weak(i, 1, memory_order_acq_rel, memory_order_acq_rel);   // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  a.compare_exchange_weak(i, 1, no_order, memory_order_relaxed);               // expected-error {{this memory order does not exist}}
  a.compare_exchange_weak(i, 1, memory_order_relaxed, no_order);               // expected-error {{this memory order does not exist}}
  r.compare_exchange_weak(l, 1, memory_order_relaxed, memory_order_release);   // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  r.compare_exchange_strong(l, 1, no_order);                                   // expected-error {{this memory order does not exist}}
  atomic_compare_exchange_strong_explicit(&a, &i, 1, memory_order_relaxed, memory_order_acq_rel); // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
}

void read_modify_writes(atomic<int>& a, atomic_ref<long> r, atomic_flag& f) {
  a.exchange(1, no_order);                      // expected-error {{this memory order does not exist}}
  r.fetch_add(1, no_order);                     // expected-error {{this memory order does not exist}}
  f.test_and_set(no_order);                     // expected-error {{this memory order does not exist}}
  a.fetch_add(1, 2);                            // expected-error {{no matching member function for call to 'fetch_add'}}
  a.load(__ATOMIC_ACQUIRE);                     // expected-error {{no viable conversion from 'int' to 'load_order'}}
}

void waits(atomic<int> const& a, atomic_ref<long> r, atomic_flag const& f) {
  a.wait(1, memory_order_release);              // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  r.wait(1, memory_order_acq_rel);              // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  f.wait(true, memory_order_release);           // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  bool const changed = a.try_wait(1, memory_order_release); // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  bool const in_time = a.wait_for(1, nanoseconds(1), memory_order_release); // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  bool const by_then = r.wait_until(1, steady_clock::now(), memory_order_release); // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  atomic_wait_explicit(&a, 1, memory_order_release); // expected-error {{a load, a wait or a failed compare_exchange cannot release}}
  (void)changed, (void)in_time, (void)by_then;
}

void fences() {
  atomic_thread_fence(no_order);                // expected-error {{this memory order does not exist}}
  atomic_signal_fence(no_order);                // expected-error {{this memory order does not exist}}
  atomic_thread_fence(6);                       // expected-error {{no matching function for call to 'atomic_thread_fence'}}
}
