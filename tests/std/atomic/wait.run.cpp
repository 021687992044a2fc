// SPDX-License-Identifier: Apache-2.0
//
// [atomics.wait] wait, notify_one, notify_all, and try_wait (P2643)
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include "support/waiting.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("wait returns immediately if the value differs: every type, scope and order") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    a.wait(sample<T>(1));
    for_each_load_order([&](memory_order order) {
      a.wait(sample<T>(1), order);
      atomic_ref<T, S>(*a.address()).wait(sample<T>(3), order);
    });
    CHECK_SAME(a.load(), sample<T>(0));
    a.notify_one();
    a.notify_all();
  });
}

TEST("try_wait returns whether the value differs: every type, scope and order") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    CHECK(!a.try_wait(sample<T>(0)));
    CHECK(a.try_wait(sample<T>(1)));
    for_each_load_order([&](memory_order order) {
      CHECK(!a.try_wait(sample<T>(0), order));
      CHECK(a.try_wait(sample<T>(1), order));
      CHECK((atomic_ref<T, S>(*a.address()).try_wait(sample<T>(1), order)));
    });
  });
}

TEST("waits compare bits: NaN equals itself, and the zeros differ") {
  for_each_type_and_scope(floats(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, quiet_nan<T>());
    CHECK(!a.try_wait(quiet_nan<T>()));
    CHECK(a.try_wait(quiet_nan<T>(1)));
    a.wait(quiet_nan<T>(1));
    a.store(negative_zero<T>());
    CHECK(!a.try_wait(negative_zero<T>()));
    CHECK(a.try_wait(number<T>(0)));
    if (a.try_wait(number<T>(0))) a.wait(number<T>(0));
  });
}

