// SPDX-License-Identifier: Apache-2.0
//
// [thread.lock.unique] unique_lock, [thread.lock.shared] shared_lock, [thread.lock.algorithm] lock, try_lock
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

#include <mutex>
#include <shared_mutex>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

using std::chrono::microseconds;

/// Whether no thread holds the mutex.
template <class M> bool is_free(M& m) {
  if (!m.try_lock()) return false;
  m.unlock();
  return true;
}

template <class Lock> using mutex_of = typename Lock::mutex_type;

template <class Lock> void holds(context& test_) {
  auto& m = make<mutex_of<Lock>>(test_);
  {
    Lock lock(m);
    CHECK(lock.owns_lock() && lock && lock.mutex() == &m);
    CHECK(!is_free(m));
    lock.unlock();
    CHECK(!lock.owns_lock() && !lock && lock.mutex() == &m);
    CHECK(is_free(m));
    lock.lock();
    CHECK(!is_free(m));
  }
  CHECK(is_free(m));
  {
    Lock lock(m, defer_lock);
    CHECK(!lock && lock.mutex() == &m && is_free(m));
    CHECK(lock.try_lock() && lock && !is_free(m));
    lock.unlock();
    CHECK(lock.try_lock_for(microseconds(1)) && lock && !is_free(m));
    lock.unlock();
    CHECK(lock.try_lock_until(steady_clock::now()) && lock && !is_free(m));
  }
  CHECK(is_free(m));
  CHECK(Lock(m, try_to_lock));
  CHECK(Lock(m, microseconds(1)));
  CHECK(Lock(m, steady_clock::now()));
  CHECK(is_free(m));
  m.lock();
  CHECK(!Lock(m, try_to_lock));
  CHECK(!Lock(m, microseconds(1)));
  CHECK(!Lock(m, steady_clock::now()));
  {
    Lock lock(m, defer_lock);
    CHECK(!lock.try_lock() && !lock.try_lock_for(microseconds(1)) && !lock.try_lock_until(steady_clock::now()) &&
          !lock);
  }
  CHECK(!is_free(m)); // locks that own nothing unlock nothing
  m.unlock();
}
TEST("a lock holds its mutex from lock to unlock, or to the end of its lifetime") {
  for_each_scope([&]<thread_scope S>() {
    holds<unique_lock<mutex<S>>>(test_);
    holds<unique_lock<ticket_mutex<S>>>(test_);
    holds<unique_lock<shared_mutex<S>>>(test_);
    holds<shared_lock<shared_mutex<S>>>(test_);
  });
}

template <class M> struct two_mutexes {
  M a, b;
};
template <class Lock> void moves(context& test_) {
  auto& m = make<two_mutexes<mutex_of<Lock>>>(test_);
  Lock none;
  CHECK(!none && none.mutex() == nullptr && none.release() == nullptr);
  {
    Lock first(m.a);
    Lock second(static_cast<Lock&&>(first));
    CHECK(!first && first.mutex() == nullptr && second && second.mutex() == &m.a && !is_free(m.a));
    first = Lock(m.b);
    CHECK(first && first.mutex() == &m.b && !is_free(m.b));
    swap(first, second);
    CHECK(first.mutex() == &m.a && second.mutex() == &m.b);
    first.swap(none);
    CHECK(!first && none.mutex() == &m.a && !is_free(m.a));
    none = static_cast<Lock&&>(second); // unlocks the mutex that it held
    CHECK(is_free(m.a) && !is_free(m.b) && none.mutex() == &m.b && second.mutex() == nullptr);
    none = Lock();
    CHECK(is_free(m.b) && !none);
  }
  {
    Lock first(m.a);
    CHECK(first.release() == &m.a && !first && first.mutex() == nullptr);
  }
  CHECK(!is_free(m.a));
  { Lock const adopts(m.a, adopt_lock); }
  CHECK(is_free(m.a));
}
TEST("a lock can be moved, swapped and released") {
  moves<unique_lock<mutex<>>>(test_);
  moves<unique_lock<ticket_mutex<thread_scope_block>>>(test_);
  moves<shared_lock<shared_mutex<thread_scope_device>>>(test_);
}

