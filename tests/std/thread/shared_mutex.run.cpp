// SPDX-License-Identifier: Apache-2.0
//
// [thread.sharedmutex], [thread.sharedtimedmutex] shared_mutex
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <class M> void excludes(context& test_) {
  auto& m = make<M>(test_);
  for (int round = 0; round < 3; ++round) {
    m.lock();
    CHECK(!m.try_lock());
    CHECK(!m.try_lock_shared());
    CHECK(!m.try_lock_for(std::chrono::seconds(0)));
    CHECK(!m.try_lock_shared_for(std::chrono::seconds(0)));
    m.unlock();
    CHECK(m.try_lock());
    CHECK(!m.try_lock_shared());
    m.unlock();
    m.lock_shared();
    CHECK(m.try_lock_shared());
    CHECK(!m.try_lock());
    m.unlock_shared();
    CHECK(!m.try_lock());
    m.unlock_shared();
    CHECK(m.try_lock_for(std::chrono::seconds(-1)));
    m.unlock();
    CHECK(m.try_lock_until(steady_clock::time_point()));
    m.unlock();
    CHECK(m.try_lock_shared_for(std::chrono::hours::max()));
    CHECK(m.try_lock_shared_until(steady_clock::time_point()));
    init(&m);
  }
}
TEST("a shared_mutex admits one writer or several readers") {
  for_each_scope([&]<thread_scope S>() { excludes<shared_mutex<S>>(test_); });
}

template <class M> void shared_gives_up(context& test_) {
  auto& m = make<M>(test_);
  m.lock();
  check_gives_up(test_, [&](auto length) { return m.try_lock_for(length); });
  check_gives_up(test_, [&](auto length) { return m.try_lock_shared_for(length); });
  check_gives_up_at(test_, [&](auto point) { return m.try_lock_until(point); });
  check_gives_up_at(test_, [&](auto point) { return m.try_lock_shared_until(point); });
  m.unlock();
  m.lock_shared();
  check_gives_up(test_, [&](auto length) { return m.try_lock_for(length); });
  check_gives_up_at(test_, [&](auto point) { return m.try_lock_until(point); });
  CHECK(m.try_lock_shared()); // the writers that gave up keep no reader out
  m.unlock_shared();
  m.unlock_shared();
  CHECK(m.try_lock()); // the timed locks that gave up have no effect
}
TEST("timed locks time out, immediately if no time is left") {
  shared_gives_up<shared_mutex<>>(test_);
  shared_gives_up<shared_mutex<thread_scope_block>>(test_);
}

/// Writers change two plain numbers, readers compare them.
template <thread_scope Scope> struct reading_and_writing {
  static constexpr thread_scope scope = Scope;
  shared_mutex<Scope> m;
  unsigned first, second;
  atomic<unsigned, Scope> writes;

  bool enter(bool writes, unsigned way) {
    switch (way % 4) {
    case 0: return (writes ? m.lock() : m.lock_shared()), true;
    case 1: return writes ? m.try_lock() : m.try_lock_shared();
    case 2: return writes ? m.try_lock_for(an_hour) : m.try_lock_shared_for(an_hour);
    default:
      return writes ? m.try_lock_until(steady_clock::now() + an_hour)
                    : m.try_lock_shared_until(steady_clock::now() + an_hour);
    }
  }
  void run(worker me, context& test_) {
    for (unsigned round = 0; round < entries(me.size); ++round) {
      bool const is_writer = (round + me.rank) % 3 == 0;
      AWAIT(enter(is_writer, round + me.rank / 3));
      CHECK_EQUAL(first, second);
      if (is_writer) {
        ++first;
        dawdle(round + me.rank);
        ++second;
        m.unlock();
        writes.fetch_add(1, memory_order_relaxed);
      } else {
        m.unlock_shared();
      }
    }
  }
  void verify(unsigned, context& test_) {
    CHECK_EQUAL(first, writes.load());
    CHECK(m.try_lock());
  }
};
CONCURRENT_TEST("readers see complete writes, and writers overwrite what readers have read: block",
                reading_and_writing<thread_scope_block>)
CONCURRENT_TEST("readers see complete writes, and writers overwrite what readers have read: cluster",
                reading_and_writing<thread_scope_cluster>)
CONCURRENT_TEST("readers see complete writes, and writers overwrite what readers have read: device",
                reading_and_writing<thread_scope_device>)
CONCURRENT_TEST("readers see complete writes, and writers overwrite what readers have read: system",
                reading_and_writing<thread_scope_system>)

/// Thread 0 reads, and thread 1 waits to write. The others cannot read then.
template <thread_scope Scope, thread_scope Named = Scope> struct writer_first {
  static constexpr thread_scope scope = Scope;
  shared_mutex<Named> m;
  atomic<unsigned, Scope> reading;
  atomic<unsigned, Scope> kept_out;
  unsigned written; // plain data

  bool cannot_read() {
    if (!m.try_lock_shared()) return true;
    m.unlock_shared();
    return false;
  }
  void run(worker me, context& test_) {
    if (me.rank == 0) {
      m.lock_shared();
      reading.store(1, memory_order_relaxed);
      AWAIT(kept_out.load(memory_order_relaxed) == me.size - 2);
      CHECK_EQUAL(written, 0u);
      m.unlock_shared();
    } else if (me.rank == 1) {
      AWAIT(reading.load(memory_order_relaxed) == 1);
      m.lock();
      CHECK_EQUAL(kept_out.load(memory_order_relaxed), me.size - 2);
      written = 1;
      m.unlock();
    } else {
      AWAIT(reading.load(memory_order_relaxed) == 1);
      AWAIT(cannot_read());
      kept_out.fetch_add(1, memory_order_relaxed);
      m.lock_shared();
      CHECK_EQUAL(written, 1u);
      m.unlock_shared();
    }
  }
  void verify(unsigned, context& test_) { CHECK(m.try_lock()); }
};
CONCURRENT_TEST("a writer that waits keeps new readers out: block", writer_first<thread_scope_block>)
CONCURRENT_TEST("a writer that waits keeps new readers out: cluster", writer_first<thread_scope_cluster>)
CONCURRENT_TEST("a writer that waits keeps new readers out: device", writer_first<thread_scope_device>)
CONCURRENT_TEST("a writer that waits keeps new readers out: system", writer_first<thread_scope_system>)
using writer_first_named_thread = writer_first<thread_scope_block, thread_scope_thread>;
CONCURRENT_TEST("a writer that waits keeps new readers out: thread scope means the block", writer_first_named_thread)

TESTS_END
