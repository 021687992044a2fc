// SPDX-License-Identifier: Apache-2.0
//
// [thread.mutex] mutex, ticket_mutex
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <class M> void locks_and_unlocks(context& test_) {
  auto& m = make<M>(test_);
  for (int round = 0; round < 3; ++round) {
    m.lock();
    CHECK(!m.try_lock());
    m.unlock();
    CHECK(m.try_lock());
    CHECK(!m.try_lock());
    CHECK(!m.try_lock_for(std::chrono::seconds(0)));
    m.unlock();
    CHECK(m.try_lock_for(std::chrono::seconds(-1)));
    m.unlock();
    CHECK(m.try_lock_for(std::chrono::hours::max()));
    m.unlock();
    CHECK(m.try_lock_until(steady_clock::time_point()));
    init(&m);
  }
}
TEST("a mutex that is made with braces, or by init, is free; what is locked is not") {
  for_each_scope([&]<thread_scope S>() {
    locks_and_unlocks<mutex<S>>(test_);
    locks_and_unlocks<ticket_mutex<S>>(test_);
  });
}

template <class M> void gives_up(context& test_) {
  auto& m = make<M>(test_);
  m.lock();
  check_gives_up(test_, [&](auto length) { return m.try_lock_for(length); });
  check_gives_up_at(test_, [&](auto point) { return m.try_lock_until(point); });
  m.unlock();
  CHECK(m.try_lock()); // who gave up has left nothing behind
}
TEST("timed locks give up after their time, and at once where there is none") {
  gives_up<mutex<>>(test_);
  gives_up<ticket_mutex<thread_scope_block>>(test_);
}

/// In every way in which a mutex can be locked.
template <class M, thread_scope Scope> struct by_mutex {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned ways = 4;
  using object = M;
  static void make(M& m) { init(&m); }
  static bool enter(M& m, unsigned way) {
    switch (way) {
    case 0: return m.lock(), true;
    case 1: return m.try_lock();
    case 2: return m.try_lock_for(an_hour);
    default: return m.try_lock_until(steady_clock::now() + an_hour);
    }
  }
  static void leave(M& m) { m.unlock(); }
};
/// By lock() alone, which in a ticket_mutex lets those who may give up wait.
template <class M, thread_scope Scope> struct by_lock : by_mutex<M, Scope> {
  static constexpr unsigned ways = 1;
};

template <thread_scope S> using mutex_exclusion = exclusion<by_mutex<mutex<S>, S>>;
CONCURRENT_TEST("a mutex lets one thread in at a time, whichever way it locks: block",
                mutex_exclusion<thread_scope_block>)
CONCURRENT_TEST("a mutex lets one thread in at a time, whichever way it locks: cluster",
                mutex_exclusion<thread_scope_cluster>)
CONCURRENT_TEST("a mutex lets one thread in at a time, whichever way it locks: device",
                mutex_exclusion<thread_scope_device>)
CONCURRENT_TEST("a mutex lets one thread in at a time, whichever way it locks: system",
                mutex_exclusion<thread_scope_system>)

template <thread_scope S> using mutex_locked = exclusion<by_lock<mutex<S>, S>>;
CONCURRENT_TEST("a mutex lets one thread in at a time: block", mutex_locked<thread_scope_block>)
CONCURRENT_TEST("a mutex lets one thread in at a time: cluster", mutex_locked<thread_scope_cluster>)
CONCURRENT_TEST("a mutex lets one thread in at a time: device", mutex_locked<thread_scope_device>)
CONCURRENT_TEST("a mutex lets one thread in at a time: system", mutex_locked<thread_scope_system>)
CONCURRENT_TEST("a mutex lets one thread in at a time: thread scope means the block",
                exclusion<by_lock<mutex<thread_scope_thread>, thread_scope_block>>)
CONCURRENT_TEST("a ticket mutex lets one thread in at a time: thread scope means the block",
                exclusion<by_lock<ticket_mutex<thread_scope_thread>, thread_scope_block>>)

template <thread_scope S> using ticket_mutex_exclusion = exclusion<by_mutex<ticket_mutex<S>, S>>;
CONCURRENT_TEST("a ticket mutex lets one thread in at a time, whichever way it locks: block",
                ticket_mutex_exclusion<thread_scope_block>)
CONCURRENT_TEST("a ticket mutex lets one thread in at a time, whichever way it locks: cluster",
                ticket_mutex_exclusion<thread_scope_cluster>)
