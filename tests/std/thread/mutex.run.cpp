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
TEST("a mutex made with braces or by init is unlocked; a locked mutex is not available") {
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
  CHECK(m.try_lock()); // the timed locks that gave up have no effect
}
TEST("timed locks time out, immediately if no time is left") {
  gives_up<mutex<>>(test_);
  gives_up<ticket_mutex<thread_scope_block>>(test_);
}

/// Locks in every way that a mutex offers.
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
/// Locks with lock() only. In a ticket_mutex, lock() takes precedence over the timed locks, which may give up.
template <class M, thread_scope Scope> struct by_lock : by_mutex<M, Scope> {
  static constexpr unsigned ways = 1;
};

template <thread_scope S> using mutex_exclusion = exclusion<by_mutex<mutex<S>, S>>;
CONCURRENT_TEST("a mutex admits one thread at a time, with every locking function: block",
                mutex_exclusion<thread_scope_block>)
CONCURRENT_TEST("a mutex admits one thread at a time, with every locking function: cluster",
                mutex_exclusion<thread_scope_cluster>)
CONCURRENT_TEST("a mutex admits one thread at a time, with every locking function: device",
                mutex_exclusion<thread_scope_device>)
CONCURRENT_TEST("a mutex admits one thread at a time, with every locking function: system",
                mutex_exclusion<thread_scope_system>)

template <thread_scope S> using mutex_locked = exclusion<by_lock<mutex<S>, S>>;
CONCURRENT_TEST("a mutex admits one thread at a time: block", mutex_locked<thread_scope_block>)
CONCURRENT_TEST("a mutex admits one thread at a time: cluster", mutex_locked<thread_scope_cluster>)
CONCURRENT_TEST("a mutex admits one thread at a time: device", mutex_locked<thread_scope_device>)
CONCURRENT_TEST("a mutex admits one thread at a time: system", mutex_locked<thread_scope_system>)
CONCURRENT_TEST("a mutex admits one thread at a time: thread scope means the block",
                exclusion<by_lock<mutex<thread_scope_thread>, thread_scope_block>>)
CONCURRENT_TEST("a ticket mutex admits one thread at a time: thread scope means the block",
                exclusion<by_lock<ticket_mutex<thread_scope_thread>, thread_scope_block>>)

template <thread_scope S> using ticket_mutex_exclusion = exclusion<by_mutex<ticket_mutex<S>, S>>;
CONCURRENT_TEST("a ticket mutex admits one thread at a time, with every locking function: block",
                ticket_mutex_exclusion<thread_scope_block>)
CONCURRENT_TEST("a ticket mutex admits one thread at a time, with every locking function: cluster",
                ticket_mutex_exclusion<thread_scope_cluster>)
CONCURRENT_TEST("a ticket mutex admits one thread at a time, with every locking function: device",
                ticket_mutex_exclusion<thread_scope_device>)
CONCURRENT_TEST("a ticket mutex admits one thread at a time, with every locking function: system",
                ticket_mutex_exclusion<thread_scope_system>)

template <thread_scope S> using ticket_mutex_locked = exclusion<by_lock<ticket_mutex<S>, S>>;
CONCURRENT_TEST("a ticket mutex admits one thread at a time: block", ticket_mutex_locked<thread_scope_block>)
CONCURRENT_TEST("a ticket mutex admits one thread at a time: cluster", ticket_mutex_locked<thread_scope_cluster>)
CONCURRENT_TEST("a ticket mutex admits one thread at a time: device", ticket_mutex_locked<thread_scope_device>)
CONCURRENT_TEST("a ticket mutex admits one thread at a time: system", ticket_mutex_locked<thread_scope_system>)

/// Threads arrive one at a time, and lock in the same order. The mutex itself shows the arrivals: its first word counts
/// the tickets taken.
template <thread_scope Scope> struct queue {
  static constexpr thread_scope scope = Scope;
  ticket_mutex<Scope> m;
  unsigned finished;

  void run(worker me, context& test_) {
    static_assert(sizeof(m) == 8);
    auto const arrivals = [this] {
      return atomic_ref<unsigned, Scope>(*reinterpret_cast<unsigned*>(&m)).load(memory_order_relaxed);
    };
    unsigned const position = (me.rank + 5) % me.size; // differs from the order of the ranks
    AWAIT(arrivals() == position);
    m.lock();
    CHECK_EQUAL(finished, position);
    if (position == 0) {
      AWAIT(arrivals() == me.size);
      CHECK(!m.try_lock());
    }
    finished = position + 1;
    m.unlock();
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(finished, threads);
    CHECK(m.try_lock());
  }
};
CONCURRENT_TEST("a ticket mutex is locked in arrival order: block", queue<thread_scope_block>)
CONCURRENT_TEST("a ticket mutex is locked in arrival order: cluster", queue<thread_scope_cluster>)
CONCURRENT_TEST("a ticket mutex is locked in arrival order: device", queue<thread_scope_device>)
CONCURRENT_TEST("a ticket mutex is locked in arrival order: system", queue<thread_scope_system>)

/// Many threads give up on a mutex that one thread holds; then each of them locks it.
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
CONCURRENT_TEST("a thread that gives up does not affect the mutex: mutex: block", giving_up_mutex<thread_scope_block>)
CONCURRENT_TEST("a thread that gives up does not affect the mutex: mutex: cluster",
                giving_up_mutex<thread_scope_cluster>)
CONCURRENT_TEST("a thread that gives up does not affect the mutex: mutex: device", giving_up_mutex<thread_scope_device>)
CONCURRENT_TEST("a thread that gives up does not affect the mutex: mutex: system", giving_up_mutex<thread_scope_system>)
CONCURRENT_TEST("a thread that gives up does not affect the mutex: ticket_mutex: block",
                giving_up_ticket<thread_scope_block>)
CONCURRENT_TEST("a thread that gives up does not affect the mutex: ticket_mutex: cluster",
                giving_up_ticket<thread_scope_cluster>)
CONCURRENT_TEST("a thread that gives up does not affect the mutex: ticket_mutex: device",
                giving_up_ticket<thread_scope_device>)
CONCURRENT_TEST("a thread that gives up does not affect the mutex: ticket_mutex: system",
                giving_up_ticket<thread_scope_system>)

TESTS_END
