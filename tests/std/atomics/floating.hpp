// SPDX-License-Identifier: Apache-2.0
//
// floating: fetch_key and store_key of floating-point numbers, over tables of values. A row of a table holds the old
// value, the operand and the expected new value. `any_nan` stands for any NaN. Include after `import cudax.sync;`.
#pragma once

#include "key.hpp"

namespace cudax_test {
TESTS_BEGIN

// Shifts the sign out. Masked out instead, it becomes a call of fabs, which libgcc 12 cannot link for bfloat16.
template <class T> bool is_nan(bits<T> value) { return bits<T>(value << 1) > bits<T>(bits_of(infinity<T>()) << 1); }

/// A number that every format represents, or one of the special values.
struct special {
  enum kind { number, zero, minus_zero, infinity, minus_infinity, nan, other_nan } what;
  float value;

  constexpr special(float value) : what(number), value(value) {}
  constexpr special(kind what) : what(what), value(0) {}

  template <class T> T as() const { return __builtin_bit_cast(T, bits_as<T>()); }

  // Returns bits: clang 22 widens a __bf16 that is live across branches to float, and libgcc 12 cannot narrow it again.
  template <class T> [[clang::noinline]] bits<T> bits_as() const {
    switch (what) {
    case number: return bits_of(cudax_test::number<T>(value));
    case zero: return 0;
    case minus_zero: return bits_of(negative_zero<T>());
    case infinity: return bits_of(cudax_test::infinity<T>());
    case minus_infinity: return bits_of(cudax_test::infinity<T>()) | bits_of(negative_zero<T>());
    case nan: return bits_of(quiet_nan<T>());
    default: return bits_of(quiet_nan<T>(5));
    }
  }
};
inline constexpr special::kind any_nan = special::nan;

struct floating_row {
  special before, operand, after;
};

/// Checks every row with every order.
template <class T, cudax::thread_scope Scope, class Key>
void check_rows(context& test_, Key key, floating_row const* rows, int count) {
  using atomic = cudax::atomic<T, Scope>;
  using result = decltype(key(*(atomic*)nullptr, T()));
  auto& a = make<atomic>(test_, T());
  for (int i = 0; i < count; ++i) {
    T const before = rows[i].before.template as<T>();
    T const operand = rows[i].operand.template as<T>();
    bits<T> const after = rows[i].after.template bits_as<T>();
    for_each_key_order<result>([&](cudax::memory_order order) {
      a.store(before, cudax::memory_order_relaxed);
      if constexpr (is_void<result>) key(a, operand, order);
      else CHECK_EQUAL(bits_of(key(a, operand, order)), bits_of(before));
      bits<T> const left = bits_of(a.load(cudax::memory_order_relaxed));
      if (is_nan<T>(after)) CHECK(is_nan<T>(left));
      else CHECK_EQUAL(left, after);
    });
  }
}

/// Checks every format and scope.
template <class Key, int Count>
void check_floats(context& test_, Key key, floating_row const (&rows)[Count]) {
  for_each_type_and_scope(floats(),
                          [&]<class T, cudax::thread_scope Scope>() { check_rows<T, Scope>(test_, key, rows, Count); });
}

// --- the tables ------------------------------------------------------------------------------------------------------

/// Sums that every format represents exactly, and special values.
inline constexpr floating_row sums[] = {
    {1.5f, 0.25f, 1.75f},
    {1.5f, -2.0f, -0.5f},
    {-0.5f, -96.0f, -96.5f},
    {1.0f, -1.0f, special::zero},
    {special::zero, special::minus_zero, special::zero},
    {special::minus_zero, special::minus_zero, special::minus_zero},
    {special::infinity, 1.0f, special::infinity},
    {1.0f, special::minus_infinity, special::minus_infinity},
    {special::infinity, special::minus_infinity, any_nan},
    {special::nan, 1.0f, any_nan},
    {1.0f, special::nan, any_nan},
};

inline constexpr floating_row differences[] = {
    {1.5f, 0.25f, 1.25f},
    {1.5f, -2.0f, 3.5f},
    {-0.5f, 96.0f, -96.5f},
    {1.0f, 1.0f, special::zero},
    {special::zero, special::zero, special::zero},
    {special::minus_zero, special::zero, special::minus_zero},
    {special::infinity, 1.0f, special::infinity},
    {1.0f, special::infinity, special::minus_infinity},
    {special::infinity, special::infinity, any_nan},
    {special::nan, 1.0f, any_nan},
    {1.0f, special::nan, any_nan},
};

/// Results of fmaximum and fminimum: NaN takes precedence, and -0.0 is less than +0.0.
inline constexpr floating_row maxima[] = {
    {1.5f, 0.25f, 1.5f},
    {0.25f, 1.5f, 1.5f},
    {-1.5f, -0.25f, -0.25f},
    {-1.5f, 0.25f, 0.25f},
    {1.0f, 1.0f, 1.0f},
    {special::zero, special::minus_zero, special::zero},
    {special::minus_zero, special::zero, special::zero},
    {special::minus_zero, special::minus_zero, special::minus_zero},
    {special::infinity, 96.0f, special::infinity},
    {special::minus_infinity, -96.0f, -96.0f},
    {special::minus_infinity, special::infinity, special::infinity},
    {special::nan, special::other_nan, any_nan},
};
inline constexpr floating_row minima[] = {
    {1.5f, 0.25f, 0.25f},
    {0.25f, 1.5f, 0.25f},
    {-1.5f, -0.25f, -1.5f},
    {-1.5f, 0.25f, -1.5f},
    {1.0f, 1.0f, 1.0f},
    {special::zero, special::minus_zero, special::minus_zero},
    {special::minus_zero, special::zero, special::minus_zero},
    {special::zero, special::zero, special::zero},
    {special::infinity, 96.0f, 96.0f},
    {special::minus_infinity, -96.0f, special::minus_infinity},
    {special::infinity, special::minus_infinity, special::minus_infinity},
    {special::nan, special::other_nan, any_nan},
};
/// NaN with a number: the result is NaN (maximum, minimum) or the number (maximumNumber, minimumNumber).
inline constexpr floating_row nan_wins[] = {
    {special::nan, 1.0f, any_nan},
    {1.0f, special::nan, any_nan},
    {special::nan, special::minus_infinity, any_nan},
    {special::infinity, special::nan, any_nan},
};
inline constexpr floating_row number_wins[] = {
    {special::nan, 1.0f, 1.0f},
    {1.0f, special::nan, 1.0f},
    {special::nan, special::minus_infinity, special::minus_infinity},
    {special::infinity, special::nan, special::infinity},
    {special::minus_zero, special::nan, special::minus_zero},
};

TESTS_END
} // namespace cudax_test
