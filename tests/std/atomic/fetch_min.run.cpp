// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer] fetch_min
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct fetch_min_key {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.fetch_min(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.fetch_min(operand, memory_order_relaxed); }
  template <class T> static T expected(T a, T b) { return b < a ? b : a; }
};

TEST("fetch_min returns the old value and stores the smaller: every integer, scope and order") {
  for_each_type_and_scope(integers(), [&]<class T, thread_scope S>() { check_integers<T, S>(test_, fetch_min_key()); });
}

TEST("fetch_min does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(),
                              [&]<class T, thread_scope S>() { check_neighbours<T, S>(test_, fetch_min_key()); });
}

TEST("fetch_min of floating point: -0.0 is less than +0.0; every order") {
  check_floats(test_, fetch_min_key(), minima);
}

TEST("fetch_min of floating point: zeros, subnormal numbers and infinities; a NaN operand changes nothing") {
  check_every_pair<false>(test_, fetch_min_key());
}

TEST("fetch_min of a pointer compares addresses: every scope and order") {
  int values[3] = {};
  for_each_scope([&]<thread_scope S>() {
    auto& a = make<atomic<int*, S>>(test_, values + 1);
    for_each_key_order<int>([&](memory_order order) {
      CHECK(a.fetch_min(values + 2, order) == values + 1);
      CHECK(a.load() == values + 1);
      CHECK(a.fetch_min(values, order) == values + 1);
      CHECK(a.load() == values);
      a.store(values + 1);
    });
  });
}

CONCURRENT_TEST("the smallest value remains: 8 bits, block",
                extremes<fetch_min_key, unsigned char, thread_scope_block, false>)
CONCURRENT_TEST("the smallest value remains: 8 bits signed, device",
                extremes<fetch_min_key, signed char, thread_scope_device, false>)
CONCURRENT_TEST("the smallest value remains: 16 bits, block", extremes<fetch_min_key, short, thread_scope_block, false>)
CONCURRENT_TEST("the smallest value remains: 16 bits unsigned, device",
                extremes<fetch_min_key, unsigned short, thread_scope_device, false>)
CONCURRENT_TEST("the smallest value remains: 32 bits, cluster",
                extremes<fetch_min_key, int, thread_scope_cluster, false>)
CONCURRENT_TEST("the smallest value remains: 32 bits unsigned, system",
                extremes<fetch_min_key, unsigned, thread_scope_system, false>)
CONCURRENT_TEST("the smallest value remains: 64 bits, block",
                extremes<fetch_min_key, long long, thread_scope_block, false>)
CONCURRENT_TEST("the smallest value remains: 64 bits unsigned, device",
                extremes<fetch_min_key, unsigned long long, thread_scope_device, false>)
CONCURRENT_TEST("the smallest value remains: float, system", extremes<fetch_min_key, float, thread_scope_system, false>)
CONCURRENT_TEST("the smallest value remains: double, block", extremes<fetch_min_key, double, thread_scope_block, false>)
CONCURRENT_TEST("the smallest value remains: _Float16, device",
                extremes<fetch_min_key, _Float16, thread_scope_device, false>)
CONCURRENT_TEST("the smallest value remains: bfloat16, device",
                extremes<fetch_min_key, __bf16, thread_scope_device, false>)

TESTS_END
