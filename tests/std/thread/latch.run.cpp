// SPDX-License-Identifier: Apache-2.0
//
// [thread.latch] latch
#include "support/test.hpp"
import cudax.sync;
#include "arriving.hpp"
#include "support/lists.hpp"
#include "support/waiting.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

namespace chrono = std::chrono;

TEST("a latch opens when the count reaches zero, and stays open") {
  for_each_scope([&]<thread_scope S>() {
    auto& l = make<latch<S>>(test_, 5);
    CHECK(!l.try_wait());
    l.count_down();
    l.count_down(3);
    CHECK(!l.try_wait());
    l.count_down(0);
    CHECK(!l.try_wait());
    l.arrive_and_wait();
    CHECK(l.try_wait());
    l.count_down(0);
    l.arrive_and_wait(0);
    l.wait();
    CHECK(l.try_wait());
  });
}

TEST("a latch with count 0 is open") {
  auto& l = make<latch<>>(test_, 0);
  CHECK(l.try_wait());
  l.wait();
  l.arrive_and_wait(0);
  CHECK(l.wait_for(chrono::seconds(0)));
}

TEST("a latch counts from max() down") {
  auto& l = make<latch<>>(test_, latch<>::max());
  static_assert(latch<>::max() == std::numeric_limits<std::ptrdiff_t>::max());
  l.count_down(latch<>::max() - 1);
  CHECK(!l.try_wait());
  l.count_down(1);
  CHECK(l.try_wait());
}

TEST("init sets the count of a latch, repeatedly") {
  for_each_scope([&]<thread_scope S>() {
    auto& l = make<latch<S>>(test_, 0);
    for (int count = 0; count < 3; ++count) {
      init(&l, count);
      CHECK_EQUAL(l.try_wait(), count == 0);
      l.arrive_and_wait(count);
      CHECK(l.try_wait());
    }
  });
}

TEST("this_thread is a group, which arrives once") {
  auto& l = make<latch<>>(test_, 3);
  l.count_down(this_thread);
  l.count_down(this_thread);
  CHECK(!l.try_wait());
  l.arrive_and_wait(this_thread);
  CHECK(l.try_wait());
}

