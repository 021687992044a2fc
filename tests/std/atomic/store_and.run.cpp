// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.int], [atomics.types.int] (P3111) store_and
#include "support/test.hpp"
import cudax.sync;
#include "key.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct store_and_key {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.store_and(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.store_and(operand, memory_order_relaxed); }
  template <class T> static T expected(T a, T b) { return T(a & b); }
};

TEST("store_and stores the bitwise and: every integer, scope and order") {
  for_each_type_and_scope(integers(), [&]<class T, thread_scope S>() { check_integers<T, S>(test_, store_and_key()); });
}

TEST("store_and does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(),
                              [&]<class T, thread_scope S>() { check_neighbours<T, S>(test_, store_and_key()); });
}

CONCURRENT_TEST("no bit cleared by a thread is lost: 8 bits, block",
                own_bits<store_and_key, unsigned char, thread_scope_block, true, true>)
CONCURRENT_TEST("no bit cleared by a thread is lost: 16 bits, device",
                own_bits<store_and_key, unsigned short, thread_scope_device, true, true>)
CONCURRENT_TEST("no bit cleared by a thread is lost: 32 bits, cluster",
                own_bits<store_and_key, unsigned, thread_scope_cluster, true, true>)
CONCURRENT_TEST("no bit cleared by a thread is lost: 32 bits, block",
                own_bits<store_and_key, int, thread_scope_block, true, true>)
CONCURRENT_TEST("no bit cleared by a thread is lost: 8 bits, system",
                own_bits<store_and_key, signed char, thread_scope_system, true, true>)
CONCURRENT_TEST("no bit cleared by a thread is lost: 64 bits, system",
                own_bits<store_and_key, unsigned long long, thread_scope_system, true, true>)

TESTS_END
