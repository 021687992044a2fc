// SPDX-License-Identifier: Apache-2.0
//
// [thread.condition.condvarany] condition_variable_any
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <thread_scope S> struct waiting {
  mutex<S> m;
  condition_variable_any<S> c;
};
template <thread_scope S> void times_out(context& test_) {
  auto& w = make<waiting<S>>(test_);
  unique_lock lock(w.m);
  auto const notified = [](cv_status status) { return status == cv_status::no_timeout; };
  check_gives_up(test_, [&](auto length) { return notified(w.c.wait_for(lock, length)); });
  check_gives_up_at(test_, [&](auto point) { return notified(w.c.wait_until(lock, point)); });
  auto const never = [&] { return CHECK(lock.owns_lock() && !w.m.try_lock()), false; };
  check_gives_up(test_, [&](auto length) { return w.c.wait_for(lock, length, never); });
  check_gives_up_at(test_, [&](auto point) { return w.c.wait_until(lock, point, never); });
  CHECK(lock.owns_lock() && !w.m.try_lock());
}
TEST("timed waits time out with the lock held, immediately if no time is left") {
  times_out<thread_scope_system>(test_);
  times_out<thread_scope_block>(test_);
}

TEST("a wait whose predicate is true does not wait") {
  for_each_scope([&]<thread_scope S>() {
    auto& w = make<waiting<S>>(test_);
    init(&w.c);
    unique_lock lock(w.m);
    auto const always = [] { return true; };
    w.c.wait(lock, always);
    CHECK(w.c.wait_for(lock, an_hour, always));
    CHECK(w.c.wait_until(lock, steady_clock::time_point(), always));
    w.c.notify_one(); // without a waiter it does nothing
    w.c.notify_all();
    CHECK(w.c.wait_for(lock, nanoseconds(0)) == cv_status::timeout);
    CHECK(lock.owns_lock());
  });
}

/// A lock whose unlock() lets another thread notify at once.
template <thread_scope S> struct notifying_lock {
  condition_variable_any<S>& c;
  int locks, unlocks;

  void lock() { ++locks; }
  void unlock() {
    ++unlocks;
    c.notify_one();
  }
};
TEST("a wait ends by a notification that comes before the thread blocks") {
  for_each_scope([&]<thread_scope S>() {
    auto& c = make<condition_variable_any<S>>(test_);
    init(&c);
    notifying_lock<S> lock{c, 0, 0};
    c.wait(lock);
    CHECK(c.wait_for(lock, an_hour) == cv_status::no_timeout);
    CHECK(c.wait_until(lock, steady_clock::now() + an_hour) == cv_status::no_timeout);
    CHECK_EQUAL(lock.locks, 3);
    CHECK_EQUAL(lock.unlocks, 3);
  });
}

/// At most 16 threads take turns, as every turn wakes all of them: each waits until the plain number `turn` is its own.
template <class M, thread_scope Scope, thread_scope Named = Scope> struct taking_turns {
  static constexpr thread_scope scope = Scope;
  M m;
  condition_variable_any<Named> c;
  unsigned turn;

  static constexpr unsigned rounds(unsigned threads) { return threads <= 8 ? 500 : 2; }
  static constexpr unsigned players(unsigned threads) { return threads < 16 ? threads : 16; }

  void run(worker me, context& test_) {
    unsigned const stride = me.size / players(me.size);
    if (me.rank % stride != 0 || me.rank / stride >= players(me.size)) return;
    for (unsigned round = 0; round < rounds(me.size); ++round) {
      unsigned const mine = round * players(me.size) + me.rank / stride;
      unique_lock lock(m);
      auto const is_mine = [&] { return turn == mine; };
      switch (mine % 4) {
      case 0: c.wait(lock, is_mine); break;
      case 1:
        while (!is_mine()) c.wait(lock);
        break;
      case 2: CHECK(c.wait_for(lock, an_hour, is_mine)); break;
      default: CHECK(c.wait_until(lock, steady_clock::now() + an_hour, is_mine));
      }
      CHECK_EQUAL(turn, mine);
      turn = mine + 1;
      if (mine % 2) lock.unlock(); // with the lock held, or without it
      if (mine % 3) c.notify_all();
      else c.notify_one();
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(turn, players(threads) * rounds(threads)); }
};
template <thread_scope S> using turns_mutex = taking_turns<mutex<S>, S>;
CONCURRENT_TEST("no notification is lost: block", turns_mutex<thread_scope_block>)
CONCURRENT_TEST("no notification is lost: cluster", turns_mutex<thread_scope_cluster>)
CONCURRENT_TEST("no notification is lost: device", turns_mutex<thread_scope_device>)
CONCURRENT_TEST("no notification is lost: system", turns_mutex<thread_scope_system>)
using turns_named_thread = taking_turns<mutex<thread_scope_thread>, thread_scope_block, thread_scope_thread>;
CONCURRENT_TEST("no notification is lost: thread scope means the block", turns_named_thread)
using turns_ticket = taking_turns<ticket_mutex<thread_scope_device>, thread_scope_device>;
CONCURRENT_TEST("no notification is lost: ticket_mutex: device", turns_ticket)

TESTS_END
