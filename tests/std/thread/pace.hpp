// SPDX-License-Identifier: Apache-2.0
//
// pace: how long the threads of a test take, and wait at most. Include after `import cudax.sync;`.
#pragma once

#include "support/test.hpp"

#include <chrono>

namespace cudax_test {
TESTS_BEGIN

inline constexpr std::chrono::hours an_hour(1);

/// Takes a time that differs from thread to thread and from round to round, so that threads come in any order.
inline void dawdle(unsigned number) {
  unsigned volatile sink = 0;
  for (unsigned i = number * 2654435761u >> 26; i > 0; --i) sink = sink + 1;
}

TESTS_END
} // namespace cudax_test
