// SPDX-License-Identifier: Apache-2.0
//
// planted: uses the library of planted.hpp, as a body of tests/std uses that of modules/.
#include "support/test.hpp"
import cudax.sync;
#include "planted.hpp"

using namespace cudax_test;

TESTS_BEGIN

/// Threads in pairs: one writes, the other one reads and answers.
template <bool Certainly> struct pairs {
  static constexpr cudax::thread_scope scope = cudax::thread_scope_device;
  static constexpr unsigned rounds = 4;
  struct pair {
    unsigned data, flag;
  };
  pair all[400];

  static bool is_published(unsigned& flag, unsigned round) {
    if constexpr (Certainly) return planted::is_published_certainly(flag, round);
    else return planted::is_published(flag, round);
  }
  void run(worker me, context& test_) {
    pair& mine = all[me.rank % (me.size / 2)];
    for (unsigned round = 1; round <= rounds; ++round) {
      if ((round % 2 == 1) == (me.rank < me.size / 2)) {
        mine.data = 10 * round;
        planted::publish(mine.flag, round);
      } else {
        AWAIT(is_published(mine.flag, round));
        CHECK_EQUAL(mine.data, 10 * round);
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < threads / 2; ++i) CHECK_EQUAL(all[i].flag, rounds);
  }
};

CONCURRENT_TEST("messages", pairs<false>)
CONCURRENT_TEST("messages with a fence that is not needed", pairs<true>)

TESTS_END
