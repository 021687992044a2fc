// SPDX-License-Identifier: Apache-2.0
//
// floating: the common parts of instructions on floating-point numbers: .ftz, .sat, .relu, NaN, packed halves.
#pragma once

#include "exact.hpp"
#include "function.hpp"

namespace emulator {

template <class T>
constexpr T flushed(mode m, T x) {
  return m.ftz && is_subnormal(x) ? signed_zero<T>(is_negative(x)) : x;
}

/// Returns a result after .ftz, .sat and .relu.
template <class T>
constexpr T finished(mode m, T x) {
  x = flushed(m, x);
  if (m.sat) {
    if (is_nan(x) || is_negative(x)) return signed_zero<T>(false);
    if (magnitude_of(x) > magnitude_of(one<T>())) return one<T>();
  }
  if (m.relu && !is_nan(x) && is_negative(x)) return signed_zero<T>(false);
  return x;
}

/// Returns the host's result, with its NaN replaced by PTX's.
template <class T, class... A>
constexpr T without_host_nan(T result, A... operands) {
  if (result != result) [[unlikely]] // NOLINT(misc-redundant-expression): of a NaN alone
    return nan_from<T>({operands...});
  return result;
}

template <class T>
inline constexpr bool is_native = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
inline constexpr bool is_packed = false;
template <class T>
inline constexpr bool is_packed<two<T>> = true;

/// F on both halves.
template <auto F, class T>
struct halves;
template <auto F, class T>
struct halves<F, T (*)(mode, T)> {
  static two<T> apply(mode m, two<T> a) { return {F(m, a.low), F(m, a.high)}; }
};
template <auto F, class T>
struct halves<F, T (*)(mode, T, T)> {
  static two<T> apply(mode m, two<T> a, two<T> b) { return {F(m, a.low, b.low), F(m, a.high, b.high)}; }
};
template <auto F, class T>
struct halves<F, T (*)(mode, T, T, T)> {
  static two<T> apply(mode m, two<T> a, two<T> b, two<T> c) {
    return {F(m, a.low, b.low, c.low), F(m, a.high, b.high, c.high)};
  }
};
template <auto F>
inline constexpr auto on_halves = halves<F, decltype(F)>::apply;

} // namespace emulator
