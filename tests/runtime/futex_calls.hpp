// SPDX-License-Identifier: Apache-2.0
//
// futex_calls: records how this thread sleeps during the object's lifetime: whether a waiter was woken, and how long it
// would have slept otherwise, however loaded the machine is. The clock shows neither.
#pragma once

namespace cudax_test {

class futex_calls {
public:
  futex_calls();
  futex_calls(futex_calls const&) = delete;

  int sleeps() const;        // with a timeout
  int woken() const;         // those of them that a notification ended
  long long longest() const; // the largest timeout, in nanoseconds
};

} // namespace cudax_test
