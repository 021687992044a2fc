// SPDX-License-Identifier: Apache-2.0
//
// modifying_ref: the read-modify-writes of a reference, as members.  [atomics.ref.int], [atomics.ref.float],
// [atomics.ref.pointer]
//
// One class template serves every reference and all value types. It adds its members to a class that has the others
// (accessing_ref, in atomic_ref.cppm). How a device performs them is a parameter: `alone` here, for atomic_ref;
// `combining` (contended/contended_ref.cppm) for contended_ref. Operations that only integers, floating-point numbers
// or pointers have are constrained members. A value travels to the machine as the word of its size.
//
// In constant evaluation an operation is a plain access to the object (P3309), for every way. The test for it folds in
// the front end, so it is in no code.
module;
#include "../base/macros.hpp"
#include "absent_members.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:modifying_ref;
import :bits;
import :machine;
import :modify;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// Whether objects of T can be copied and assigned. It is a variable: if the expression were part of a concept, clang
/// would report the reason for a failure as additional errors.
template <class T>
inline constexpr bool can_be_copied = __is_constructible(T, T const&) && __is_constructible(T, T) &&
                                      __is_assignable(T&, T const&) && __is_assignable(T&, T);
template <class T>
concept atomic_value = same_as<T, remove_cv<T>> && __is_trivially_copyable(T) && can_be_copied<T>;

/// T as the value type of an atomic. An assertion rejects a T that cannot be one. Then the members get another type: so
/// the assertion's sentence is the only error.
template <class T>
using value_type_of = choose<atomic_value<T>, T, char>;

/// The value types that have fetch_add, fetch_max and their relatives.
template <class T>
concept has_difference = arithmetic<T> || object_pointer<T>;

/// Declares difference_type for the value types that have fetch_add.
template <class T>
struct difference_of {};
template <arithmetic T>
struct difference_of<T> {
  using difference_type = T;
};
template <object_pointer T>
struct difference_of<T> {
  using difference_type = ptrdiff_t;
};

/// The parameter type of fetch_add: difference_type, or T if there is none, so that every declaration is valid.
template <class T>
using difference_parameter = choose<object_pointer<T>, ptrdiff_t, T>;

/// Returns the operand of the machine's addition for a fetch_add of `difference`: bytes for a pointer.
template <class T>
constexpr operand_of<T> addend(difference_parameter<T> difference) noexcept {
  if constexpr (pointer<T>) return u64(difference) * sizeof(__remove_pointer(T));
  else return __builtin_bit_cast(operand_of<T>, difference);
}

/// Returns the operand of ++ and --. The 16-bit formats are given by their bits, because a conversion may be a call.
template <class T>
constexpr difference_parameter<T> one() noexcept {
  if constexpr (half<T>) return __builtin_bit_cast(T, u16(0x3c00));
  else if constexpr (bfloat16<T>) return __builtin_bit_cast(T, u16(0x3f80));
  else return difference_parameter<T>(1);
}

/// A way to perform read-modify-writes on a device: each thread by itself.
struct alone {
  template <thread_scope S, class T>
  [[clang::always_inline]] static T exchange(void* object, T desired, memory_order order) noexcept {
    if constexpr (same_as<T, bool> && machine::traits::modifies_words) {
      // One instruction on the word around the object, where an exchange is a loop.
      if (desired) return machine::fetch<modification::bit_or, S, word_of<T>>(object, 1, order);
      else return machine::fetch<modification::bit_and, S, word_of<T>>(object, 0, order);
    } else {
      return from_word<T>(machine::exchange<S>(object, to_word(desired), order));
    }
  }
  template <modification M, thread_scope S, class V>
  [[clang::always_inline]] static V fetch(void* object, V operand, memory_order order) noexcept {
    return machine::fetch<M, S>(object, operand, order);
  }
  template <modification M, thread_scope S, class V>
  [[clang::always_inline]] static void reduce(void* object, V operand, memory_order order) noexcept {
    machine::reduce<M, S>(object, operand, order);
  }
};

/// Adds the read-modify-writes, performed in the way `Way`, to the members of `Base`: accessing_ref<T, Scope>, or a
/// reference with read-modify-writes of another way, which these members hide.
template <class T, thread_scope Scope, class Way, class Base>
class modifying_ref : public Base {
  static constexpr bool writable = !__is_const(T);
  using difference = difference_parameter<value_type_of<remove_cv<T>>>;

public:
  using value_type = value_type_of<remove_cv<T>>;

  using Base::Base;
  constexpr explicit modifying_ref(Base const& other) noexcept : Base(other) {}
  constexpr modifying_ref(modifying_ref const&) noexcept = default;
  modifying_ref& operator=(modifying_ref const&) = delete;
  using Base::operator=;