/// One thread changes the value in each round, once all other threads have announced their wait.
template <class T, thread_scope Scope, bool FirstNotifies> struct rounds_of_waiting {
  static constexpr thread_scope scope = Scope;
  static constexpr int rounds = 6;
  atomic<unsigned, Scope> arrived{0u};
  atomic<T, Scope> round{number<T>(0)};

  void run(worker me, context& test_) {
    if (me.rank == (FirstNotifies ? 0 : me.size - 1)) {
      for (int i = 1; i <= rounds; ++i) {
        AWAIT(arrived.load(memory_order_acquire) == (me.size - 1) * i);
        if (i % 2) linger();
        round.store(number<T>(i), memory_order_release);
        round.notify_all();
      }
    } else {
      for (int i = 1; i <= rounds; ++i) {
        arrived.fetch_add(1, memory_order_acq_rel);
        round.wait(number<T>(i - 1), i % 3 ? memory_order_acquire : memory_order_seq_cst);
        CHECK_SAME(round.load(memory_order_relaxed), number<T>(i));
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(arrived.load(), (threads - 1) * rounds);
    CHECK_SAME(round.load(), number<T>(rounds));
  }
};
CONCURRENT_TEST("notify_all releases every waiter: 8 bits, block",
                rounds_of_waiting<unsigned char, thread_scope_block, true>)
CONCURRENT_TEST("notify_all releases every waiter: 16 bits, device",
                rounds_of_waiting<short, thread_scope_device, false>)
CONCURRENT_TEST("notify_all releases every waiter: 32 bits, device", rounds_of_waiting<int, thread_scope_device, true>)
CONCURRENT_TEST("notify_all releases every waiter: 64 bits, cluster",
                rounds_of_waiting<long, thread_scope_cluster, true>)
CONCURRENT_TEST("notify_all releases every waiter: float, device", rounds_of_waiting<float, thread_scope_device, true>)
CONCURRENT_TEST("notify_all releases every waiter: 8 bits, system", rounds_of_waiting<char, thread_scope_system, false>)
CONCURRENT_TEST("notify_all releases every waiter: 32 bits, system, host notifies",
                rounds_of_waiting<int, thread_scope_system, true>)
CONCURRENT_TEST("notify_all releases every waiter: 64 bits, system, device notifies",
                rounds_of_waiting<unsigned long long, thread_scope_system, false>)

/// A thread waits while the value is NaN, and while other objects change.
template <class T, thread_scope Scope> struct waits_while_nan {
  static constexpr thread_scope scope = Scope;
  atomic<unsigned, Scope> left{0u};
  atomic<T, Scope> value{quiet_nan<T>(1)};

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      linger();
      CHECK_EQUAL(left.load(), 0u);
      value.store(quiet_nan<T>());
      value.notify_all();
    } else {
      value.wait(quiet_nan<T>(1));
      left.fetch_add(1);
      CHECK_EQUAL(bits_of(value.load()), bits_of(quiet_nan<T>()));
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(left.load(), threads - 1); }
};
CONCURRENT_TEST("wait blocks while the value is the same NaN: float, device",
                waits_while_nan<float, thread_scope_device>)
CONCURRENT_TEST("wait blocks while the value is the same NaN: double, block",
                waits_while_nan<double, thread_scope_block>)
CONCURRENT_TEST("wait blocks while the value is the same NaN: _Float16, system",
                waits_while_nan<_Float16, thread_scope_system>)

/// Tokens are released one by one, each with a notify_one. A thread that finds no token waits.
template <thread_scope Scope> struct tokens {
  static constexpr thread_scope scope = Scope;
  static constexpr int rounds = 4;
  atomic<int, Scope> available{0};
  atomic<unsigned, Scope> taken{0u};

  void run(worker me, context& test_) {
    if (me.rank % 2 == 0) {
      for (int i = 0; i < rounds; ++i) {
        if (i == 1 && me.rank == 0) linger();
        available.fetch_add(1, memory_order_release);
        available.notify_one();
      }
    } else {
      for (int i = 0; i < rounds; ++i) {
        int there = available.load(memory_order_relaxed);
        AWAIT([&] {
          if (there > 0) return available.compare_exchange_weak(there, there - 1, memory_order_acquire);
          available.wait(0, memory_order_relaxed);
          there = available.load(memory_order_relaxed);
          return false;
        }());
        taken.fetch_add(1);
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(available.load(), 0);
    CHECK_EQUAL(taken.load(), threads / 2 * rounds);
  }
};
CONCURRENT_TEST("one notify_one for each token releases enough waiters: block", tokens<thread_scope_block>)
CONCURRENT_TEST("one notify_one for each token releases enough waiters: cluster", tokens<thread_scope_cluster>)
CONCURRENT_TEST("one notify_one for each token releases enough waiters: device", tokens<thread_scope_device>)
CONCURRENT_TEST("one notify_one for each token releases enough waiters: system", tokens<thread_scope_system>)

/// Notifications without a change, and changes of other objects, do not end a wait.
template <thread_scope Scope> struct unchanged {
  static constexpr thread_scope scope = Scope;
  atomic<int, Scope> others[16] = {};
  atomic<int, Scope> value{0};
  atomic<unsigned, Scope> left{0u};

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      for (int i = 0; i < 20; ++i) {
        value.notify_all();
        others[i % 16].store(i + 1);
        others[i % 16].notify_all();
        if (i % 10 == 0) linger();
      }
      CHECK_EQUAL(left.load(), 0u);
      value.store(1);
      value.notify_all();
    } else {
      value.wait(0);
      left.fetch_add(1);
      CHECK_EQUAL(value.load(), 1);
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(left.load(), threads - 1); }
};
CONCURRENT_TEST("a notification without a change does not end a wait: block", unchanged<thread_scope_block>)
CONCURRENT_TEST("a notification without a change does not end a wait: device", unchanged<thread_scope_device>)
CONCURRENT_TEST("a notification without a change does not end a wait: system", unchanged<thread_scope_system>)

TESTS_END