TEST("timed waits time out after their duration, not before") {
  auto& l = make<latch<>>(test_, 1);
  auto const check = [&](auto length, long long nanoseconds) {
    check_times_out(test_, nanoseconds, [&] { return l.wait_for(length); });
  };
  check(chrono::microseconds(1'500), 1'500'000);
  check(chrono::duration<double>(0.001), 1'000'000);
  check(chrono::duration<int, std::ratio<1, 3000>>(4), 1'333'333);
  check(cudax::nanoseconds(1'100'000), 1'100'000);
  check_times_out(test_, 1'500'000, [&] { return l.wait_until(steady_clock::now() + chrono::microseconds(1'500)); });
  check_times_out(test_, 1'000'000, [&] { return l.wait_until(system_clock::now() + chrono::milliseconds(1)); });
}

TEST("timed waits with no time left poll once") {
  auto& closed = make<latch<>>(test_, 1);
  auto const check = [&](auto length) { check_times_out(test_, 0, [&] { return closed.wait_for(length); }); };
  check(chrono::seconds(0));
  check(chrono::hours::min());
  check(chrono::duration<double>(-1.0));
  check(chrono::duration<double>(__builtin_nan("")));
  check(cudax::nanoseconds(-1));
  check_times_out(test_, 0, [&] { return closed.wait_until(steady_clock::time_point()); });

  auto& open = make<latch<>>(test_, 0);
  CHECK(open.wait_for(chrono::seconds(-1)));
  CHECK(open.wait_for(chrono::hours::max()));
  CHECK(open.wait_until(steady_clock::time_point()));
}

/// Every thread counts down and waits, in every way, on one latch per round.
template <thread_scope Scope, thread_scope Named = Scope> struct latch_meeting {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most_rounds = rounds_of(1);
  slots data;
  shared_objects<Scope> objects;
  latch<Named> latches[most_rounds];

  void run(worker me, context& test_) {
    unsigned const rounds = rounds_of(me.size);
    if (!objects.make(me, test_, [&] {
          for (unsigned round = 0; round < rounds; ++round) init(&latches[round], 2 * std::ptrdiff_t(me.size));
        }))
      return;
    for (unsigned round = 0; round < rounds; ++round) {
      latch<Named>& l = latches[round];
      dawdle(round + me.rank);
      data.write(me, round);
      unsigned const way = (round + me.rank) % 7;
      switch (way) {
      case 0:
        l.count_down();
        l.arrive_and_wait();
        break;
      case 1: l.arrive_and_wait(2); break;
      case 2:
        l.count_down(2);
        l.wait();
        break;
      case 3:
        l.count_down(2);
        l.count_down(0);
        AWAIT(l.try_wait());
        break;
      case 4:
        l.count_down(2);
        CHECK(l.wait_for(an_hour));
        break;
      case 5:
        l.count_down(2);
        CHECK(l.wait_until(steady_clock::now() + an_hour));
        break;
      default: l.count_down(this_thread); l.arrive_and_wait(this_thread);
      }
      data.check(me, round, test_);
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned round = 0; round < rounds_of(threads); ++round) CHECK(latches[round].try_wait());
  }
};
CONCURRENT_TEST("writes before a countdown are visible after the wait: block", latch_meeting<thread_scope_block>)
CONCURRENT_TEST("writes before a countdown are visible after the wait: cluster", latch_meeting<thread_scope_cluster>)
CONCURRENT_TEST("writes before a countdown are visible after the wait: device", latch_meeting<thread_scope_device>)
CONCURRENT_TEST("writes before a countdown are visible after the wait: system", latch_meeting<thread_scope_system>)
CONCURRENT_TEST("writes before a countdown are visible after the wait: thread scope means the block",
                latch_meeting<thread_scope_block, thread_scope_thread>)

/// The lanes of a warp arrive and wait together: with equal updates, with different ones, and at two latches of which
/// the second one opens only if threads have passed the first one.
template <thread_scope Scope> struct latch_together {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most_rounds = rounds_of(1);
  slots data;
  shared_objects<Scope> objects;
  latch<Scope> equal[most_rounds], different[most_rounds], first[most_rounds], second[most_rounds];

  static unsigned update(unsigned rank) { return rank % 3; }

  void run(worker me, context& test_) {
    unsigned const rounds = rounds_of(me.size) / 3 * 3;
    if (!objects.make(me, test_, [&] {
          unsigned sum = 0;
          for (unsigned rank = 0; rank < me.size; ++rank) sum += update(rank);
          for (unsigned round = 0; round < rounds; ++round) {
            init(&equal[round], 2 * std::ptrdiff_t(me.size));
            init(&different[round], sum);
            init(&first[round], (me.size + 1) / 2);
            init(&second[round], me.size);
          }
        }))
      return;
    for (unsigned round = 0; round < rounds; ++round) {
      data.write(me, round);
      bool const passes_first = me.rank % 2 == 0;
      if (round % 3 == 1) different[round].arrive_and_wait(update(me.rank));
      else if (round % 3 == 2) {
        latch<Scope>& mine = passes_first ? first[round] : second[round];
        mine.arrive_and_wait();
        if (passes_first) second[round].arrive_and_wait();
      }
      if (round % 3 != 2) equal[round].arrive_and_wait(2);
      data.check(me, round, test_);
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned round = 0; round < rounds_of(threads) / 3 * 3; ++round)
      CHECK((round % 3 == 2 ? second : equal)[round].try_wait());
  }
};
CONCURRENT_TEST("lanes that arrive together: block", latch_together<thread_scope_block>)
CONCURRENT_TEST("lanes that arrive together: device", latch_together<thread_scope_device>)
CONCURRENT_TEST("lanes that arrive together: system", latch_together<thread_scope_system>)

/// Late threads find the latch open. A thread that never counts down waits, too.
template <thread_scope Scope> struct latch_released {
  static constexpr thread_scope scope = Scope;
  latch<Scope> gate{1};
  latch<Scope> finished{0};
  unsigned message;
  atomic<unsigned, Scope> passed{0u};

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      linger();
      message = 17;
      gate.count_down();
    } else if (me.rank % 2) {
      gate.wait();
    } else {
      CHECK(gate.wait_for(an_hour));
    }
    finished.wait();
    CHECK_EQUAL(message, 17u);
    passed.fetch_add(1);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(passed.load(), threads); }
};
CONCURRENT_TEST("one countdown releases every waiter: block", latch_released<thread_scope_block>)
CONCURRENT_TEST("one countdown releases every waiter: cluster", latch_released<thread_scope_cluster>)
CONCURRENT_TEST("one countdown releases every waiter: device", latch_released<thread_scope_device>)
CONCURRENT_TEST("one countdown releases every waiter: system", latch_released<thread_scope_system>)

TESTS_END
