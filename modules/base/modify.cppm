// SPDX-License-Identifier: Apache-2.0
//
// modify: the functions of fetch-and-modify, on plain values.  [atomics.ref.int], [atomics.ref.float]
// The machine does the common ones in one instruction; a loop on compare_exchange does the others with `modified`, and
// thread scope does all of them with it.
module;
#include "macros.hpp"
export module cudax.sync:modify;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

enum class modification { add, bit_and, bit_or, bit_xor, max, min, maximum, minimum };

/// The type that fetch-and-modify calculates with for a value type: itself, the compiler's own 16-bit types for those
/// of the toolkit's headers, or an address.
template <class T>
using operand_of = choose<half<T>, _Float16, choose<bfloat16<T>, __bf16, choose<pointer<T>, u64, T>>>;

/// bfloat16 is calculated in float and rounded to nearest even by hand: libgcc 12 has no __truncsfbf2.
inline float widen(__bf16 value) noexcept {
  return __builtin_bit_cast(float, u32(__builtin_bit_cast(u16, value)) << 16);
}
inline __bf16 narrow(float value) noexcept {
  u32 const bits = __builtin_bit_cast(u32, value);
  bool const nan = (bits & 0x7fffffff) > 0x7f800000;
  return __builtin_bit_cast(__bf16, u16(nan ? 0x7fff : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16));
}

template <class V>
bool is_nan(V value) noexcept {
  if constexpr (same_as<V, __bf16>) return is_nan(widen(value));
  else return value != value;
}
template <class V>
bool is_negative(V value) noexcept {
  return to_word(value) >> (8 * sizeof(V) - 1);
}
template <class V>
bool is_less(V a, V b) noexcept {
  if constexpr (same_as<V, __bf16>) return widen(a) < widen(b);
  else return a < b;
}

template <class V>
V sum(V a, V b) noexcept {
  if constexpr (same_as<V, __bf16>) return narrow(widen(a) + widen(b));
  else if constexpr (__is_integral(V)) return V(word_of<V>(a) + word_of<V>(b)); // wraps round, signed too
  else return a + b;
}

/// What subtracting `operand` adds.
template <class V>
V negated(V operand) noexcept {
  if constexpr (__is_integral(V)) return V(word_of<V>(0) - word_of<V>(operand));
  else return from_word<V>(to_word(operand) ^ (word_of<V>(1) << (8 * sizeof(V) - 1)));
}

/// The larger of two values. IEEE 754-2019: -0.0 is less than +0.0; where one is NaN, NaN wins (maximum) or the number
/// does (maximumNumber).
template <class V>
V larger(V a, V b, bool nan_wins) noexcept {
  if constexpr (floating<V>) {
    if (is_nan(a)) return nan_wins ? a : b;
    if (is_nan(b)) return nan_wins ? b : a;
    if (!is_less(a, b) && !is_less(b, a)) return is_negative(a) ? b : a;
  }
  return is_less(a, b) ? b : a;
}
template <class V>
V smaller(V a, V b, bool nan_wins) noexcept {
  if constexpr (floating<V>) {
    if (is_nan(a)) return nan_wins ? a : b;
    if (is_nan(b)) return nan_wins ? b : a;
    if (!is_less(a, b) && !is_less(b, a)) return is_negative(a) ? a : b;
  }
  return is_less(b, a) ? b : a;
}

template <modification M, class V>
V modified(V before, V operand) noexcept {
  if constexpr (M == modification::add) return sum(before, operand);
  else if constexpr (M == modification::bit_and) return before & operand;
  else if constexpr (M == modification::bit_or) return before | operand;
  else if constexpr (M == modification::bit_xor) return before ^ operand;
  else if constexpr (M == modification::max) return larger(before, operand, false);
  else if constexpr (M == modification::min) return smaller(before, operand, false);
  else if constexpr (M == modification::maximum) return larger(before, operand, true);
  else return smaller(before, operand, true);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
