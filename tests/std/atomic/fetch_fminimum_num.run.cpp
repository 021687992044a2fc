// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.float], [atomics.types.float] (P3008) fetch_fminimum_num
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"
#include "many_threads.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct fetch_fminimum_num {
  template <class A, class T, class... Order> auto operator()(A& a, T operand, Order... order) const {
    return a.fetch_fminimum_num(operand, order...);
  }
  template <class A, class T> static void apply(A a, T operand) { a.fetch_fminimum_num(operand, memory_order_relaxed); }
};

TEST("fetch_fminimum_num returns the old value and stores the smaller; -0.0 is less than +0.0") {
  check_floats(test_, fetch_fminimum_num(), minima);
}

TEST("fetch_fminimum_num: a number takes precedence over NaN") {
  check_floats(test_, fetch_fminimum_num(), number_wins);
}

CONCURRENT_TEST("the smallest value remains: float, system",
                extremes<fetch_fminimum_num, float, thread_scope_system, false>)
CONCURRENT_TEST("the smallest value remains: double, block",
                extremes<fetch_fminimum_num, double, thread_scope_block, false>)
CONCURRENT_TEST("the smallest value remains: _Float16, device",
                extremes<fetch_fminimum_num, _Float16, thread_scope_device, false>)
CONCURRENT_TEST("the smallest value remains: bfloat16, cluster",
                extremes<fetch_fminimum_num, __bf16, thread_scope_cluster, false>)

TESTS_END
