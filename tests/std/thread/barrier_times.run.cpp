// SPDX-License-Identifier: Apache-2.0
//
// [thread.barrier] barrier: try_wait_for, try_wait_until, try_wait_parity_for, try_wait_parity_until
#include "support/test.hpp"
import cudax.sync;
#include "arriving.hpp"
#include "support/lists.hpp"
#include "support/waiting.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

namespace chrono = std::chrono;

template <class B> void check_length(context& test_, B& b, auto length, long long nanoseconds) {
  auto token = b.arrive();
  check_times_out(test_, nanoseconds, [&] { return b.try_wait_for(token, length); });
  check_times_out(test_, nanoseconds, [&] { return b.try_wait_parity_for(false, length); });
  CHECK(b.try_wait_parity_for(true, length)); // the previous phase
}

TEST("timed waits time out after their duration, not before") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 100);
    auto& b = made.object;
    check_length(test_, b, chrono::microseconds(1'500), 1'500'000);
    check_length(test_, b, chrono::duration<double>(0.001), 1'000'000);
    check_length(test_, b, chrono::duration<int, std::ratio<1, 3000>>(4), 1'333'333);
    check_length(test_, b, cudax::nanoseconds(1'100'000), 1'100'000);
  });
}

TEST("timed waits with no time left poll once") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 100);
    auto& b = made.object;
    check_length(test_, b, chrono::seconds(0), 0);
    check_length(test_, b, chrono::hours::min(), 0);
    check_length(test_, b, chrono::duration<double>(-1.0), 0);
    check_length(test_, b, chrono::duration<double>(__builtin_nan("")), 0);
    check_length(test_, b, cudax::nanoseconds(-1), 0);
  });
}

TEST("waits until a time point of any clock time out then") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 2);
    auto& b = made.object;
    auto token = b.arrive();
    auto const check = [&](auto in, long long nanoseconds) {
      check_times_out(test_, nanoseconds, [&] { return b.try_wait_until(token, in()); });
      check_times_out(test_, nanoseconds, [&] { return b.try_wait_parity_until(false, in()); });
      CHECK(b.try_wait_parity_until(true, in()));
    };
    check([] { return steady_clock::now() + chrono::microseconds(1'500); }, 1'500'000);
    check([] { return system_clock::now() + chrono::milliseconds(1); }, 1'000'000);
    check([] { return steady_clock::time_point(); }, 0);
    check([] { return steady_clock::now() - chrono::hours(1); }, 0);
  });
}

TEST("timed waits return true immediately if the phase is complete, whatever the timeout") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 1);
    auto& b = made.object;
    auto token = b.arrive();
    CHECK(b.try_wait_for(token, chrono::seconds(-1)));
    CHECK(b.try_wait_for(token, chrono::seconds(0)));
    CHECK(b.try_wait_for(token, chrono::hours::max()));
    CHECK(b.try_wait_for(token, chrono::duration<double>(__builtin_inf())));
    CHECK(b.try_wait_until(token, steady_clock::time_point()));
    CHECK(b.try_wait_parity_for(false, chrono::seconds(-1)));
    CHECK(b.try_wait_parity_for(false, chrono::hours::max()));
    CHECK(b.try_wait_parity_until(false, steady_clock::time_point()));
  });
}

/// An arrival ends waits of any duration, long before the timeout.
template <thread_scope Scope> struct released {
  static constexpr thread_scope scope = Scope;
  shared_objects<Scope> objects;
  atomic<unsigned, Scope> passed{0u};
  unsigned message;
  barrier<Scope> b;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&b, me.size); })) return;
    auto token = [&] {
      if (me.rank == 0) {
        linger();
        message = 17;
      }
      return b.arrive();
    }();
    bool over = false;
    if (me.rank % 4 == 0) over = b.try_wait_for(token, chrono::hours::max());
    if (me.rank % 4 == 1) over = b.try_wait_until(token, steady_clock::now() + an_hour);
    if (me.rank % 4 == 2) over = b.try_wait_parity_for(false, chrono::minutes(5));
    if (me.rank % 4 == 3) over = b.try_wait_parity_until(false, system_clock::now() + an_hour);
    CHECK(over);
    CHECK_EQUAL(message, 17u);
    passed.fetch_add(1);
  }
  void end() { destroy(&b); }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(passed.load(), threads); }
};
CONCURRENT_TEST("the last arrival ends timed waits: block", released<thread_scope_block>)
CONCURRENT_TEST("the last arrival ends timed waits: cluster", released<thread_scope_cluster>)
CONCURRENT_TEST("the last arrival ends timed waits: device", released<thread_scope_device>)
CONCURRENT_TEST("the last arrival ends timed waits: system", released<thread_scope_system>)

TESTS_END

HOST_TEST("try_wait_until accepts the standard's clocks on the host") {
  barrier<> b(2);
  auto token = b.arrive();
  check_times_out(test_, 1'500'000,
                  [&] { return b.try_wait_until(token, chrono::steady_clock::now() + chrono::microseconds(1'500)); });
  check_times_out(test_, 0, [&] { return b.try_wait_parity_until(false, chrono::system_clock::time_point()); });
}
