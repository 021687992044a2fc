// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.generic], [atomics.ref.generic] values of 16 bytes
//
// A separate program: exchange and compare_exchange of 16 bytes require sm_90, and a program that calls them does not
// link for older SMs.
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct two_words {
  unsigned long long a, b;
};
struct padded_16 {
  unsigned long long a;
  int b;
};
struct pointer_and_version {
  void* pointer;
  unsigned long version;
};
struct alignas(16) characters_16 {
  char at[16];
};

using wide_types = types<__int128, unsigned __int128, two_words, pointer_and_version, characters_16>;

template <class T> T wide_value(int i) {
  T value;
  for (unsigned at = 0; at < 16; ++at) reinterpret_cast<char*>(&value)[at] = char(at * 7 + i * 31 + 1);
  return value;
}

TEST("a 16-byte type is lock-free, and has size and alignment 16") {
  for_each_type(wide_types(), [&]<class T>() {
    auto& a = make<atomic<T>>(test_, wide_value<T>(0));
    CHECK(a.is_lock_free());
    CHECK(atomic<T>::is_always_lock_free);
    CHECK(sizeof(atomic<T>) == 16 && alignof(atomic<T>) == 16 && atomic<T>::required_alignment == 16);
    CHECK(atomic_ref<T>::required_alignment == 16);
  });
}

TEST("load, store and exchange transfer the whole value: every type, scope and order") {
  for_each_type(wide_types(), [&]<class T>() {
    for_each_scope([&]<thread_scope S>() {
      auto& a = make<atomic<T, S>>(test_, wide_value<T>(0));
      T const converted = a;
      CHECK_SAME(converted, wide_value<T>(0));
      for_each_load_order([&](memory_order order) { CHECK_SAME(a.load(order), wide_value<T>(0)); });
      for_each_store_order([&](memory_order order) {
        a.store(wide_value<T>(1), order);
        CHECK_SAME(a.load(), wide_value<T>(1));
        a = wide_value<T>(0);
      });
      for_each_order([&](memory_order order) {
        a.store(wide_value<T>(2));
        CHECK_SAME(a.exchange(wide_value<T>(3), order), wide_value<T>(2));
        CHECK_SAME((atomic_ref<T, S>(*a.address()).load()), wide_value<T>(3));
      });
    });
  });
}

TEST("compare_exchange replaces the expected value, or returns the current one: every type, scope and order") {
  for_each_type(wide_types(), [&]<class T>() {
    for_each_scope([&]<thread_scope S>() {
      auto& a = make<atomic<T, S>>(test_, wide_value<T>(0));
      T expected;
      auto const check = [&](auto exchange) {
        a.store(wide_value<T>(0));
        expected = wide_value<T>(0);
        CHECK(exchange(expected, wide_value<T>(1)));
        CHECK_SAME(expected, wide_value<T>(0));
        CHECK_SAME(a.load(), wide_value<T>(1));
        CHECK(!exchange(expected, wide_value<T>(2)));
        CHECK_SAME(expected, wide_value<T>(1));
        CHECK_SAME(a.load(), wide_value<T>(1));
      };
      for_each_order_pair([&](memory_order success, memory_order failure) {
        check([&](T& old, T value) { return a.compare_exchange_strong(old, value, success, failure); });
        check([&](T& old, T value) { return a.compare_exchange_weak(old, value, success, failure); });
      });
      check([&](T& old, T value) { return a.compare_exchange_strong(old, value); });
      check([&](T& old, T value) { return a.compare_exchange_weak(old, value, memory_order_release); });
    });
  });
}

TEST("compare_exchange compares both halves") {
  auto& a = make<atomic<two_words>>(test_, two_words{1, 2});
  two_words low = {3, 2}, high = {1, 3};
  CHECK(a.try_wait(low));
  CHECK(a.try_wait(high));
  a.wait(high);
  CHECK(!a.try_wait(two_words{1, 2}));
  CHECK(!a.compare_exchange_strong(low, {4, 4}));
  CHECK(low.a == 1 && low.b == 2);
  CHECK(!a.compare_exchange_strong(high, {4, 4}));
  CHECK(high.a == 1 && high.b == 2);
}

