// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer] fetch_sub
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct fetch_sub_key {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.fetch_sub(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.fetch_sub(operand, memory_order_relaxed); }
  template <class T> static T expected(T a, T b) { return T((unsigned long long)a - (unsigned long long)b); }
};

TEST("fetch_sub returns the old value and stores the difference modulo 2^N: every integer, scope and "
     "order") {
  for_each_type_and_scope(integers(), [&]<class T, thread_scope S>() { check_integers<T, S>(test_, fetch_sub_key()); });
}

TEST("fetch_sub does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(),
                              [&]<class T, thread_scope S>() { check_neighbours<T, S>(test_, fetch_sub_key()); });
}

TEST("fetch_sub of floating point returns the old value and stores the difference") {
  check_floats(test_, fetch_sub_key(), differences);
}

TEST("fetch_sub of a pointer counts elements: every order") {
  for_each_type_shared_or_not(types<char, three_bytes, double, three_bytes const>(), [&]<class T, thread_scope S>() {
    T values[6] = {};
    auto& a = make<atomic<T*, S>>(test_, values + 5);
    for_each_key_order<int>([&](memory_order order) {
      CHECK(a.fetch_sub(3, order) == values + 5);
      CHECK(a.load() == values + 2);
      CHECK(a.fetch_sub(-2, order) == values + 2);
      CHECK(a.load() == values + 4);
      a.store(values + 5);
    });
  });
}

CONCURRENT_TEST("no subtraction is lost: 8 bits, block",
                additions<fetch_sub_key, unsigned char, thread_scope_block, -1>)
CONCURRENT_TEST("no subtraction is lost: 16 bits, block",
                additions<fetch_sub_key, unsigned short, thread_scope_block, -1>)
CONCURRENT_TEST("no subtraction is lost: 32 bits, block", additions<fetch_sub_key, unsigned, thread_scope_block, -1>)
CONCURRENT_TEST("no subtraction is lost: 64 bits, block",
                additions<fetch_sub_key, unsigned long long, thread_scope_block, -1>)
CONCURRENT_TEST("no subtraction is lost: 8 bits, device",
                additions<fetch_sub_key, signed char, thread_scope_device, -1>)
CONCURRENT_TEST("no subtraction is lost: 16 bits, device", additions<fetch_sub_key, short, thread_scope_device, -1>)
CONCURRENT_TEST("no subtraction is lost: 32 bits, cluster", additions<fetch_sub_key, int, thread_scope_cluster, -1>)
CONCURRENT_TEST("no subtraction is lost: 16 bits, system",
                additions<fetch_sub_key, unsigned short, thread_scope_system, -1>)
CONCURRENT_TEST("no subtraction is lost: 32 bits, system", additions<fetch_sub_key, int, thread_scope_system, -1>)
CONCURRENT_TEST("no subtraction is lost: 64 bits, system", additions<fetch_sub_key, long long, thread_scope_system, -1>)
CONCURRENT_TEST("no subtraction is lost: float, device", additions<fetch_sub_key, float, thread_scope_device, -1>)
CONCURRENT_TEST("no subtraction is lost: double, system", additions<fetch_sub_key, double, thread_scope_system, -1>)

TESTS_END
