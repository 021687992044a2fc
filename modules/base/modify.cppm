// SPDX-License-Identifier: Apache-2.0
//
// modify: the arithmetic of fetch-and-modify operations, on plain values.  [atomics.ref.int], [atomics.ref.float]
// The machine performs the common operations in one instruction. The other operations are loops on compare_exchange
// that call `modified`. At thread scope, `modified` performs all operations.
module;
#include "macros.hpp"
export module cudax.sync:modify;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

enum class modification { add, bit_and, bit_or, bit_xor, max, min, maximum, minimum, maximum_number, minimum_number };

/// The type in which fetch-and-modify computes for the value type T: u64, an address, for a pointer; the compiler's own
/// type for the 16-bit floating-point types, those of CUDA's headers included; otherwise T itself.
template <class T>
using operand_of = choose<half<T>, _Float16, choose<bfloat16<T>, __bf16, choose<pointer<T>, u64, T>>>;

/// bfloat16 arithmetic is done in float. `narrow` rounds to nearest even itself, because libgcc 12 has no __truncsfbf2.
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

/// Returns the negative of `operand`: adding it subtracts `operand`.
template <class V>
V negated(V operand) noexcept {
  if constexpr (__is_integral(V)) return V(word_of<V>(0) - word_of<V>(operand));
  else return from_word<V>(to_word(operand) ^ (word_of<V>(1) << (8 * sizeof(V) - 1)));
}

/// Returns the larger of two values. Floating-point values follow IEEE 754-2019: -0.0 is less than +0.0. If one value
/// is NaN, `nan_wins` selects the result: NaN (maximum) or the other value (maximumNumber).
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

/// Returns the result of the modification M with `operand`, applied to the value `before`.
template <modification M, class V>
V modified(V before, V operand) noexcept {
  if constexpr (M == modification::add) return sum(before, operand);
  else if constexpr (M == modification::bit_and) return before & operand;
  else if constexpr (M == modification::bit_or) return before | operand;
  else if constexpr (M == modification::bit_xor) return before ^ operand;
  else if constexpr (M == modification::max) return larger(before, operand, false);
  else if constexpr (M == modification::min) return smaller(before, operand, false);
  else if constexpr (M == modification::maximum) return larger(before, operand, true);
  else if constexpr (M == modification::minimum) return smaller(before, operand, true);
  else if constexpr (M == modification::maximum_number) return larger(before, operand, false);
  else return smaller(before, operand, false);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