TEST("compare_exchange ignores padding bits") {
  for_each_scope([&]<thread_scope S>() {
    struct memory {
      alignas(16) padded_16 object;
    };
    padded_16& object = make<memory>(test_).object;
    atomic_ref<padded_16, S> const a(object);
    for (int padding = 0; padding < 256; padding += 51) {
      padded_16 value;
      __builtin_memset(&object, padding, 16);
      object.a = 1;
      object.b = 2;
      __builtin_memset(&value, ~padding, 16);
      value.a = 1;
      value.b = 2;
      CHECK(!a.try_wait(value));
      CHECK(a.compare_exchange_strong(value, padded_16{3, 4}));
      CHECK(object.a == 3 && object.b == 4);
      CHECK(!a.compare_exchange_strong(value, padded_16{5, 6}));
      CHECK(value.a == 3 && value.b == 4);
    }
  });
}

TEST("fetch_add and the other keys of 128-bit integers wrap around: every scope") {
  for_each_type(types<__int128, unsigned __int128>(), [&]<class T>() {
    for_each_scope([&]<thread_scope S>() {
      using U = unsigned __int128;
      T const samples[] = {T(0), T(1), T(-1), T(U(1) << 127), T(~(U(1) << 127)), T((U(1) << 64) - 1), T(U(1) << 64)};
      auto& a = make<atomic<T, S>>(test_, T(0));
      for (T const b : samples)
        for (T const c : samples) {
          auto const check = [&](T before, T after) {
            CHECK_SAME(before, b);
            CHECK_SAME(a.load(), after);
            a.store(b);
          };
          a.store(b);
          check(a.fetch_add(c), T(U(b) + U(c)));
          check(a.fetch_sub(c), T(U(b) - U(c)));
          check(a.fetch_and(c), T(b & c));
          check(a.fetch_or(c), T(b | c));
          check(a.fetch_xor(c), T(b ^ c));
          check(a.fetch_max(c), b < c ? c : b);
          check(a.fetch_min(c), c < b ? c : b);
          a.store_add(c);
          CHECK_SAME(a.load(), T(U(b) + U(c)));
        }
    });
  });
}

/// Both halves count together. No thread sees them differ, and no increment is lost.
template <thread_scope Scope> struct increments_of_both {
  static constexpr thread_scope scope = Scope;
  static constexpr int rounds = 20;
  atomic<two_words, Scope> words{two_words{0, 0}};

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < rounds * repeats(me.size); ++i) {
      two_words before = words.load(memory_order_relaxed);
      AWAIT((CHECK(before.a == before.b), words.compare_exchange_weak(before, {before.a + 1, before.b + 1})));
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(words.load().a, threads * rounds * repeats(threads));
    CHECK_EQUAL(words.load().b, threads * rounds * repeats(threads));
  }
};
CONCURRENT_TEST("no value is torn, and no increment is lost: block", increments_of_both<thread_scope_block>)
CONCURRENT_TEST("no value is torn, and no increment is lost: device", increments_of_both<thread_scope_device>)
CONCURRENT_TEST("no value is torn, and no increment is lost: cluster", increments_of_both<thread_scope_cluster>)

#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
alignas(16) constexpr two_words read_only = {1, 2};

HOST_TEST("a 16-byte object in read-only memory can be loaded") {
  if (!__builtin_cpu_supports("avx")) return; // runtime/base/wide.cpp: without AVX a load writes
  CHECK(atomic_ref<two_words const>(read_only).load().b == 2);
}
#endif

/// All threads wait until the second half changes.
template <thread_scope Scope> struct waits_for_a_half {
  static constexpr thread_scope scope = Scope;
  atomic<unsigned, Scope> arrived{0u};
  atomic<two_words, Scope> gate{two_words{1, 0}};

  void run(worker me, context& test_) {
    if (arrived.fetch_add(1) + 1 == me.size) {
      gate.store({1, 1});
      gate.notify_all();
    } else {
      gate.wait({1, 0});
    }
    CHECK(gate.load().b == 1);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(arrived.load(), threads); }
};
CONCURRENT_TEST("a store and notify_all release every waiter: block", waits_for_a_half<thread_scope_block>)
CONCURRENT_TEST("a store and notify_all release every waiter: device", waits_for_a_half<thread_scope_device>)

TESTS_END
