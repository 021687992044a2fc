// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.float], [atomics.types.float] (P3008, P3111) store_fminimum
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct store_fminimum {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.store_fminimum(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.store_fminimum(operand, memory_order_relaxed); }
};

TEST("store_fminimum stores the smaller; -0.0 is less than +0.0") { check_floats(test_, store_fminimum(), minima); }

TEST("store_fminimum: NaN takes precedence over a number") { check_floats(test_, store_fminimum(), nan_wins); }

CONCURRENT_TEST("the smallest value remains: float, system",
                extremes<store_fminimum, float, thread_scope_system, false>)
CONCURRENT_TEST("the smallest value remains: double, block",
                extremes<store_fminimum, double, thread_scope_block, false>)
CONCURRENT_TEST("the smallest value remains: _Float16, device",
                extremes<store_fminimum, _Float16, thread_scope_device, false>)
CONCURRENT_TEST("the smallest value remains: bfloat16, cluster",
                extremes<store_fminimum, __bf16, thread_scope_cluster, false>)

TESTS_END
