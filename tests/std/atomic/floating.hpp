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
  enum kind { number, zero, minus_zero, infinity, minus_infinity, nan, other_nan, minus_nan } what;
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
    case minus_nan: return bits_of(quiet_nan<T>()) | bits_of(negative_zero<T>());
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

// --- fetch_max and fetch_min: every pair -----------------------------------------------------------------------------

/// Values at the limits of every class of numbers, in ascending order, and NaN of both signs.
template <class T> struct floating_samples {
  static constexpr int magnitudes = 7;
  static constexpr int numbers = 2 * magnitudes;
  static constexpr int count = numbers + 4;
  bits<T> at[count];

  floating_samples() {
    bits<T> const sign = bits_of(negative_zero<T>());
    bits<T> const infinite = bits_of(infinity<T>());
    bits<T> const smallest_normal = infinite & bits<T>(-infinite);
    bits<T> const ascending[magnitudes] = {
        0, 1, bits<T>(smallest_normal - 1), smallest_normal, bits_of(number<T>(1.5f)), bits<T>(infinite - 1), infinite};
    for (int i = 0; i < magnitudes; ++i) {
      at[magnitudes + i] = ascending[i];
      at[magnitudes - 1 - i] = ascending[i] | sign;
    }
    // Only quiet NaN: where clang widens a __bf16 to float, a signaling one becomes quiet.
    at[numbers] = bits_of(quiet_nan<T>());
    at[numbers + 1] = bits_of(quiet_nan<T>()) | sign;
    at[numbers + 2] = bits<T>(~sign);
    at[numbers + 3] = bits<T>(~bits<T>(0));
  }

  bool is_number(int i) const { return i < numbers; }
  bool is_negative(int i) const { return at[i] >> (8 * sizeof(T) - 1); }

  /// Returns which sample fetch_max leaves (Largest), or fetch_min. An operand that is NaN changes nothing. If the old
  /// value is NaN, its sign decides whether a number replaces it. That much is more than the standard and the docstring
  /// promise: host and device must agree.
  template <bool Largest> int after(int before, int operand) const {
    if (!is_number(operand)) return before;
    if (!is_number(before)) return is_negative(before) == Largest ? operand : before;
    return (before < operand) == Largest ? operand : before;
  }
};

// A function of its own, which gets bits: see special::bits_as.
template <class T, class Atomic, class Key>
[[clang::noinline]] void check_pair(context& test_, Atomic& a, Key key, bits<T> before, bits<T> operand,
                                    bits<T> after) {
  a.store(__builtin_bit_cast(T, before), cudax::memory_order_relaxed);
  if constexpr (is_void<decltype(key(a, T(), cudax::memory_order_relaxed))>)
    key(a, __builtin_bit_cast(T, operand), cudax::memory_order_relaxed);
  else CHECK_EQUAL(bits_of(key(a, __builtin_bit_cast(T, operand), cudax::memory_order_relaxed)), before);
  CHECK_EQUAL(bits_of(a.load(cudax::memory_order_relaxed)), after);
}

/// Checks fetch_max or store_max (Largest), fetch_min or store_min: every pair of samples, every format and scope.
template <bool Largest, class Key> void check_every_pair(context& test_, Key key) {
  for_each_type_and_scope(floats(), [&]<class T, cudax::thread_scope Scope>() {
    floating_samples<T> const samples;
    auto& a = make<cudax::atomic<T, Scope>>(test_, T());
    for (int before = 0; before < samples.count; ++before)
      for (int operand = 0; operand < samples.count; ++operand)
        check_pair<T>(test_, a, key, samples.at[before], samples.at[operand],
                      samples.at[samples.template after<Largest>(before, operand)]);
  });
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

/// Results of every maximum and minimum of two numbers, or of two NaN: -0.0 is less than +0.0.
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
    {special::minus_nan, 1.0f, any_nan},
    {-1.0f, special::minus_nan, any_nan},
};
inline constexpr floating_row number_wins[] = {
    {special::nan, 1.0f, 1.0f},
    {1.0f, special::nan, 1.0f},
    {special::nan, special::minus_infinity, special::minus_infinity},
    {special::infinity, special::nan, special::infinity},
    {special::minus_zero, special::nan, special::minus_zero},
    {special::minus_nan, 1.0f, 1.0f},
    {-1.0f, special::minus_nan, -1.0f},
    {special::minus_nan, special::infinity, special::infinity},
};

TESTS_END
} // namespace cudax_test
