// SPDX-License-Identifier: Apache-2.0
//
// shared_objects: thread 0 makes the objects that all threads of a concurrent test use: a test's object in shared
// memory is a byte copy, in which no constructor has run. Include after `import cudax.sync;`.
#pragma once

#include "support/test.hpp"

namespace cudax_test {
TESTS_BEGIN

template <cudax::thread_scope Scope> struct shared_objects {
  cudax::atomic<unsigned, Scope> made;

  /// Calls `init` in thread 0. Returns true in every thread after that call; after time_limit fails the test and
  /// returns false.
  template <class F> [[nodiscard]] bool make(worker me, context& test_, F init) {
    if (me.rank == 0) {
      init();
      made.store(1, cudax::memory_order_release); // pairs with the load in are_made()
      return true;
    }
    for (poll_budget budget; !are_made();)
      if (budget.ended()) return CHECK(!"thread 0 has made the objects in time"), false;
    return true;
  }
  bool are_made() const { return made.load(cudax::memory_order_acquire) == 1; }
};

TESTS_END
} // namespace cudax_test
