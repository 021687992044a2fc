// SPDX-License-Identifier: Apache-2.0
//
// [time.clock], [thread.thread.this] A number is not a duration. Clocks and units do not mix.
#include <chrono>
import cudax.sync;

using namespace cudax;

void numbers() {
  nanoseconds n = 5;                                          // expected-error {{no viable conversion from 'int' to 'nanoseconds'}}
  this_thread::sleep_for(5);                                  // expected-error {{no matching function for call to 'sleep_for'}}
  this_thread::sleep_for(steady_clock::now());                // expected-error {{no matching function for call to 'sleep_for'}}
  this_thread::sleep_until(nanoseconds(5));                   // expected-error {{no matching function for call to 'sleep_until'}}
  this_thread::sleep_until(sm_clock::now());                  // expected-error {{no matching function for call to 'sleep_until'}}
  auto later = steady_clock::now() + 5;                       // expected-error {{invalid operands to binary expression}}
}

void clocks() {
  steady_clock::time_point t = system_clock::now();           // expected-error {{no viable conversion}}
  bool const before = steady_clock::now() < system_clock::now(); // expected-error {{invalid operands to binary expression}}
  auto const between = steady_clock::now() - system_clock::now(); // expected-error {{invalid operands to binary expression}}
  t = steady_clock::now() + std::chrono::hours(1);
}

void units() {
  std::chrono::seconds s = nanoseconds(5);                    // expected-error {{no viable conversion from 'nanoseconds' to 'std::chrono::seconds'}}
  std::chrono::nanoseconds n = nanoseconds(5);
  std::chrono::duration<double> d = nanoseconds(5);
}
