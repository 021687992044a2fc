// SPDX-License-Identifier: Apache-2.0
//
// [atomics.nonmembers] atomic_fetch_key, atomic_store_key
#include "support/test.hpp"
import cudax.sync;
#include "floating.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// Both forms of a free function, in the shape that key.hpp expects of a member.
#define FREE_FUNCTION(name, expression)                                                                                \
  struct name##_key {                                                                                                  \
    template <class A, class T> auto operator()(A& a, T operand) const { return atomic_##name(&a, operand); }          \
    template <class A, class T> auto operator()(A& a, T operand, memory_order order) const {                           \
      return atomic_##name##_explicit(&a, operand, order);                                                             \
    }                                                                                                                  \
    template <class T> static T expected([[maybe_unused]] T a, [[maybe_unused]] T b) { return expression; }            \
  };
namespace free_function {
FREE_FUNCTION(fetch_add, T((unsigned long long)a + (unsigned long long)b))
FREE_FUNCTION(fetch_sub, T((unsigned long long)a - (unsigned long long)b))
FREE_FUNCTION(fetch_and, T(a& b))
FREE_FUNCTION(fetch_or, T(a | b))
FREE_FUNCTION(fetch_xor, T(a ^ b))
FREE_FUNCTION(fetch_max, a < b ? b : a)
FREE_FUNCTION(fetch_min, b < a ? b : a)
FREE_FUNCTION(fetch_fmaximum, a)
FREE_FUNCTION(fetch_fminimum, a)
FREE_FUNCTION(fetch_fmaximum_num, a)
FREE_FUNCTION(fetch_fminimum_num, a)
FREE_FUNCTION(store_add, T((unsigned long long)a + (unsigned long long)b))
FREE_FUNCTION(store_sub, T((unsigned long long)a - (unsigned long long)b))
FREE_FUNCTION(store_and, T(a& b))
FREE_FUNCTION(store_or, T(a | b))
FREE_FUNCTION(store_xor, T(a ^ b))
FREE_FUNCTION(store_max, a < b ? b : a)
FREE_FUNCTION(store_min, b < a ? b : a)
FREE_FUNCTION(store_fmaximum, a)
FREE_FUNCTION(store_fminimum, a)
FREE_FUNCTION(store_fmaximum_num, a)
FREE_FUNCTION(store_fminimum_num, a)
} // namespace free_function
#undef FREE_FUNCTION

template <class Key, int Count> void check_float(context& test_, Key key, floating_row const (&rows)[Count]) {
  for_each_type_shared_or_not(types<float>(),
                              [&]<class T, thread_scope S>() { check_rows<T, S>(test_, key, rows, Count); });
}

template <class... Key> void check_integers_of(context& test_, Key... key) {
  for_each_type_shared_or_not(machine_integers(),
                              [&]<class T, thread_scope S>() { (check_integers<T, S>(test_, key), ...); });
}

TEST("atomic_fetch_add, sub, and, or, xor, max and min return the old value and store the result: every integer and "
     "order") {
  using namespace free_function;
  check_integers_of(test_, fetch_add_key(), fetch_sub_key(), fetch_and_key(), fetch_or_key(), fetch_xor_key(),
                    fetch_max_key(), fetch_min_key());
}

TEST("atomic_fetch_add, sub, max, min and the fmaximum family return the old value and store the result: float") {
  using namespace free_function;
  check_float(test_, fetch_add_key(), sums);
  check_float(test_, fetch_sub_key(), differences);
  check_float(test_, fetch_max_key(), maxima);
  check_float(test_, fetch_min_key(), minima);
  check_float(test_, fetch_fmaximum_key(), maxima);
  check_float(test_, fetch_fmaximum_key(), nan_wins);
  check_float(test_, fetch_fminimum_key(), minima);
  check_float(test_, fetch_fminimum_key(), nan_wins);
  check_float(test_, fetch_fmaximum_num_key(), maxima);
  check_float(test_, fetch_fmaximum_num_key(), number_wins);
  check_float(test_, fetch_fminimum_num_key(), minima);
  check_float(test_, fetch_fminimum_num_key(), number_wins);
}

TEST("atomic_store_add, sub, and, or, xor, max and min store the result: every integer and order") {
  using namespace free_function;
  check_integers_of(test_, store_add_key(), store_sub_key(), store_and_key(), store_or_key(), store_xor_key(),
                    store_max_key(), store_min_key());
}

TEST("atomic_store_add, sub, max, min and the fmaximum family store the result: float") {
  using namespace free_function;
  check_float(test_, store_add_key(), sums);
  check_float(test_, store_sub_key(), differences);
  check_float(test_, store_max_key(), maxima);
  check_float(test_, store_min_key(), minima);
  check_float(test_, store_fmaximum_key(), maxima);
  check_float(test_, store_fmaximum_key(), nan_wins);
  check_float(test_, store_fminimum_key(), minima);
  check_float(test_, store_fminimum_key(), nan_wins);
  check_float(test_, store_fmaximum_num_key(), maxima);
  check_float(test_, store_fmaximum_num_key(), number_wins);
  check_float(test_, store_fminimum_num_key(), minima);
  check_float(test_, store_fminimum_num_key(), number_wins);
}

TEST("the free functions on pointers count elements and compare addresses: every scope") {
  double values[6] = {};
  for_each_scope([&]<thread_scope S>() {
    auto& a = make<atomic<double*, S>>(test_, values);
    CHECK(atomic_fetch_add(&a, 4) == values);
    CHECK(atomic_fetch_add_explicit(&a, -1, memory_order_relaxed) == values + 4);
    CHECK(atomic_fetch_sub(&a, 2) == values + 3);
    CHECK(atomic_fetch_sub_explicit(&a, -3, memory_order_acquire) == values + 1);
    atomic_store_add(&a, 1);
    atomic_store_add_explicit(&a, -2, memory_order_release);
    atomic_store_sub(&a, 1);
    atomic_store_sub_explicit(&a, 1, memory_order_relaxed);
    CHECK(atomic_load(&a) == values + 1);
    CHECK(atomic_fetch_max(&a, values + 3) == values + 1);
    CHECK(atomic_fetch_min(&a, values + 2) == values + 3);
    atomic_store_max(&a, values + 5);
    atomic_store_min(&a, values + 4);
    CHECK(atomic_load(&a) == values + 4);
  });
}

TESTS_END
