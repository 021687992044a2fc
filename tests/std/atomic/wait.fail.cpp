// SPDX-License-Identifier: Apache-2.0
//
// [atomics.wait] and P2643: times are durations and time points, and the result of a timed wait is nodiscard.
#include <chrono>
import cudax.sync;

using namespace cudax;

void times(atomic<int> const& a, atomic_ref<long> r, atomic_flag const& f) {
  bool b = a.wait_for(1, 5);                    // expected-error {{no matching member function for call to 'wait_for'}}
  b = a.wait_for(1, steady_clock::now());       // expected-error {{no matching member function for call to 'wait_for'}}
  b = a.wait_until(1, nanoseconds(5));          // expected-error {{no matching member function for call to 'wait_until'}}
  b = r.wait_until(1, std::chrono::seconds(5)); // expected-error {{no matching member function for call to 'wait_until'}}
  b = r.wait_until(1, sm_clock::now());         // expected-error {{no matching member function for call to 'wait_until'}}
  b = f.wait_for(true, 1.5);                    // expected-error {{no matching member function for call to 'wait_for'}}
  b = a.wait_for(1, std::chrono::milliseconds(5)) && r.wait_for(1, nanoseconds(5)) &&
      a.wait_until(1, steady_clock::now() + std::chrono::seconds(1));
}

void ignored(atomic<int> const& a, atomic_ref<long> r, atomic_flag const& f) {
  a.try_wait(1);                                // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  r.wait_for(1, nanoseconds(5));                // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  f.wait_until(true, steady_clock::now());      // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
}
