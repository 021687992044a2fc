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

TEST("a fair semaphore lets as many take as were released") {
  for_each_scope([&]<thread_scope S>() { counts<fair_semaphore<S>>(test_, 5); });
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

TEST("timed acquires of a fair semaphore give up after their time, and at once where there is none") {
  gives_up<fair_semaphore<>>(test_);
}

/// Threads come one by one, and go in the same order. That a thread has come is seen in the object: its first word is how
/// many have.
template <thread_scope Scope> struct queue {
  static constexpr thread_scope scope = Scope;
  fair_semaphore<Scope> s;
  atomic<unsigned, Scope> permitted;
  atomic<unsigned, Scope> gone;

  unsigned come() {
    static_assert(sizeof(s) == 8);
    return atomic_ref<unsigned, Scope>(*reinterpret_cast<unsigned*>(&s)).load(memory_order_relaxed);
  }
  void run(worker me, context& test_) {
    unsigned const others = me.size - 1;
    if (me.rank == 0) {
      AWAIT(come() == others);
      for (unsigned all = 0, some = 1; all < others; some = some % 3 + 1) {
        unsigned const now = some < others - all ? some : others - all;
        all += now;
        permitted.store(all, memory_order_relaxed);
        s.release(now);
        if (all % 2) AWAIT(gone.load(memory_order_relaxed) == all);
      }
    } else {
      unsigned const place = (me.rank + 5) % others; // not the order of the ranks
      AWAIT(come() == place);
      s.acquire();
      CHECK(place < permitted.load(memory_order_relaxed)); // none that came later had its permission
      gone.fetch_add(1, memory_order_relaxed);
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(gone.load(), threads - 1);
    CHECK(!s.try_acquire());
  }
};
CONCURRENT_TEST("who comes first goes first: block", queue<thread_scope_block>)
CONCURRENT_TEST("who comes first goes first: cluster", queue<thread_scope_cluster>)
CONCURRENT_TEST("who comes first goes first: device", queue<thread_scope_device>)
CONCURRENT_TEST("who comes first goes first: system", queue<thread_scope_system>)

/// What may give up does not go before those who wait.
template <thread_scope Scope> struct pushing {
  static constexpr thread_scope scope = Scope;
  fair_semaphore<Scope> s;
  atomic<unsigned, Scope> gone;
  atomic<unsigned, Scope> pushed;

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    auto const come = [this] {
      return atomic_ref<unsigned, Scope>(*reinterpret_cast<unsigned*>(&s)).load(memory_order_relaxed);
    };
    if (me.rank >= half) {
      s.acquire();
      gone.fetch_add(1, memory_order_relaxed);
    } else {
      AWAIT(come() == half);
      if (me.rank == 0) {
        for (unsigned i = 0; i < half; ++i) s.release();
      } else {
        for (int i = 0; i < 3; ++i) {
          CHECK(!s.try_acquire());
          CHECK(!s.try_acquire_for(std::chrono::microseconds(20)));
        }
        pushed.fetch_add(1, memory_order_relaxed);
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(gone.load(), threads / 2);
    CHECK_EQUAL(pushed.load(), threads / 2 - 1);
  }
};
CONCURRENT_TEST("a thread that may give up does not overtake: block", pushing<thread_scope_block>)
CONCURRENT_TEST("a thread that may give up does not overtake: cluster", pushing<thread_scope_cluster>)
CONCURRENT_TEST("a thread that may give up does not overtake: device", pushing<thread_scope_device>)
CONCURRENT_TEST("a thread that may give up does not overtake: system", pushing<thread_scope_system>)

template <thread_scope S> using fair_lock = exclusion<as_lock<fair_semaphore<S>, S>>;
CONCURRENT_TEST("a fair semaphore of 1 lets one thread in at a time: block", fair_lock<thread_scope_block>)
CONCURRENT_TEST("a fair semaphore of 1 lets one thread in at a time: cluster", fair_lock<thread_scope_cluster>)
CONCURRENT_TEST("a fair semaphore of 1 lets one thread in at a time: device", fair_lock<thread_scope_device>)
CONCURRENT_TEST("a fair semaphore of 1 lets one thread in at a time: system", fair_lock<thread_scope_system>)

CONCURRENT_TEST("what was written before a release is seen behind the acquire: fair: block",
                passing<fair_semaphore<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("what was written before a release is seen behind the acquire: fair: cluster",
                passing<fair_semaphore<thread_scope_cluster>, thread_scope_cluster>)
CONCURRENT_TEST("what was written before a release is seen behind the acquire: fair: device",
                passing<fair_semaphore<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("what was written before a release is seen behind the acquire: fair: system",
                passing<fair_semaphore<thread_scope_system>, thread_scope_system>)

CONCURRENT_TEST("one release lets all go: block", letting_go<fair_semaphore<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("one release lets all go: cluster",
                letting_go<fair_semaphore<thread_scope_cluster>, thread_scope_cluster>)
CONCURRENT_TEST("one release lets all go: device", letting_go<fair_semaphore<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("one release lets all go: system", letting_go<fair_semaphore<thread_scope_system>, thread_scope_system>)

CONCURRENT_TEST("no more threads are inside than the count says: block",
                crowd<fair_semaphore<thread_scope_block>, thread_scope_block, 3>)
CONCURRENT_TEST("no more threads are inside than the count says: cluster",
                crowd<fair_semaphore<thread_scope_cluster>, thread_scope_cluster, 3>)
CONCURRENT_TEST("no more threads are inside than the count says: device",
                crowd<fair_semaphore<thread_scope_device>, thread_scope_device, 3>)
CONCURRENT_TEST("no more threads are inside than the count says: system",
                crowd<fair_semaphore<thread_scope_system>, thread_scope_system, 3>)

// Thread scope means the block.
CONCURRENT_TEST("a fair semaphore of 1 lets one thread in at a time: thread",
                exclusion<as_lock<fair_semaphore<thread_scope_thread>, thread_scope_block>>)
CONCURRENT_TEST("what was written before a release is seen behind the acquire: fair: thread",
                passing<fair_semaphore<thread_scope_thread>, thread_scope_block>)

TESTS_END