CONCURRENT_TEST("a ticket mutex lets one thread in at a time, whichever way it locks: device",
                ticket_mutex_exclusion<thread_scope_device>)
CONCURRENT_TEST("a ticket mutex lets one thread in at a time, whichever way it locks: system",
                ticket_mutex_exclusion<thread_scope_system>)

template <thread_scope S> using ticket_mutex_locked = exclusion<by_lock<ticket_mutex<S>, S>>;
CONCURRENT_TEST("a ticket mutex lets one thread in at a time: block", ticket_mutex_locked<thread_scope_block>)
CONCURRENT_TEST("a ticket mutex lets one thread in at a time: cluster", ticket_mutex_locked<thread_scope_cluster>)
CONCURRENT_TEST("a ticket mutex lets one thread in at a time: device", ticket_mutex_locked<thread_scope_device>)
CONCURRENT_TEST("a ticket mutex lets one thread in at a time: system", ticket_mutex_locked<thread_scope_system>)

/// Threads come one by one, and go in the same order. That a thread has come is seen in the object: its first word is how
/// many tickets were taken.
template <thread_scope Scope> struct queue {
  static constexpr thread_scope scope = Scope;
  ticket_mutex<Scope> m;
  unsigned gone;

  void run(worker me, context& test_) {
    static_assert(sizeof(m) == 8);
    auto const come = [this] {
      return atomic_ref<unsigned, Scope>(*reinterpret_cast<unsigned*>(&m)).load(memory_order_relaxed);
    };
    unsigned const place = (me.rank + 5) % me.size; // not the order of the ranks
    AWAIT(come() == place);
    m.lock();
    CHECK_EQUAL(gone, place);
    if (place == 0) {
      AWAIT(come() == me.size);
      CHECK(!m.try_lock());
    }
    gone = place + 1;
    m.unlock();
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(gone, threads);
    CHECK(m.try_lock());
  }
};
CONCURRENT_TEST("who comes to a ticket mutex first locks first: block", queue<thread_scope_block>)
CONCURRENT_TEST("who comes to a ticket mutex first locks first: cluster", queue<thread_scope_cluster>)
CONCURRENT_TEST("who comes to a ticket mutex first locks first: device", queue<thread_scope_device>)
CONCURRENT_TEST("who comes to a ticket mutex first locks first: system", queue<thread_scope_system>)

/// Many give up on a mutex that one holds; then each gets it.
template <class M, thread_scope Scope> struct giving_up {
  static constexpr thread_scope scope = Scope;
  M m;
  atomic<unsigned, Scope> locked;
  atomic<unsigned, Scope> gave_up;
  unsigned count;

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      m.lock();
      locked.store(1, memory_order_release);
      AWAIT(gave_up.load(memory_order_relaxed) == me.size - 1);
      m.unlock();
    } else {
      AWAIT(locked.load(memory_order_acquire) == 1);
      CHECK(!m.try_lock());
      CHECK(!m.try_lock_for(std::chrono::microseconds(50)));
      CHECK(!m.try_lock_until(steady_clock::now()));
      gave_up.fetch_add(1, memory_order_relaxed);
    }
    AWAIT(m.try_lock_for(an_hour));
    ++count;
    m.unlock();
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(count, threads); }
};
template <thread_scope S> using giving_up_mutex = giving_up<mutex<S>, S>;
template <thread_scope S> using giving_up_ticket = giving_up<ticket_mutex<S>, S>;
CONCURRENT_TEST("who gives up leaves nothing behind: mutex: block", giving_up_mutex<thread_scope_block>)
CONCURRENT_TEST("who gives up leaves nothing behind: mutex: cluster", giving_up_mutex<thread_scope_cluster>)
CONCURRENT_TEST("who gives up leaves nothing behind: mutex: device", giving_up_mutex<thread_scope_device>)
CONCURRENT_TEST("who gives up leaves nothing behind: mutex: system", giving_up_mutex<thread_scope_system>)
CONCURRENT_TEST("who gives up leaves nothing behind: ticket_mutex: block", giving_up_ticket<thread_scope_block>)
CONCURRENT_TEST("who gives up leaves nothing behind: ticket_mutex: cluster", giving_up_ticket<thread_scope_cluster>)
CONCURRENT_TEST("who gives up leaves nothing behind: ticket_mutex: device", giving_up_ticket<thread_scope_device>)
CONCURRENT_TEST("who gives up leaves nothing behind: ticket_mutex: system", giving_up_ticket<thread_scope_system>)

TESTS_END
