// SPDX-License-Identifier: Apache-2.0
//
// [thread.thread.this] this_thread::sleep_for, sleep_until, yield
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include "support/waiting.hpp"
#include <chrono>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

namespace chrono = std::chrono;

/// Runs a function that must take at least `length` nanoseconds.
template <class F> void check_takes(context& test_, long long length, F sleeps) {
  check_times_out(test_, length, [&] { return sleeps(), false; });
}

TEST("sleep_for sleeps for at least its duration") {
  auto const check = [&](auto length, long long nanoseconds) {
    check_takes(test_, nanoseconds, [&] { this_thread::sleep_for(length); });
  };
  check(chrono::nanoseconds(1), 1);
  check(chrono::microseconds(1'500), 1'500'000);
  check(chrono::duration<signed char, std::milli>(2), 2'000'000);
  check(chrono::duration<double>(0.001), 1'000'000);
  check(chrono::duration<int, std::ratio<1, 3000>>(4), 1'333'333);
  check(cudax::nanoseconds(1'100'000), 1'100'000);
}

TEST("sleep_for with a duration of zero or less returns immediately") {
  auto const check = [&](auto length) { check_takes(test_, 0, [&] { this_thread::sleep_for(length); }); };
  check(chrono::seconds(0));
  check(chrono::hours::min());
  check(chrono::duration<double>(-1.0));
  check(chrono::duration<double>(__builtin_nan("")));
  check(cudax::nanoseconds(-1));
}

TEST("sleep_until sleeps until its time point, and returns immediately if it has passed") {
  check_takes(test_, 1'500'000, [&] { this_thread::sleep_until(steady_clock::now() + chrono::microseconds(1'500)); });
  auto const point = system_clock::now() + chrono::milliseconds(1);
  this_thread::sleep_until(point);
  CHECK(system_clock::now() >= point);
  check_takes(test_, 0, [&] { this_thread::sleep_until(steady_clock::time_point()); });
  check_takes(test_, 0, [&] { this_thread::sleep_until(steady_clock::now() - chrono::hours(1)); });
}

/// Threads that spin on each other's progress, and yield.
template <thread_scope Scope> struct yielding {
  static constexpr thread_scope scope = Scope;
  atomic<unsigned, Scope> turn{0u};

  void run(worker me, context& test_) {
    AWAIT((this_thread::yield(), turn.load() == me.rank));
    turn.fetch_add(1);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(turn.load(), threads); }
};
CONCURRENT_TEST("a thread that yields lets the thread that it waits for make progress: block",
                yielding<thread_scope_block>)
CONCURRENT_TEST("a thread that yields lets the thread that it waits for make progress: device",
                yielding<thread_scope_device>)
CONCURRENT_TEST("a thread that yields lets the thread that it waits for make progress: system",
                yielding<thread_scope_system>)

TESTS_END

HOST_TEST("sleep_until accepts the standard's clocks on the host") {
  check_takes(test_, 1'500'000,
              [] { this_thread::sleep_until(chrono::steady_clock::now() + chrono::microseconds(1'500)); });
  check_takes(test_, 0, [] { this_thread::sleep_until(chrono::system_clock::time_point()); });
}
