// SPDX-License-Identifier: Apache-2.0
//
// [atomics.flag] atomic_flag, basic_atomic_flag
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include "support/waiting.hpp"
#include <atomic>
#include <chrono>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("a default-constructed flag is clear") {
  for_each_scope([&]<thread_scope S>() {
    __builtin_memset(test_.memory, 0xa5, context::memory_size);
    CHECK(!make<basic_atomic_flag<S>>(test_).test());
  });
  CHECK(!make_bare<atomic_flag>(test_).test());
  CHECK(!make_bare<basic_atomic_flag<thread_scope_device>>(test_).test());
  static_assert(__is_same(atomic_flag, basic_atomic_flag<thread_scope_system>));
}

TEST("init makes a flag clear or set: every scope") {
  for_each_scope([&]<thread_scope S>() {
    auto& flag = make_bare<basic_atomic_flag<S>>(test_);
    init(&flag);
    CHECK(!flag.test());
    init(&flag, true);
    CHECK(flag.test());
    init(&flag, false);
    CHECK(!flag.test());
  });
}

TEST("a flag is made set or clear, as by ATOMIC_FLAG_INIT and libcu++'s initialisers") {
  basic_atomic_flag<thread_scope_device> set = {true}, clear{false};
  CHECK(set.test());
  CHECK(!clear.test());
  cudax::atomic_flag by_macro = ATOMIC_FLAG_INIT;
  CHECK(!by_macro.test());
}

TEST("test_and_set sets the flag and returns its old value, clear clears it: every scope and order") {
  for_each_scope([&]<thread_scope S>() {
    auto& flag = make<basic_atomic_flag<S>>(test_);
    for_each_order([&](memory_order order) {
      CHECK(!flag.test_and_set(order));
      CHECK(flag.test());
      CHECK(flag.test_and_set(order));
      flag.clear();
      CHECK(!flag.test());
    });
    for_each_store_order([&](memory_order order) {
      CHECK(!flag.test_and_set());
      flag.clear(order);
      CHECK(!flag.test());
      flag.clear(order);
      CHECK(!flag.test());
    });
    for_each_load_order([&](memory_order order) {
      CHECK(!flag.test(order));
      flag.test_and_set();
      CHECK(flag.test(order));
      flag.clear();
    });
  });
}

TEST("a volatile flag works") {
  basic_atomic_flag<thread_scope_device> volatile& flag = make<basic_atomic_flag<thread_scope_device>>(test_);
  CHECK(!flag.test_and_set());
  CHECK(flag.test());
  flag.wait(false);
  flag.clear();
  flag.notify_one();
  flag.notify_all();
  CHECK(!flag.test());
}

TEST("waits return immediately if the flag differs from `old`: every scope and order") {
  for_each_scope([&]<thread_scope S>() {
    auto& flag = make<basic_atomic_flag<S>>(test_);
    for (bool set : {false, true}) {
      if (set) flag.test_and_set();
      flag.wait(!set);
      for_each_load_order([&](memory_order order) {
        flag.wait(!set, order);
        CHECK(flag.try_wait(!set, order));
        CHECK(!flag.try_wait(set, order));
        CHECK(flag.wait_for(!set, std::chrono::hours(1), order));
        CHECK(!flag.wait_for(set, std::chrono::seconds(0), order));
        CHECK(flag.wait_until(!set, steady_clock::now() + std::chrono::hours(1), order));
      });
      check_times_out(test_, 500'000, [&] { return flag.wait_for(set, std::chrono::microseconds(500)); });
      check_times_out(test_, 500'000,
                      [&] { return flag.wait_until(set, steady_clock::now() + std::chrono::microseconds(500)); });
    }
  });
}

/// A spin lock that guards a plain counter.
template <thread_scope Scope> struct spin_lock {
  static constexpr thread_scope scope = Scope;
  static constexpr int rounds = 20;
  basic_atomic_flag<Scope> lock;
  unsigned count = 0;

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < rounds * repeats(me.size); ++i) {
      AWAIT(!lock.test_and_set(memory_order_acquire));
      ++count;
      lock.clear(memory_order_release);
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(count, threads * rounds * repeats(threads)); }
};
CONCURRENT_TEST("a spin lock made of test_and_set and clear is exclusive: block", spin_lock<thread_scope_block>)
CONCURRENT_TEST("a spin lock made of test_and_set and clear is exclusive: cluster", spin_lock<thread_scope_cluster>)
CONCURRENT_TEST("a spin lock made of test_and_set and clear is exclusive: device", spin_lock<thread_scope_device>)
CONCURRENT_TEST("a spin lock made of test_and_set and clear is exclusive: system", spin_lock<thread_scope_system>)

/// All other threads wait for thread 0 to set the first flag. Thread 0 waits for the second flag, which the last of
/// them sets.
template <thread_scope Scope> struct start_and_stop {
  static constexpr thread_scope scope = Scope;
  basic_atomic_flag<Scope> start, stop;
  atomic<unsigned, Scope> passed{0u};

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      linger();
      CHECK_EQUAL(passed.load(), 0u);
      start.test_and_set();
      start.notify_all();
      stop.wait(false);
      CHECK_EQUAL(passed.load(), me.size - 1);
    } else {
      start.wait(false, memory_order_acquire);
      if (passed.fetch_add(1) + 2 == me.size) {
        stop.test_and_set();
        stop.notify_one();
      }
    }
  }
  void verify(unsigned, context& test_) { CHECK(stop.test()); }
};
CONCURRENT_TEST("setting a flag and notifying releases every waiter: block", start_and_stop<thread_scope_block>)
CONCURRENT_TEST("setting a flag and notifying releases every waiter: device", start_and_stop<thread_scope_device>)
CONCURRENT_TEST("setting a flag and notifying releases every waiter: system", start_and_stop<thread_scope_system>)

TESTS_END
