// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.int], [atomics.types.int] (P3111) store_or
#include "support/test.hpp"
import cudax.sync;
#include "key.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct store_or_key {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.store_or(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.store_or(operand, memory_order_relaxed); }
  template <class T> static T expected(T a, T b) { return T(a | b); }
};

TEST("store_or stores the bitwise or: every integer, scope and order") {
  for_each_type_and_scope(integers(), [&]<class T, thread_scope S>() { check_integers<T, S>(test_, store_or_key()); });
}

TEST("store_or does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(),
                              [&]<class T, thread_scope S>() { check_neighbours<T, S>(test_, store_or_key()); });
}

CONCURRENT_TEST("no bit set by a thread is lost: 8 bits, block",
                own_bits<store_or_key, unsigned char, thread_scope_block, false>)
CONCURRENT_TEST("no bit set by a thread is lost: 16 bits, device",
                own_bits<store_or_key, unsigned short, thread_scope_device, false>)
CONCURRENT_TEST("no bit set by a thread is lost: 32 bits, cluster",
                own_bits<store_or_key, unsigned, thread_scope_cluster, false>)
CONCURRENT_TEST("no bit set by a thread is lost: 32 bits, block",
                own_bits<store_or_key, int, thread_scope_block, false>)
CONCURRENT_TEST("no bit set by a thread is lost: 8 bits, system",
                own_bits<store_or_key, signed char, thread_scope_system, false>)
CONCURRENT_TEST("no bit set by a thread is lost: 64 bits, system",
                own_bits<store_or_key, unsigned long long, thread_scope_system, false>)

TESTS_END
