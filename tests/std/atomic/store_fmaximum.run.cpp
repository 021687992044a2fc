// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.float], [atomics.types.float] (P3008, P3111) store_fmaximum
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct store_fmaximum {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.store_fmaximum(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.store_fmaximum(operand, memory_order_relaxed); }
};

TEST("store_fmaximum stores the larger; -0.0 is less than +0.0") { check_floats(test_, store_fmaximum(), maxima); }

TEST("store_fmaximum: NaN takes precedence over a number") { check_floats(test_, store_fmaximum(), nan_wins); }

CONCURRENT_TEST("the largest value remains: float, system", extremes<store_fmaximum, float, thread_scope_system, true>)
CONCURRENT_TEST("the largest value remains: double, block", extremes<store_fmaximum, double, thread_scope_block, true>)
CONCURRENT_TEST("the largest value remains: _Float16, device",
                extremes<store_fmaximum, _Float16, thread_scope_device, true>)
CONCURRENT_TEST("the largest value remains: bfloat16, cluster",
                extremes<store_fmaximum, __bf16, thread_scope_cluster, true>)

TESTS_END
