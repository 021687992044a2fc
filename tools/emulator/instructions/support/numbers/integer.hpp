// SPDX-License-Identifier: Apache-2.0
//
// integer: wider and narrower integers, products, clamping.
#pragma once

#include "function.hpp"

#include <limits>

namespace emulator {

template <class T>
inline constexpr int bits_in = int(sizeof(T) * 8);

template <class T>
using unsigned_of =
    std::conditional_t<sizeof(T) == 1, u8,
                       std::conditional_t<sizeof(T) == 2, u16, std::conditional_t<sizeof(T) == 4, u32, u64>>>;
template <class T>
inline constexpr bool is_signed_integer = std::is_integral_v<T> && std::is_signed_v<T>;

/// The integer of twice as many bits and the same sign.
template <class T>
using twice = std::conditional_t<
    is_signed_integer<T>,
    std::conditional_t<sizeof(T) == 1, s16,
                       std::conditional_t<sizeof(T) == 2, s32, std::conditional_t<sizeof(T) == 4, s64, __int128>>>,
    std::conditional_t<sizeof(T) == 1, u16,
                       std::conditional_t<sizeof(T) == 2, u32, std::conditional_t<sizeof(T) == 4, u64, u128>>>>;

template <class T>
constexpr twice<T> full_product(T a, T b) {
  return twice<T>(a) * twice<T>(b);
}
template <class T>
constexpr T low_product(T a, T b) {
  return T(full_product(a, b));
}
template <class T>
constexpr T high_product(T a, T b) {
  return T(full_product(a, b) >> bits_in<T>);
}

// Sums and differences wrap, for signed integers, too.
template <class T>
constexpr T wrapping_sum(T a, T b) {
  return T(unsigned_of<T>(unsigned_of<T>(a) + unsigned_of<T>(b)));
}
template <class T>
constexpr T wrapping_difference(T a, T b) {
  return T(unsigned_of<T>(unsigned_of<T>(a) - unsigned_of<T>(b)));
}

/// The integer of type T that is nearest to x.
template <class T, class From>
constexpr T clamped(From x) {
  if constexpr (is_signed_integer<From>) {
    if (__int128(x) < __int128(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (__int128(x) > __int128(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  } else if (u128(x) > u128(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return T(x);
}

/// F on both halves of u16x2 and s16x2.
template <auto F, class T>
struct integer_halves;
template <auto F, class T>
struct integer_halves<F, T (*)(T, T)> {
  static two<T> apply(two<T> a, two<T> b) { return {F(a.low, b.low), F(a.high, b.high)}; }
};
template <auto F>
inline constexpr auto on_integer_halves = integer_halves<F, decltype(F)>::apply;

} // namespace emulator
