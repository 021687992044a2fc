// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer] fetch_max
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct fetch_max_key {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.fetch_max(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.fetch_max(operand, memory_order_relaxed); }
  template <class T> static T expected(T a, T b) { return a < b ? b : a; }
};

TEST("fetch_max returns the old value and stores the larger: every integer, scope and order") {
  for_each_type_and_scope(integers(), [&]<class T, thread_scope S>() { check_integers<T, S>(test_, fetch_max_key()); });
}

TEST("fetch_max does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(),
                              [&]<class T, thread_scope S>() { check_neighbours<T, S>(test_, fetch_max_key()); });
}

TEST("fetch_max of floating point: -0.0 is less than +0.0; every order") {
  check_floats(test_, fetch_max_key(), maxima);
}

TEST("fetch_max of floating point: zeros, subnormal numbers and infinities; a NaN operand changes nothing") {
  check_every_pair<true>(test_, fetch_max_key());
}

TEST("fetch_max of a pointer compares addresses: every scope and order") {
  int values[3] = {};
  for_each_scope([&]<thread_scope S>() {
    auto& a = make<atomic<int*, S>>(test_, values + 1);
    for_each_key_order<int>([&](memory_order order) {
      CHECK(a.fetch_max(values, order) == values + 1);
      CHECK(a.load() == values + 1);
      CHECK(a.fetch_max(values + 2, order) == values + 1);
      CHECK(a.load() == values + 2);
      a.store(values + 1);
    });
  });
}

CONCURRENT_TEST("the largest value remains: 8 bits, block",
                extremes<fetch_max_key, unsigned char, thread_scope_block, true>)
CONCURRENT_TEST("the largest value remains: 8 bits signed, device",
                extremes<fetch_max_key, signed char, thread_scope_device, true>)
CONCURRENT_TEST("the largest value remains: 16 bits, block", extremes<fetch_max_key, short, thread_scope_block, true>)
CONCURRENT_TEST("the largest value remains: 16 bits unsigned, device",
                extremes<fetch_max_key, unsigned short, thread_scope_device, true>)
CONCURRENT_TEST("the largest value remains: 32 bits, cluster", extremes<fetch_max_key, int, thread_scope_cluster, true>)
CONCURRENT_TEST("the largest value remains: 32 bits unsigned, system",
                extremes<fetch_max_key, unsigned, thread_scope_system, true>)
CONCURRENT_TEST("the largest value remains: 64 bits, block",
                extremes<fetch_max_key, long long, thread_scope_block, true>)
CONCURRENT_TEST("the largest value remains: 64 bits unsigned, device",
                extremes<fetch_max_key, unsigned long long, thread_scope_device, true>)
CONCURRENT_TEST("the largest value remains: float, system", extremes<fetch_max_key, float, thread_scope_system, true>)
CONCURRENT_TEST("the largest value remains: double, block", extremes<fetch_max_key, double, thread_scope_block, true>)
CONCURRENT_TEST("the largest value remains: _Float16, device",
                extremes<fetch_max_key, _Float16, thread_scope_device, true>)
CONCURRENT_TEST("the largest value remains: bfloat16, device",
                extremes<fetch_max_key, __bf16, thread_scope_device, true>)

TESTS_END
