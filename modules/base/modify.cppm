// SPDX-License-Identifier: Apache-2.0
//
// modify: the arithmetic of fetch-and-modify operations, on plain values.  [atomics.ref.int], [atomics.ref.float]
// The machine performs the common operations in one instruction. Max and min of float and double are integer operations
// (through_integers). The other operations are loops on compare_exchange that call `modified`. At thread scope,
// `modified` performs all operations.
module;
#include "macros.hpp"
export module cudax.sync:modify;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// For floating-point numbers `max` and `min` are those of fetch_max and fetch_min (through_integers); the others are
/// the operations of IEEE 754-2019 with these names.
enum class modification { add, bit_and, bit_or, bit_xor, max, min, maximum, minimum, maximum_number, minimum_number };

/// The type in which fetch-and-modify computes for the value type T: u64, an address, for a pointer; the compiler's own
/// type for the 16-bit floating-point types, those of CUDA's headers included; otherwise T itself.
template <class T>
using operand_of = choose<half<T>, _Float16, choose<bfloat16<T>, __bf16, choose<pointer<T>, u64, T>>>;

/// bfloat16 arithmetic is done in float. `narrow` rounds to nearest even itself, because libgcc 12 has no __truncsfbf2.
constexpr float widen(__bf16 value) noexcept {
  return __builtin_bit_cast(float, u32(__builtin_bit_cast(u16, value)) << 16);
}
constexpr __bf16 narrow(float value) noexcept {
  u32 const bits = __builtin_bit_cast(u32, value);
  bool const nan = (bits & 0x7fffffff) > 0x7f800000;
  return __builtin_bit_cast(__bf16, u16(nan ? 0x7fff : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16));
}

template <class V>
constexpr bool is_nan(V value) noexcept {
  if constexpr (same_as<V, __bf16>) return is_nan(widen(value));
  else return value != value;
}
template <class V>
constexpr bool is_negative(V value) noexcept {
  return to_word(value) >> (8 * sizeof(V) - 1);
}
template <class V>
constexpr bool is_less(V a, V b) noexcept {
  if constexpr (same_as<V, __bf16>) return widen(a) < widen(b);
  else return a < b;
}

template <class V>
constexpr V sum(V a, V b) noexcept {
  if constexpr (same_as<V, __bf16>) return narrow(widen(a) + widen(b));
  else if constexpr (__is_integral(V)) return V(word_of<V>(a) + word_of<V>(b)); // wraps round, signed too
  else return a + b;
}

/// Returns the negative of `operand`: adding it subtracts `operand`.
template <class V>
constexpr V negated(V operand) noexcept {
  if constexpr (__is_integral(V)) return V(word_of<V>(0) - word_of<V>(operand));
  else return from_word<V>(to_word(operand) ^ (word_of<V>(1) << (8 * sizeof(V) - 1)));
}

/// Returns the larger of two floating-point values by IEEE 754-2019: -0.0 is less than +0.0. If one value is NaN,
/// `nan_wins` selects the result: NaN (maximum) or the other value (maximumNumber).
template <class V>
constexpr V larger(V a, V b, bool nan_wins) noexcept {
  if (is_nan(a)) return nan_wins ? a : b;
  if (is_nan(b)) return nan_wins ? b : a;
  if (!is_less(a, b) && !is_less(b, a)) return is_negative(a) ? b : a;
  return is_less(a, b) ? b : a;
}
template <class V>
constexpr V smaller(V a, V b, bool nan_wins) noexcept {
  if (is_nan(a)) return nan_wins ? a : b;
  if (is_nan(b)) return nan_wins ? b : a;
  if (!is_less(a, b) && !is_less(b, a)) return is_negative(a) ? a : b;
  return is_less(b, a) ? b : a;
}

/// Whether M is the max or min of fetch_max or fetch_min on floating-point numbers.
template <modification M, class V>
inline constexpr bool is_floating_extreme = (M == modification::max || M == modification::min) && floating<V>;

/// Performs floating-point max or min as an integer max or min of the bits: calls apply.operator()<N>(bits), where the
/// integer type of `bits` says whether the modification N is a signed or an unsigned one.
///
/// The sign of the operand alone selects the integer operation, so no read has to come first. From +0.0 to infinity the
/// bits ascend, and as signed integers all bits with the sign set are less. From -infinity to -0.0 the bits descend,
/// and as unsigned integers all bits with the sign clear are less. Subnormal numbers need no case of their own. The
/// bits of NaN exceed those of the infinity of the same sign. The result, by the value before:
///
///   max with         is             NaN, sign set  -inf to -0.0  +0.0 to +inf  NaN, sign clear
///   +0.0 to +inf     signed max     operand        operand       larger        before
///   -inf to -0.0     unsigned min   operand        larger        before        before
///   NaN, as ~0       unsigned min   before         before        before        before
///
///   min with         is             NaN, sign set  -inf to -0.0  +0.0 to +inf  NaN, sign clear
///   +0.0 to +inf     signed min     before         before        smaller       operand
///   -inf to -0.0     unsigned max   before         smaller       operand       operand
///   NaN, as ~0 >> 1  signed min     before         before        before        before
///
/// [atomics.ref.float] permits each of these results. Two numbers give the larger or the smaller one; which zero is
/// left is unspecified, but -0.0 should be less than +0.0, as it is here. If one value is NaN, the other value or a NaN
/// is left: it is unspecified which. If both are NaN, a NaN is left.
///
/// An operand that is NaN becomes the integer that leaves every value as it is. The standard would permit storing the
/// NaN, but then one invalid operand would discard what all threads have found. The operation remains a
/// read-modify-write with its order.
///
/// IEEE maximum, minimum, maximumNumber and minimumNumber cannot be done in this way: there NaN of both signs must win,
/// or both must lose. In these tables, the NaN of one sign wins and that of the other sign loses.
template <modification M, class V, class Apply>
constexpr auto through_integers(V operand, Apply apply) noexcept {
  using U = word_of<V>;
  using I = __make_signed(U);
  constexpr bool is_max = M == modification::max;
  constexpr U without_effect = is_max ? U(~U(0)) : U(U(~U(0)) >> 1);
  U const bits = is_nan(operand) ? without_effect : to_word(operand);
  if (bits >> (8 * sizeof(U) - 1))
    return apply.template operator()<is_max ? modification::min : modification::max>(bits);
  else return apply.template operator()<M>(I(bits));
}

/// Returns the result of the modification M with `operand`, applied to the value `before`.
template <modification M, class V>
constexpr V modified(V before, V operand) noexcept {
  if constexpr (M == modification::add) return sum(before, operand);
  else if constexpr (M == modification::bit_and) return before & operand;
  else if constexpr (M == modification::bit_or) return before | operand;
  else if constexpr (M == modification::bit_xor) return before ^ operand;
  else if constexpr (is_floating_extreme<M, V>)
    return from_word<V>(through_integers<M>(operand, [before]<modification N, class I>(I bits) noexcept {
      return word_of<V>(modified<N>(I(to_word(before)), bits));
    }));
  else if constexpr (M == modification::max) return before < operand ? operand : before;
  else if constexpr (M == modification::min) return operand < before ? operand : before;
  else if constexpr (M == modification::maximum) return larger(before, operand, true);
  else if constexpr (M == modification::minimum) return smaller(before, operand, true);
  else if constexpr (M == modification::maximum_number) return larger(before, operand, false);
  else return smaller(before, operand, false);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