TEST("shared_locks hold a mutex together, a unique_lock holds it alone") {
  auto& m = make<shared_mutex<>>(test_);
  shared_lock const first(m);
  shared_lock second(m);
  static_assert(__is_same(decltype(second), shared_lock<shared_mutex<>>));
  unique_lock alone(m, defer_lock);
  static_assert(__is_same(decltype(alone), unique_lock<shared_mutex<>>));
  CHECK(first && second && !alone.try_lock());
  second.unlock();
  CHECK(!alone.try_lock_for(microseconds(1)) && second.try_lock());
}

struct three_in_two {
  mutex<> a;
  ticket_mutex<thread_scope_device> b;
  shared_mutex<thread_scope_block> c;
};
TEST("try_lock takes all mutexes, or none and names the one that is held") {
  auto& m = make<three_in_two>(test_);
  CHECK_EQUAL(try_lock(m.a, m.b), -1);
  CHECK_EQUAL(try_lock(m.c, m.a), 1);
  CHECK(is_free(m.c));
  CHECK_EQUAL(try_lock(m.b, m.c), 0);
  CHECK(is_free(m.c));
  m.b.unlock();
  CHECK_EQUAL(try_lock(m.c, m.b, m.a), 2);
  CHECK(is_free(m.c) && is_free(m.b));
  m.a.unlock();
  CHECK_EQUAL(try_lock(m.c, m.b, m.a), -1);
  CHECK(!is_free(m.a) && !is_free(m.b) && !is_free(m.c));
}
TEST("lock takes all mutexes, and the mutexes of locks") {
  auto& m = make<three_in_two>(test_);
  lock(m.a, m.c);
  CHECK(!is_free(m.a) && !is_free(m.c) && is_free(m.b));
  m.a.unlock(), m.c.unlock();
  unique_lock a(m.a, defer_lock);
  unique_lock b(m.b, defer_lock);
  unique_lock c(m.c, defer_lock);
  lock(c, a, b);
  CHECK(a && b && c && !is_free(m.a) && !is_free(m.b) && !is_free(m.c));
  a.unlock(), b.unlock(), c.unlock();
  shared_lock reads(m.c, defer_lock);
  lock(reads, m.a);
  CHECK(reads && m.c.try_lock_shared() && !is_free(m.a));
}

/// Neighbouring threads name two mutexes in opposite order, all at once.
template <class M, thread_scope Scope> struct crossing_guards {
  static constexpr thread_scope scope = Scope;
  M a, b;
  unsigned count;

  void run(worker me, context& test_) {
    for (unsigned round = 0; round < entries(me.size); ++round) {
      unique_lock first(me.rank % 2 ? a : b, defer_lock), second(me.rank % 2 ? b : a, defer_lock);
      lock(first, second); // repeated try_lock could fail in lockstep indefinitely
      ++count;
    }
    CHECK(true);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(count, threads * entries(threads)); }
};
template <thread_scope S> using crossing_mutex = crossing_guards<mutex<S>, S>;
template <thread_scope S> using crossing_ticket = crossing_guards<ticket_mutex<S>, S>;
CONCURRENT_TEST("lock of two locks in opposite orders does not deadlock: mutex: block",
                crossing_mutex<thread_scope_block>)
CONCURRENT_TEST("lock of two locks in opposite orders does not deadlock: mutex: device",
                crossing_mutex<thread_scope_device>)
CONCURRENT_TEST("lock of two locks in opposite orders does not deadlock: mutex: system",
                crossing_mutex<thread_scope_system>)
CONCURRENT_TEST("lock of two locks in opposite orders does not deadlock: ticket_mutex: block",
                crossing_ticket<thread_scope_block>)
CONCURRENT_TEST("lock of two locks in opposite orders does not deadlock: ticket_mutex: device",
                crossing_ticket<thread_scope_device>)

TESTS_END

HOST_TEST("the locks accept mutexes of the standard library, and the standard's locks accept this library's") {
  std::timed_mutex t;
  std::shared_timed_mutex s;
  unique_lock a(t, microseconds(1));
  shared_lock b(s, std::chrono::steady_clock::now());
  CHECK(a && b && !t.try_lock() && !s.try_lock());
  shared_mutex<> mine{};
  {
    std::unique_lock const c(mine, microseconds(1));
    CHECK(c && !mine.try_lock_shared());
  }
  std::shared_lock d(mine, std::chrono::steady_clock::now());
  CHECK(d && mine.try_lock_shared());
  mutex<> m{};
  std::unique_lock e(m, std::defer_lock);
  a.unlock();
  cudax::lock(e, a);
  CHECK(e && a);
}
