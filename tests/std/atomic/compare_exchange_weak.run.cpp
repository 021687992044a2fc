// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.ops], [atomics.types.operations] compare_exchange_weak
#include "support/test.hpp"
import cudax.sync;
#include "compare_exchange.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct weak {
  template <class A, class T, class... Order>
  static bool apply(A& a, T& expected, T desired, Order... order) {
    return a.compare_exchange_weak(expected, desired, order...);
  }
};

TEST("compare_exchange_weak replaces the expected value, or returns the current one: every type and scope") {
  check_every_value<weak>(test_);
}

TEST("compare_exchange_weak accepts every order, and every failure order with every success order") {
  check_every_order<weak>(test_);
}

TEST("compare_exchange_weak does not change the bytes around the object") { check_exchange_neighbours<weak>(test_); }

TEST("compare_exchange_weak compares bits: NaN equals itself, and the zeros differ") { check_bits_decide<weak>(test_); }

CONCURRENT_TEST("no increment is lost: 8 bits, block", exchanged_increments<weak, unsigned char, thread_scope_block>)
CONCURRENT_TEST("no increment is lost: 16 bits, device", exchanged_increments<weak, short, thread_scope_device>)
CONCURRENT_TEST("no increment is lost: 32 bits, cluster", exchanged_increments<weak, unsigned, thread_scope_cluster>)
CONCURRENT_TEST("no increment is lost: 8 bits, system", exchanged_increments<weak, signed char, thread_scope_system>)
CONCURRENT_TEST("no increment is lost: 64 bits, system", exchanged_increments<weak, long long, thread_scope_system>)
CONCURRENT_TEST("a node of a linked stack has one owner: block", linked_stack<weak, thread_scope_block>)
CONCURRENT_TEST("a node of a linked stack has one owner: device", linked_stack<weak, thread_scope_device>)
CONCURRENT_TEST("a node of a linked stack has one owner: system", linked_stack<weak, thread_scope_system>)

TESTS_END
