// SPDX-License-Identifier: Apache-2.0
//
// semaphores: guarantees that hold for every semaphore. Include after `import cudax.sync;`.
#pragma once

#include "locking.hpp"
#include "support/lists.hpp"

namespace cudax_test {
TESTS_BEGIN

/// Acquires in one of four ways. All but the second one block.
template <class S> bool take(S& s, unsigned way) {
  switch (way) {
  case 0: return s.acquire(), true;
  case 1: return s.try_acquire();
  case 2: return s.try_acquire_for(an_hour);
  default: return s.try_acquire_until(cudax::steady_clock::now() + an_hour);
  }
}

/// A semaphore of 1 as a lock.
template <class S, cudax::thread_scope Scope> struct as_lock {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr unsigned ways = 4;
  using object = S;
  static void make(S& s) { init(&s, 1); }
  static bool enter(S& s, unsigned way) { return take(s, way); }
  static void leave(S& s) { s.release(); }
};

/// Two threads pass plain data back and forth. Paired threads are as far apart as possible: in a warp, in a block,
/// across blocks, and across host and device.
template <class S, cudax::thread_scope Scope> struct passing {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr int length = 3;
  struct channel {
    unsigned data[length];
    S there, back;
  };
  channel channels[386]; // half as many as threads in the largest placement

  static constexpr unsigned rounds(unsigned threads) { return threads <= 8 ? 4000 : 32; }

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    channel& mine = channels[me.rank % half];
    bool const first = me.rank < half;
    S& out = first ? mine.there : mine.back;
    S& in = first ? mine.back : mine.there;
    for (unsigned round = 0; round < rounds(me.size); ++round) {
      if (!first || round > 0) {
        AWAIT(take(in, (round + me.rank) % 4));
        for (int i = 0; i < length; ++i) CHECK_EQUAL(mine.data[i], 20 * round + 10 * !first + i);
      }
      for (int i = 0; i < length; ++i) mine.data[i] = 20 * (round + !first) + 10 * first + i;
      out.release();
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < threads / 2; ++i) {
      CHECK(channels[i].back.try_acquire()); // the last release by the second thread
      CHECK(!channels[i].back.try_acquire());
      CHECK(!channels[i].there.try_acquire());
    }
  }
};

/// One release lets all waiting threads enter, each once.
template <class S, cudax::thread_scope Scope> struct release_of_all {
  static constexpr cudax::thread_scope scope = Scope;
  S gate;
  unsigned message;
  cudax::atomic<unsigned, scope> entered;

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      linger();
      message = 17;
      gate.release(me.size - 1);
      AWAIT(entered.load(cudax::memory_order_relaxed) == me.size - 1);
    } else {
      AWAIT(take(gate, me.rank % 4));
      CHECK_EQUAL(message, 17u);
      entered.fetch_add(1, cudax::memory_order_relaxed);
    }
  }
  void verify(unsigned, context& test_) { CHECK(!gate.try_acquire()); }
};

/// The number of threads inside never exceeds the count. If there is enough time, several are inside at once.
template <class S, cudax::thread_scope Scope, unsigned Count> struct bounded_entry {
  static constexpr cudax::thread_scope scope = Scope;
  S s;
  shared_objects<scope> objects;
  cudax::atomic<unsigned, scope> inside;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&s, Count); })) return;
    for (unsigned round = 0; round < entries(me.size); ++round) {
      AWAIT(take(s, (round + me.rank) % 4));
      CHECK(inside.fetch_add(1, cudax::memory_order_relaxed) < Count);
      dawdle(round + me.rank);
      inside.fetch_sub(1, cudax::memory_order_relaxed);
      s.release();
    }
  }
  void verify(unsigned, context& test_) {
    for (unsigned i = 0; i < Count; ++i) CHECK(s.try_acquire());
    CHECK(!s.try_acquire());
  }
};

/// What a single thread can observe of any semaphore.
template <class S> void counts_permits(context& test_, int most) {
  auto& s = make<S>(test_, 0);
  CHECK(!s.try_acquire());
  s.release(0);
  CHECK(!s.try_acquire());
  for (int round = 0; round < 3; ++round) {
    s.release();
    CHECK(s.try_acquire());
    CHECK(!s.try_acquire());
    s.release(most);
    s.release(0);
    for (int i = 0; i < most; ++i) CHECK(take(s, i % 4));
    CHECK(!s.try_acquire());
  }
  for (int count = 0; count <= most; ++count) {
    init(&s, count);
    for (int i = 0; i < count; ++i) s.acquire();
    CHECK(!s.try_acquire());
  }
}

template <class S> void gives_up_acquiring(context& test_) {
  auto& s = make<S>(test_, 0);
  check_gives_up(test_, [&](auto length) { return s.try_acquire_for(length); });
  check_gives_up_at(test_, [&](auto point) { return s.try_acquire_until(point); });
  // The attempts that timed out acquired nothing. An available count is acquired, whatever the timeout.
  s.release();
  CHECK(s.try_acquire_for(std::chrono::seconds(-1)));
  CHECK(!s.try_acquire());
  s.release();
  CHECK(s.try_acquire_for(std::chrono::hours::max()));
  s.release();
  CHECK(s.try_acquire_until(cudax::steady_clock::time_point()));
  CHECK(!s.try_acquire());
}

TESTS_END
} // namespace cudax_test