  /// Replaces the value with `desired` and returns the previous value.
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row exchange)
  constexpr value_type exchange(value_type desired, any_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    if (__builtin_is_constant_evaluated()) {
      value_type const before = Base::object();
      Base::object() = desired;
      return before;
    }
    return Way::template exchange<Scope>(Base::bytes(), desired, order.value);
  }

  // --- fetch and modify --------------------------------------------------------------------------------------------

  /// Adds `operand` and returns the previous value.
  /// Source:   [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_add)
  /// Units:    elements for T*
  constexpr value_type fetch_add(difference operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return fetch<modification::add>(addend<value_type>(operand), order.value);
  }

  /// Subtracts `operand` and returns the previous value.
  /// Source:   [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_sub)
  /// Units:    elements for T*
  constexpr value_type fetch_sub(difference operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return fetch<modification::add>(negated(addend<value_type>(operand)), order.value);
  }

  /// Replaces the value with its bitwise AND with `operand` and returns the previous value.
  /// Source:   [atomics.ref.int], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_and)
  constexpr value_type fetch_and(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && integer<value_type>)
  {
    return fetch<modification::bit_and>(operand, order.value);
  }

  /// Replaces the value with its bitwise OR with `operand` and returns the previous value.
  /// Source:   [atomics.ref.int], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_or)
  constexpr value_type fetch_or(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && integer<value_type>)
  {
    return fetch<modification::bit_or>(operand, order.value);
  }

  /// Replaces the value with its bitwise exclusive OR with `operand` and returns the previous value.
  /// Source:   [atomics.ref.int], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_xor)
  constexpr value_type fetch_xor(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && integer<value_type>)
  {
    return fetch<modification::bit_xor>(operand, order.value);
  }

  /// Replaces the value with the larger of the value and `operand`, and returns the previous value.
  /// Of floating-point zeros, +0.0 is the larger. An operand that is NaN changes nothing. If the value is NaN, either
  /// `operand` replaces it or the NaN remains; with fetch_fmaximum_num a number always replaces NaN. C++26 permits
  /// this: it leaves unspecified which zero is stored, and whether a number and NaN result in the number or in NaN.
  /// Source:   [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_max)
  constexpr value_type fetch_max(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return fetch_extreme<modification::max>(operand, order.value);
  }

  /// Replaces the value with the smaller of the value and `operand`, and returns the previous value.
  /// Of floating-point zeros, -0.0 is the smaller. An operand that is NaN changes nothing. If the value is NaN, either
  /// `operand` replaces it or the NaN remains; with fetch_fminimum_num a number always replaces NaN. C++26 permits
  /// this: it leaves unspecified which zero is stored, and whether a number and NaN result in the number or in NaN.
  /// Source:   [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_min)
  constexpr value_type fetch_min(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return fetch_extreme<modification::min>(operand, order.value);
  }

  /// Replaces the value with IEEE 754 maximum(value, `operand`) and returns the previous value.
  /// NaN wins; +0.0 exceeds -0.0.
  /// Source:   [atomics.ref.float], fetch_key (P3008)
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_fmaximum)
  constexpr value_type fetch_fmaximum(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    return fetch<modification::maximum>(as_operand(operand), order.value);
  }

  /// Replaces the value with IEEE 754 minimum(value, `operand`) and returns the previous value.
  /// NaN wins; -0.0 precedes +0.0.
  /// Source:   [atomics.ref.float], fetch_key (P3008)
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_fminimum)
  constexpr value_type fetch_fminimum(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    return fetch<modification::minimum>(as_operand(operand), order.value);
  }

  /// Replaces the value with IEEE 754 maximumNumber(value, `operand`) and returns the previous value.
  /// A number wins over NaN.
  /// Source:   [atomics.ref.float], fetch_key (P3008)
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_fmaximum_num)
  constexpr value_type fetch_fmaximum_num(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    return fetch<modification::maximum_number>(as_operand(operand), order.value);
  }

  /// Replaces the value with IEEE 754 minimumNumber(value, `operand`) and returns the previous value.
  /// A number wins over NaN.
  /// Source:   [atomics.ref.float], fetch_key (P3008)
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_fminimum_num)
  constexpr value_type fetch_fminimum_num(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    return fetch<modification::minimum_number>(as_operand(operand), order.value);
  }

  // --- reductions ----------------------------------------------------------------------------------------------------

  /// Performs fetch_add without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_add)
  constexpr void store_add(difference operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    reduce<modification::add>(addend<value_type>(operand), order.value);
  }

  /// Performs fetch_sub without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_sub)
  constexpr void store_sub(difference operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    reduce<modification::add>(negated(addend<value_type>(operand)), order.value);
  }

  /// Performs fetch_and without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_and)
  constexpr void store_and(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && integer<value_type>)
  {
    reduce<modification::bit_and>(operand, order.value);
  }

  /// Performs fetch_or without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_or)
  constexpr void store_or(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && integer<value_type>)
  {
    reduce<modification::bit_or>(operand, order.value);
  }

  /// Performs fetch_xor without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_xor)
  constexpr void store_xor(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && integer<value_type>)
  {
    reduce<modification::bit_xor>(operand, order.value);
  }

  /// Performs fetch_max without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_max)
  constexpr void store_max(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    if (__builtin_is_constant_evaluated()) (void)fetch_extreme<modification::max>(operand, order.value);
    else reduce<modification::max>(as_operand(operand), order.value);
  }

  /// Performs fetch_min without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_min)
  constexpr void store_min(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference<value_type>)
  {
    if (__builtin_is_constant_evaluated()) (void)fetch_extreme<modification::min>(operand, order.value);
    else reduce<modification::min>(as_operand(operand), order.value);
  }

  /// Performs fetch_fmaximum without a result. No device has a `red` instruction for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row store_fmaximum)
  constexpr void store_fmaximum(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    reduce<modification::maximum>(as_operand(operand), order.value);
  }

  /// Performs fetch_fminimum without a result. No device has a `red` instruction for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row store_fminimum)
  constexpr void store_fminimum(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    reduce<modification::minimum>(as_operand(operand), order.value);
  }

  /// Performs fetch_fmaximum_num without a result. No device has a `red` instruction for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row store_fmaximum_num)
  constexpr void store_fmaximum_num(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    reduce<modification::maximum_number>(as_operand(operand), order.value);
  }

  /// Performs fetch_fminimum_num without a result. No device has a `red` instruction for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row store_fminimum_num)
  constexpr void store_fminimum_num(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && floating<value_type>)
  {
    reduce<modification::minimum_number>(as_operand(operand), order.value);
  }

  // --- operators ---------------------------------------------------------------------------------------------------

  constexpr value_type operator++(int) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return fetch_add(one<value_type>());
  }
  constexpr value_type operator--(int) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return fetch_sub(one<value_type>());
  }
  constexpr value_type operator++() const noexcept
    requires(writable && has_difference<value_type>)
  {
    return *this += one<value_type>();
  }
  constexpr value_type operator--() const noexcept
    requires(writable && has_difference<value_type>)
  {
    return *this -= one<value_type>();
  }
  constexpr value_type operator+=(difference operand) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return after<modification::add>(fetch_add(operand), addend<value_type>(operand));
  }
  constexpr value_type operator-=(difference operand) const noexcept
    requires(writable && has_difference<value_type>)
  {
    return after<modification::add>(fetch_sub(operand), negated(addend<value_type>(operand)));
  }
  constexpr value_type operator&=(value_type operand) const noexcept
    requires(writable && integer<value_type>)
  {
    return after<modification::bit_and>(fetch_and(operand), operand);
  }
  constexpr value_type operator|=(value_type operand) const noexcept
    requires(writable && integer<value_type>)
  {
    return after<modification::bit_or>(fetch_or(operand), operand);
  }
  constexpr value_type operator^=(value_type operand) const noexcept
    requires(writable && integer<value_type>)
  {
    return after<modification::bit_xor>(fetch_xor(operand), operand);
  }

  CUDAX_LACKS_BY_TYPE(value_type, writable)
  CUDAX_LACKS_MODIFYING(!writable)

