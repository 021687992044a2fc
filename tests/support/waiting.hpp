// SPDX-License-Identifier: Apache-2.0
//
// waiting: what tests of blocking functions share: threads that block in the function, and a thread that unblocks them.
// Include it after `import cudax.sync;`.
#pragma once

#include "test.hpp"

namespace cudax_test {
TESTS_BEGIN

/// Waits 2 ms, so that other threads block: a waiter spins first and then parks.
inline void linger() {
  poll_budget polls;
  for (long long const end = now() + 2'000'000; now() < end;) (void)polls.ended();
}

inline constexpr long long late = time_limit; // the delay that a busy machine may add to a wait

/// Checks a function that must block for `length` nanoseconds and then return false; with 0 it must poll once.
template <class F> void check_times_out(context& test_, long long length, F waits) {
  long long const start = now();
  CHECK(!waits());
  long long const taken = now() - start;
  CHECK(taken >= length);
  CHECK(taken < length + late);
}

TESTS_END
} // namespace cudax_test
