// SPDX-License-Identifier: Apache-2.0
//
// futex_calls: records how this thread sleeps and yields, and whom it wakes, during the object's lifetime: whether a
// waiter was woken, and how long it would have slept otherwise, however loaded the machine is. The clock shows neither.
#pragma once

#include <atomic>
#include <chrono>

namespace cudax_test {

class futex_calls {
public:
  futex_calls();
  futex_calls(futex_calls const&) = delete;

  int sleeps() const;        // with a timeout
  int woken() const;         // those of them that a notification ended
  long long first() const;   // the first timeout, in nanoseconds
  long long longest() const; // the largest one
  int notifications() const; // system calls that wake threads
  long wakes() const;        // how many threads they have woken
  int yields() const;

  static void count_sleeping_in(std::atomic<int>& asleep); // whether this thread sleeps now: adds 1 while it does
  static void delay_yields(std::chrono::microseconds);     // of this thread from now on, as on a busy processor
  static long long sleeps_of_all();                        // of all threads since the start of the process
};

} // namespace cudax_test
