// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.generic] atomic<T> for sizes without atomic instructions
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <int Size> struct characters {
  char at[Size];
};
struct three_words {
  unsigned a, b, c;
};
struct numbers {
  double a;
  float b[4];
};
struct padded_12 {
  int a[2];
  char b;
};

using odd_types =
    types<characters<3>, characters<7>, characters<9>, three_words, characters<31>, numbers, characters<100>>;

template <class T> T locked_value(int i) {
  T value;
  for (unsigned at = 0; at < sizeof(T); ++at) reinterpret_cast<char*>(&value)[at] = char(at * 7 + i * 31 + 1);
  return value;
}

TEST("an atomic without an initializer holds T() at system and device scope, and gets its value by init: every size") {
  for_each_type_then_scope<characters<3>>(odd_types(), [&]<class T, thread_scope S>() {
    auto& a = make_bare<atomic<T, S>>(test_);
    if constexpr (S == thread_scope_system || S == thread_scope_device) CHECK_SAME(a.load(), T());
    init(&a, locked_value<T>(0));
    CHECK_SAME(a.load(), locked_value<T>(0));
    atomic_init(&make_bare<atomic<T, S>>(test_), locked_value<T>(1));
    CHECK_SAME(a.load(), locked_value<T>(1));
  });
}

TEST("load, store, exchange and conversions transfer the whole value: every size, scope and order") {
  for_each_type_then_scope<characters<3>>(odd_types(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, locked_value<T>(0));
    CHECK_SAME(a.load(), locked_value<T>(0));
    a = locked_value<T>(1);
    T const converted = a;
    CHECK_SAME(converted, locked_value<T>(1));
    for_each_load_order([&](memory_order order) { CHECK_SAME(a.load(order), locked_value<T>(1)); });
    for_each_store_order([&](memory_order order) {
      a.store(locked_value<T>(2), order);
      CHECK_SAME(a.load(), locked_value<T>(2));
      a.store(locked_value<T>(3));
    });
    for_each_order([&](memory_order order) {
      a.store(locked_value<T>(4));
      CHECK_SAME(a.exchange(locked_value<T>(5), order), locked_value<T>(4));
      CHECK_SAME(a.load(), locked_value<T>(5));
    });
  });
}

TEST("compare_exchange replaces the expected value, or returns the current one: every size, scope and order") {
  for_each_type_then_scope<characters<3>>(odd_types(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, locked_value<T>(0));
    T expected;
    auto const check = [&](auto exchange) {
      a.store(locked_value<T>(0));
      expected = locked_value<T>(0);
      CHECK(exchange(expected, locked_value<T>(1)));
      CHECK_SAME(expected, locked_value<T>(0));
      CHECK_SAME(a.load(), locked_value<T>(1));
      CHECK(!exchange(expected, locked_value<T>(2)));
      CHECK_SAME(expected, locked_value<T>(1));
      CHECK_SAME(a.load(), locked_value<T>(1));
    };
    check([&](T& old, T value) { return a.compare_exchange_strong(old, value); });
    check([&](T& old, T value) { return a.compare_exchange_weak(old, value); });
    for_each_order_pair([&](memory_order success, memory_order failure) {
      check([&](T& old, T value) { return a.compare_exchange_strong(old, value, success, failure); });
      check([&](T& old, T value) { return a.compare_exchange_weak(old, value, success, failure); });
    });
  });
}

TEST("compare_exchange compares the last byte, too") {
  auto& a = make<atomic<characters<31>>>(test_, locked_value<characters<31>>(0));
  characters<31> other = locked_value<characters<31>>(0);
  ++other.at[30];
  CHECK(a.try_wait(other));
  CHECK(!a.compare_exchange_strong(other, locked_value<characters<31>>(1)));
}

TEST("compare_exchange ignores padding bits") {
  auto& a = make<atomic<padded_12>>(test_, padded_12{{1, 2}, 3});
  for (int padding = 0; padding < 256; padding += 51) {
    padded_12 value;
    __builtin_memset(&value, padding, sizeof(value));
    value.a[0] = 1;
    value.a[1] = 2;
    value.b = 3;
    CHECK(!a.try_wait(value));
    CHECK(a.compare_exchange_strong(value, padded_12{{1, 2}, 3}));
    ++value.b;
    CHECK(a.try_wait(value));
    CHECK(!a.compare_exchange_strong(value, padded_12{{4, 5}, 6}));
  }
}

TEST("values are compared as bits: NaN equals itself, and the zeros differ") {
  numbers value = {__builtin_nan(""), {0.0f, 1, 2, 3}};
  auto& a = make<atomic<numbers>>(test_, value);
  CHECK(!a.try_wait(value));
  CHECK(a.compare_exchange_strong(value, value));
  value.b[0] = -0.0f;
  CHECK(a.try_wait(value));
  CHECK(!a.compare_exchange_strong(value, value));
}

/// Increments three words together. No thread sees them differ, and no increment is lost.
template <thread_scope Scope> struct increments_together {
  static constexpr thread_scope scope = Scope;
  atomic<three_words, Scope> words{three_words{0, 0, 0}};

  // The lock grants requests in order. Of n threads that compare, one in n finds the value it expects, so n increments
  // take n * n turns. Hence few threads increment, spread over all blocks; the others read.
  static constexpr unsigned most = 64;
  static constexpr unsigned stride(unsigned threads) { return (threads + most - 1) / most; }
  static constexpr unsigned writers(unsigned threads) { return (threads + stride(threads) - 1) / stride(threads); }
  static constexpr unsigned rounds(unsigned threads) { return threads > most ? 4 : 20 * repeats(threads); }

  void run(worker me, context& test_) {
    if (me.rank % stride(me.size) != 0) {
      three_words const seen = words.load();
      CHECK(seen.a == seen.b && seen.b == seen.c);
      return;
    }
    for (unsigned i = 0; i < rounds(me.size); ++i) {
      three_words before = words.load(memory_order_relaxed);
      AWAIT((CHECK(before.a == before.b && before.b == before.c),
             words.compare_exchange_weak(before, {before.a + 1, before.b + 1, before.c + 1})));
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(words.load().c, writers(threads) * rounds(threads)); }
};
CONCURRENT_TEST("no value is torn, and no increment is lost: block", increments_together<thread_scope_block>)
CONCURRENT_TEST("no value is torn, and no increment is lost: device", increments_together<thread_scope_device>)
CONCURRENT_TEST("no value is torn, and no increment is lost: system", increments_together<thread_scope_system>)

/// A count of arrivals, on which all threads wait.
template <thread_scope Scope> struct waits {
  static constexpr thread_scope scope = Scope;
  atomic<unsigned, Scope> arrived{0u};
  atomic<three_words, Scope> gate{three_words{0, 0, 0}};

  void run(worker me, context& test_) {
    if (arrived.fetch_add(1) + 1 == me.size) {
      gate.store({7, 8, 9});
      gate.notify_all();
    } else {
      gate.wait({0, 0, 0});
    }
    CHECK_EQUAL(gate.load().b, 8u);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(arrived.load(), threads); }
};
CONCURRENT_TEST("a store and notify_all release every waiter: block", waits<thread_scope_block>)
CONCURRENT_TEST("a store and notify_all release every waiter: device", waits<thread_scope_device>)
CONCURRENT_TEST("a store and notify_all release every waiter: system", waits<thread_scope_system>)

TESTS_END
