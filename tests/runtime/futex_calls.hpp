// SPDX-License-Identifier: Apache-2.0
//
// futex_calls: how this thread has slept as long as this lives. Whether a waiter was woken, and how long it would have slept
// otherwise, is seen here however loaded the machine is; the clock tells neither.
#pragma once

namespace cudax_test {

class futex_calls {
public:
  futex_calls();
  futex_calls(futex_calls const&) = delete;

  int sleeps() const;        // of a limited time
  int woken() const;         // of them, ended by somebody who notified
  long long longest() const; // nanoseconds: the largest limit
};

} // namespace cudax_test
