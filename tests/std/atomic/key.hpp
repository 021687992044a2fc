// SPDX-License-Identifier: Apache-2.0
//
// key: what the standard says of every fetch_key and store_key. A test passes a member as a function object key(atomic,
// operand, order...), whose result is void for store_key. The expected new value is key.expected(before, operand),
// plain arithmetic on two values. Include after `import cudax.sync;`.
#pragma once

#include "support/lists.hpp"

namespace cudax_test {
TESTS_BEGIN

template <class Result> inline constexpr bool is_void = __is_same(Result, void);

/// Calls f(order) for the orders that a fetch_key, or a store_key, allows.
template <class Result, class F> void for_each_key_order(F f) {
  if constexpr (is_void<Result>) for_each_store_order(f);
  else for_each_order(f);
}

/// Applies the member. Checks the new value, and that a fetch_key returns the old value.
template <class T, class Atomic, class Key, class... Order>
void check_once(context& test_, Atomic& a, Key key, T before, T operand, T after, Order... order) {
  a.store(before, cudax::memory_order_relaxed);
  if constexpr (is_void<decltype(key(a, operand, order...))>) key(a, operand, order...);
  else CHECK_SAME(key(a, operand, order...), before);
  CHECK_SAME(a.load(cudax::memory_order_relaxed), after);
}

/// Integers: every pair of samples, every order, and the default order.
template <class T, cudax::thread_scope Scope, class Key> void check_integers(context& test_, Key key) {
  using atomic = cudax::atomic<T, Scope>;
  using result = decltype(key(*(atomic*)nullptr, T()));
  integer_samples<T> const samples;
  auto& a = make<atomic>(test_, T());
  for (T const before : samples.at)
    for (T const operand : samples.at) {
      T const after = key.expected(before, operand);
      check_once<T>(test_, a, key, before, operand, after);
      for_each_key_order<result>(
          [&](cudax::memory_order order) { check_once<T>(test_, a, key, before, operand, after, order); });
    }
}

/// Adjacent objects in memory whose other bytes are known.
template <class T> struct row {
  static constexpr int size = 16 / sizeof(T);
  alignas(16) T at[size];

  void clear() { __builtin_memset(static_cast<void*>(this), 0xa5, sizeof(*this)); }
};

/// Through atomic_ref, at every index of a row: checks the object and its neighbours.
template <class T, cudax::thread_scope Scope, class Key> void check_neighbours(context& test_, Key key) {
  integer_samples<T> const samples;
  auto& objects = make<row<T>>(test_);
  for (int i = 0; i < row<T>::size; ++i)
    for (T const before : samples.at)
      for (T const operand : samples.at) {
        row<T> wanted;
        wanted.clear();
        wanted.at[i] = key.expected(before, operand);
        objects.clear();
        cudax::atomic_ref<T, Scope> a(objects.at[i]);
        check_once<T>(test_, a, key, before, operand, wanted.at[i], cudax::memory_order_relaxed);
        CHECK_SAME(objects, wanted);
      }
}

TESTS_END
} // namespace cudax_test
