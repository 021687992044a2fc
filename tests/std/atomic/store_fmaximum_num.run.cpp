// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.float], [atomics.types.float] (P3008, P3111) store_fmaximum_num
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct store_fmaximum_num {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.store_fmaximum_num(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.store_fmaximum_num(operand, memory_order_relaxed); }
};

TEST("store_fmaximum_num stores the larger; -0.0 is less than +0.0") {
  check_floats(test_, store_fmaximum_num(), maxima);
}

TEST("store_fmaximum_num: a number takes precedence over NaN") {
  check_floats(test_, store_fmaximum_num(), number_wins);
}

CONCURRENT_TEST("the largest value remains: float, system",
                extremes<store_fmaximum_num, float, thread_scope_system, true>)
CONCURRENT_TEST("the largest value remains: double, block",
                extremes<store_fmaximum_num, double, thread_scope_block, true>)
CONCURRENT_TEST("the largest value remains: _Float16, device",
                extremes<store_fmaximum_num, _Float16, thread_scope_device, true>)
CONCURRENT_TEST("the largest value remains: bfloat16, cluster",
                extremes<store_fmaximum_num, __bf16, thread_scope_cluster, true>)

TESTS_END