private:
  static constexpr operand_of<value_type> as_operand(value_type value) noexcept {
    return __builtin_bit_cast(operand_of<value_type>, value);
  }

  template <modification M>
  constexpr value_type fetch(operand_of<value_type> operand, memory_order order) const noexcept {
    if (__builtin_is_constant_evaluated()) {
      value_type const before = Base::object();
      if constexpr (pointer<value_type>) Base::object() = before + ptrdiff_t(operand) / ptrdiff_t(sizeof(*before));
      else Base::object() = result<M>(before, operand);
      return before;
    }
    return __builtin_bit_cast(value_type, Way::template fetch<M, Scope>(Base::bytes(), operand, order));
  }

  /// Performs max or min. In constant evaluation, pointers are compared as pointers: they have no bits there.
  template <modification M>
  constexpr value_type fetch_extreme(value_type operand, memory_order order) const noexcept {
    if constexpr (pointer<value_type>) {
      if (__builtin_is_constant_evaluated()) {
        value_type const before = Base::object();
        if (M == modification::max ? before < operand : operand < before) Base::object() = operand;
        return before;
      }
    }
    return fetch<M>(as_operand(operand), order);
  }

  template <modification M>
  constexpr void reduce(operand_of<value_type> operand, memory_order order) const noexcept {
    if (__builtin_is_constant_evaluated()) (void)fetch<M>(operand, order);
    else Way::template reduce<M, Scope>(Base::bytes(), operand, order);
  }

  /// Returns the value after an operation that has returned `before`.
  template <modification M>
  constexpr value_type after(value_type before, operand_of<value_type> operand) const noexcept {
    if (__builtin_is_constant_evaluated()) return Base::object();
    return result<M>(before, operand);
  }

  /// Returns the value after an operation, from the value before it.
  template <modification M>
  static constexpr value_type result(value_type before, operand_of<value_type> operand) noexcept {
    return __builtin_bit_cast(value_type, modified<M>(as_operand(before), operand));
  }
};

} // namespace cudax

CUDAX_EVERYWHERE_END
