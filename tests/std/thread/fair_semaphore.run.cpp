// SPDX-License-Identifier: Apache-2.0
//
// Extension of [thread.sema] fair_semaphore
#include "support/test.hpp"
import cudax.sync;
#include "semaphores.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

static_assert(fair_semaphore<>::max() >= 0x7fff'ffff);

TEST("a fair semaphore grants as many acquires as were released") {
  for_each_scope([&]<thread_scope S>() { counts_permits<fair_semaphore<S>>(test_, 5); });
}

TEST("a fair semaphore counts up to max()") {
  auto& s = make<fair_semaphore<>>(test_, 0);
  s.release(s.max());
  s.acquire();
  s.release();
  CHECK(s.try_acquire());
  init(&s, s.max());
  CHECK(s.try_acquire());
}

TEST("timed acquires of a fair semaphore time out, immediately if no time is left") {
  gives_up_acquiring<fair_semaphore<>>(test_);
}

/// Threads arrive one at a time, and enter in the same order. The semaphore itself shows the arrivals: its first word
/// counts them.
template <thread_scope Scope> struct fair_queue {
  static constexpr thread_scope scope = Scope;
  fair_semaphore<Scope> s;
  atomic<unsigned, Scope> permitted;
  atomic<unsigned, Scope> entered;

  unsigned arrivals() {
    static_assert(sizeof(s) == 8);
    return atomic_ref<unsigned, Scope>(*reinterpret_cast<unsigned*>(&s)).load(memory_order_relaxed);
  }
  void run(worker me, context& test_) {
    unsigned const others = me.size - 1;
    if (me.rank == 0) {
      AWAIT(arrivals() == others);
      for (unsigned all = 0, some = 1; all < others; some = some % 3 + 1) {
        unsigned const now = some < others - all ? some : others - all;
        all += now;
        permitted.store(all, memory_order_relaxed);
        s.release(now);
        if (all % 2) AWAIT(entered.load(memory_order_relaxed) == all);
      }
    } else {
      unsigned const position = (me.rank + 5) % others; // differs from the order of the ranks
      AWAIT(arrivals() == position);
      s.acquire();
      CHECK(position < permitted.load(memory_order_relaxed)); // no later arrival used its permission
      entered.fetch_add(1, memory_order_relaxed);
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(entered.load(), threads - 1);
    CHECK(!s.try_acquire());
  }
};
CONCURRENT_TEST("acquires are granted in arrival order: block", fair_queue<thread_scope_block>)
CONCURRENT_TEST("acquires are granted in arrival order: cluster", fair_queue<thread_scope_cluster>)
CONCURRENT_TEST("acquires are granted in arrival order: device", fair_queue<thread_scope_device>)
CONCURRENT_TEST("acquires are granted in arrival order: system", fair_queue<thread_scope_system>)

/// A thread that may give up does not overtake waiting threads.
template <thread_scope Scope> struct barging {
  static constexpr thread_scope scope = Scope;
  fair_semaphore<Scope> s;
  atomic<unsigned, Scope> entered;
  atomic<unsigned, Scope> gave_up;

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    auto const arrivals = [this] {
      return atomic_ref<unsigned, Scope>(*reinterpret_cast<unsigned*>(&s)).load(memory_order_relaxed);
    };
    if (me.rank >= half) {
      s.acquire();
      entered.fetch_add(1, memory_order_relaxed);
    } else {
      AWAIT(arrivals() == half);
      if (me.rank == 0) {
        for (unsigned i = 0; i < half; ++i) s.release();
      } else {
        for (int i = 0; i < 3; ++i) {
          CHECK(!s.try_acquire());
          CHECK(!s.try_acquire_for(std::chrono::microseconds(20)));
        }
        gave_up.fetch_add(1, memory_order_relaxed);
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(entered.load(), threads / 2);
    CHECK_EQUAL(gave_up.load(), threads / 2 - 1);
  }
};
CONCURRENT_TEST("a thread that may give up does not overtake waiting threads: block", barging<thread_scope_block>)
CONCURRENT_TEST("a thread that may give up does not overtake waiting threads: cluster", barging<thread_scope_cluster>)
CONCURRENT_TEST("a thread that may give up does not overtake waiting threads: device", barging<thread_scope_device>)
CONCURRENT_TEST("a thread that may give up does not overtake waiting threads: system", barging<thread_scope_system>)

template <thread_scope S> using fair_lock = exclusion<as_lock<fair_semaphore<S>, S>>;
CONCURRENT_TEST("a fair semaphore of 1 admits one thread at a time: block", fair_lock<thread_scope_block>)
CONCURRENT_TEST("a fair semaphore of 1 admits one thread at a time: cluster", fair_lock<thread_scope_cluster>)
CONCURRENT_TEST("a fair semaphore of 1 admits one thread at a time: device", fair_lock<thread_scope_device>)
CONCURRENT_TEST("a fair semaphore of 1 admits one thread at a time: system", fair_lock<thread_scope_system>)

CONCURRENT_TEST("writes before a release are visible after the acquire: fair: block",
                passing<fair_semaphore<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("writes before a release are visible after the acquire: fair: cluster",
                passing<fair_semaphore<thread_scope_cluster>, thread_scope_cluster>)
CONCURRENT_TEST("writes before a release are visible after the acquire: fair: device",
                passing<fair_semaphore<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("writes before a release are visible after the acquire: fair: system",
                passing<fair_semaphore<thread_scope_system>, thread_scope_system>)

CONCURRENT_TEST("one release wakes all waiters: block",
                release_of_all<fair_semaphore<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("one release wakes all waiters: cluster",
                release_of_all<fair_semaphore<thread_scope_cluster>, thread_scope_cluster>)
CONCURRENT_TEST("one release wakes all waiters: device",
                release_of_all<fair_semaphore<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("one release wakes all waiters: system",
                release_of_all<fair_semaphore<thread_scope_system>, thread_scope_system>)

CONCURRENT_TEST("no more threads than the count are inside: block",
                bounded_entry<fair_semaphore<thread_scope_block>, thread_scope_block, 3>)
CONCURRENT_TEST("no more threads than the count are inside: cluster",
                bounded_entry<fair_semaphore<thread_scope_cluster>, thread_scope_cluster, 3>)
CONCURRENT_TEST("no more threads than the count are inside: device",
                bounded_entry<fair_semaphore<thread_scope_device>, thread_scope_device, 3>)
CONCURRENT_TEST("no more threads than the count are inside: system",
                bounded_entry<fair_semaphore<thread_scope_system>, thread_scope_system, 3>)

// Thread scope is treated as block scope.
CONCURRENT_TEST("a fair semaphore of 1 admits one thread at a time: thread",
                exclusion<as_lock<fair_semaphore<thread_scope_thread>, thread_scope_block>>)
CONCURRENT_TEST("writes before a release are visible after the acquire: fair: thread",
                passing<fair_semaphore<thread_scope_thread>, thread_scope_block>)

TESTS_END
