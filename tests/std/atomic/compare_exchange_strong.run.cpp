// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.ops], [atomics.types.operations] compare_exchange_strong
#include "support/test.hpp"
import cudax.sync;
#include "compare_exchange.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct strong {
  template <class A, class T, class... Order>
  static bool apply(A& a, T& expected, T desired, Order... order) {
    return a.compare_exchange_strong(expected, desired, order...);
  }
};

TEST("compare_exchange_strong replaces the expected value, or returns the current one: every type and scope") {
  check_every_value<strong>(test_);
}

TEST("compare_exchange_strong accepts every order, and every failure order with every success order") {
  check_every_order<strong>(test_);
}

TEST("compare_exchange_strong does not change the bytes around the object") {
  check_exchange_neighbours<strong>(test_);
}

TEST("compare_exchange_strong compares bits: NaN equals itself, and the zeros differ") {
  check_bits_decide<strong>(test_);
}

CONCURRENT_TEST("no increment is lost: 8 bits, block", exchanged_increments<strong, unsigned char, thread_scope_block>)
CONCURRENT_TEST("no increment is lost: 16 bits, device", exchanged_increments<strong, short, thread_scope_device>)
CONCURRENT_TEST("no increment is lost: 32 bits, cluster", exchanged_increments<strong, unsigned, thread_scope_cluster>)
CONCURRENT_TEST("no increment is lost: 8 bits, system", exchanged_increments<strong, signed char, thread_scope_system>)
CONCURRENT_TEST("no increment is lost: 64 bits, system", exchanged_increments<strong, long long, thread_scope_system>)
CONCURRENT_TEST("a node of a linked stack has one owner: block", linked_stack<strong, thread_scope_block>)
CONCURRENT_TEST("a node of a linked stack has one owner: device", linked_stack<strong, thread_scope_device>)
CONCURRENT_TEST("a node of a linked stack has one owner: system", linked_stack<strong, thread_scope_system>)

TESTS_END
