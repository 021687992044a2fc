// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer] fetch_add
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("fetch_add returns the value before and adds modulo 2^N: every integer, order and scope") {
  for_each_type(integers(), [&]<class T>() {
    for_each_scope([&]<thread_scope S>() {
      for_each_order([&](memory_order order) {
        auto& a = make<atomic<T, S>>(test_, T(5));
        CHECK_EQUAL(a.fetch_add(T(3), order), T(5));
        CHECK_EQUAL(a.load(), T(8));
        CHECK_EQUAL(a.fetch_add(T(-9), order), T(8));
        CHECK_EQUAL(a.load(), T(-1));
        CHECK_EQUAL(a.fetch_add(T(2), order), T(-1));
        CHECK_EQUAL(a.load(), T(1));
      });
    });
  });
}

TEST("fetch_add of floating point returns the value before") {
  for_each_type(floats(), [&]<class T>() {
    for_each_scope([&]<thread_scope S>() {
      for_each_order([&](memory_order order) {
        auto& a = make<atomic<T, S>>(test_, number<T>(1.5f));
        CHECK_EQUAL(bits_of(a.fetch_add(number<T>(0.25f), order)), bits_of(number<T>(1.5f)));
        CHECK_EQUAL(bits_of(a.load()), bits_of(number<T>(1.75f)));
      });
    });
  });
}

TEST("fetch_add of a pointer counts elements") {
  double values[4];
  auto& a = make<atomic<double*>>(test_, values);
  CHECK(a.fetch_add(3) == values);
  CHECK(a.load() == values + 3);
  CHECK(a.fetch_add(-2, memory_order_relaxed) == values + 3);
  CHECK(a.load() == values + 1);
}

template <class T, thread_scope Scope>
struct increments {
  static constexpr thread_scope scope = Scope;
  alignas(16) T counts[8]; // neighbours in one word must not disturb each other
  void run(worker me, context&) {
    for (int i = 0; i < 100; ++i) atomic_ref<T, Scope>(counts[(me.rank + i) % 8]).fetch_add(T(1), memory_order_relaxed);
  }
  void verify(unsigned threads, context& test_) {
    unsigned expected[8] = {};
    for (unsigned rank = 0; rank < threads; ++rank)
      for (int i = 0; i < 100; ++i) ++expected[(rank + i) % 8];
    for (int i = 0; i < 8; ++i) CHECK_EQUAL(counts[i], T(expected[i]));
  }
};
CONCURRENT_TEST("no increment is lost: 8 bits, block", increments<unsigned char, thread_scope_block>)
CONCURRENT_TEST("no increment is lost: 16 bits, block", increments<unsigned short, thread_scope_block>)
CONCURRENT_TEST("no increment is lost: 32 bits, block", increments<unsigned, thread_scope_block>)
CONCURRENT_TEST("no increment is lost: 64 bits, block", increments<unsigned long long, thread_scope_block>)
CONCURRENT_TEST("no increment is lost: 8 bits, device", increments<signed char, thread_scope_device>)
CONCURRENT_TEST("no increment is lost: 16 bits, device", increments<short, thread_scope_device>)
CONCURRENT_TEST("no increment is lost: 32 bits, system", increments<int, thread_scope_system>)
CONCURRENT_TEST("no increment is lost: 64 bits, system", increments<long long, thread_scope_system>)
CONCURRENT_TEST("no increment is lost: float, device", increments<float, thread_scope_device>)
CONCURRENT_TEST("no increment is lost: double, system", increments<double, thread_scope_system>)

TESTS_END
