// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer] fetch_add
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct fetch_add_key {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.fetch_add(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.fetch_add(operand, memory_order_relaxed); }
  template <class T> static T expected(T a, T b) { return T((unsigned long long)a + (unsigned long long)b); }
};

TEST("fetch_add returns the old value and stores the sum modulo 2^N: every integer, scope and order") {
  for_each_type_and_scope(integers(), [&]<class T, thread_scope S>() { check_integers<T, S>(test_, fetch_add_key()); });
}

TEST("fetch_add does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(),
                              [&]<class T, thread_scope S>() { check_neighbours<T, S>(test_, fetch_add_key()); });
}

TEST("fetch_add of floating point returns the old value and stores the sum") {
  check_floats(test_, fetch_add_key(), sums);
}

TEST("fetch_add of a pointer counts elements: every order") {
  for_each_type_shared_or_not(types<char, three_bytes, double, three_bytes const>(), [&]<class T, thread_scope S>() {
    T values[6] = {};
    auto& a = make<atomic<T*, S>>(test_, values);
    for_each_key_order<int>([&](memory_order order) {
      CHECK(a.fetch_add(3, order) == values);
      CHECK(a.load() == values + 3);
      CHECK(a.fetch_add(-2, order) == values + 3);
      CHECK(a.load() == values + 1);
      a.store(values);
    });
  });
}

CONCURRENT_TEST("no addition is lost: 8 bits, block", additions<fetch_add_key, unsigned char, thread_scope_block>)
CONCURRENT_TEST("no addition is lost: 16 bits, block", additions<fetch_add_key, unsigned short, thread_scope_block>)
CONCURRENT_TEST("no addition is lost: 32 bits, block", additions<fetch_add_key, unsigned, thread_scope_block>)
CONCURRENT_TEST("no addition is lost: 64 bits, block", additions<fetch_add_key, unsigned long long, thread_scope_block>)
CONCURRENT_TEST("no addition is lost: 8 bits, device", additions<fetch_add_key, signed char, thread_scope_device>)
CONCURRENT_TEST("no addition is lost: 16 bits, device", additions<fetch_add_key, short, thread_scope_device>)
CONCURRENT_TEST("no addition is lost: 32 bits, cluster", additions<fetch_add_key, int, thread_scope_cluster>)
CONCURRENT_TEST("no addition is lost: 16 bits, system", additions<fetch_add_key, unsigned short, thread_scope_system>)
CONCURRENT_TEST("no addition is lost: 32 bits, system", additions<fetch_add_key, int, thread_scope_system>)
CONCURRENT_TEST("no addition is lost: 64 bits, system", additions<fetch_add_key, long long, thread_scope_system>)
CONCURRENT_TEST("no addition is lost: float, device", additions<fetch_add_key, float, thread_scope_device>)
CONCURRENT_TEST("no addition is lost: double, system", additions<fetch_add_key, double, thread_scope_system>)

TESTS_END
