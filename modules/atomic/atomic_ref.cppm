// SPDX-License-Identifier: Apache-2.0
//
// atomic_ref: atomic operations on an existing object of the program.  [atomics.ref.generic]
//
// One class template serves all value types. Operations that only integers, floating-point numbers or pointers have are
// constrained members. A value travels to the machine as the word of its size. compare_exchange and wait compare value
// representations (bits.cppm). If T has padding, a compare-and-swap can fail because of the padding alone;
// compare_exchange then repeats it with the padding that it found.
//
// In constant evaluation an operation is a plain access to the object (P3309). The test for it folds in the front end,
// so it is in no code.
//
// atomic (atomic.cppm) holds an object and applies this class to it.
module;
#include "../base/macros.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:atomic_ref;
import :bits;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// Whether objects of T can be copied and assigned. It is a variable: if the expression were part of a concept, clang
/// would report the reason for a failure as additional errors.
template <class T>
inline constexpr bool can_be_copied = __is_constructible(T, T const&) && __is_constructible(T, T) &&
                                      __is_assignable(T&, T const&) && __is_assignable(T&, T);
template <class T>
concept atomic_value = same_as<T, remove_cv<T>> && __is_trivially_copyable(T) && can_be_copied<T>;

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

} // namespace cudax

export namespace cudax {

/// Refers to an object and accesses it atomically at Scope.
/// Source:   [atomics.ref.generic], [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer]
/// Scope:    Scope; a race with a thread outside Scope is undefined behavior. If host and device share the object,
///           every operation other than load and store needs memory in which the read-modify-writes of host and device
///           are atomic to each other: managed memory of a device with concurrent_managed_access, or any memory if the
///           device has host_native_atomic_supported (atomicity() reports both). In other memory updates are lost.
///           There, if T has 1 or 2 bytes, a device's read-modify-write at any Scope other than thread_scope_thread may
///           also undo what the host stores to the rest of the aligned 4-byte word that contains the object
/// Requires: T is trivially copyable and has 1, 2, 4, 8 or 16 bytes; the object is aligned to required_alignment; while
///           any atomic_ref to the object exists, the program accesses the object only through atomic_refs
/// Example:
///     __global__ void histogram(unsigned const* data, unsigned size, unsigned* bins) {
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
///       if (i >= size) return;
///       cudax::atomic_ref<unsigned, cudax::thread_scope_device> bin(bins[data[i] % 16]);
///       bin.fetch_add(1, cudax::memory_order_relaxed);
///     }
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public difference_of<remove_cv<T>> {
  static_assert(
      atomic_value<remove_cv<T>>,
      "cudax.sync: atomic_ref<T>: T must be trivially copyable, and copying and assigning it must be possible "
      "[atomics.ref.generic]");
  static_assert(is_word_size(sizeof(T)),
                "cudax.sync: atomic_ref<T>: T must have 1, 2, 4, 8 or 16 bytes; for another size use atomic<T>, which "
                "holds a lock beside the value");
  CUDAX_ENSURE_SCOPE(Scope, "atomic_ref<T, Scope>");

  static constexpr bool writable = !__is_const(T);
  using word = word_of<T>;
  using difference = difference_parameter<remove_cv<T>>;
  static constexpr bool has_difference = arithmetic<remove_cv<T>> || object_pointer<remove_cv<T>>;
  template <class U, thread_scope S>
  friend class atomic_ref;

public:
  using value_type = remove_cv<T>;

  /// Always true: no operation takes a lock. For 16 bytes, exchange and compare_exchange require sm_90, and an x86-64
  /// host requires cmpxchg16b. A device link for an older SM fails with an undefined symbol whose name says why.
  static constexpr bool is_always_lock_free = true;
  /// The alignment that the object must have, in bytes.
  static constexpr size_t required_alignment = alignof(T) < sizeof(T) ? sizeof(T) : alignof(T);

  /// Refers to `object`.
  /// Requires: `object` is aligned to required_alignment. The compiler rejects an object if its offset in a complete
  ///           object of known alignment shows that it is misaligned; otherwise a checked build stops
  constexpr explicit atomic_ref(T& object) noexcept
      CUDAX_REFUSE(!is_aligned(__builtin_addressof(object), required_alignment),
                   "atomic_ref: the object is not aligned to required_alignment; declare it with "
                   "alignas(cudax::atomic_ref<T>::required_alignment) [atomics.ref.ops]")
    : object_(__builtin_addressof(object)) {
    if (!__builtin_is_constant_evaluated())
      CUDAX_ENSURE(machine::checked_address(object_) % required_alignment == 0,
                   "atomic_ref: the object at address 0x%llx is not aligned to required_alignment; declare it with "
                   "alignas(cudax::atomic_ref<T>::required_alignment) [atomics.ref.ops]",
                   (long long)object_);
  }
  /// Rejects a temporary, because the reference would dangle. This includes a temporary that a conversion to T makes,
  /// from another atomic_ref or from an object of another type.
  explicit atomic_ref(value_type const&&) =
      delete ("cudax.sync: atomic_ref: this is a temporary, perhaps made by a conversion; name an object of type T");
  constexpr atomic_ref(atomic_ref const&) noexcept = default;
  /// Refers to the object of `other`. U is T with fewer cv-qualifiers.
  /// Source:   [atomics.ref.ops], the converting constructor (P3860)
  template <class U>
    requires(!same_as<U, T> && same_as<remove_cv<U>, value_type> && __is_convertible(U*, T*))
  constexpr atomic_ref(atomic_ref<U, Scope> const& other) noexcept : object_(other.object_) {}
  atomic_ref& operator=(atomic_ref const&) = delete;

  bool is_lock_free() const noexcept { return is_always_lock_free; }

  /// Returns the object's address, as a pointer to void with the cv-qualifiers of T: to compare and to hash, not to
  /// access the object.
  /// Source:   [atomics.ref.ops], address (P3936)
  constexpr copy_cv<T, void>* address() const noexcept { return object_; }

  // --- load and store ----------------------------------------------------------------------------------------------

  /// Returns the value.
  /// Order:    `order`; seq_cst = fence.sc.<scope> + ld.acquire   (arch/README, row load)
  constexpr value_type load(load_order order = memory_order_seq_cst) const noexcept {
    if (__builtin_is_constant_evaluated()) return object();
    return from_word<value_type>(load_word(order.value));
  }
  constexpr operator value_type() const noexcept { return load(); }

  /// Replaces the value with `desired`.
  /// Order:    `order`; seq_cst = fence.sc.<scope> + st.relaxed   (arch/README, row store)
  constexpr void store(value_type desired, store_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    if (__builtin_is_constant_evaluated()) object() = desired;
    else machine::store<Scope>(bytes(), to_word(desired), order.value);
  }
  constexpr value_type operator=(value_type desired) const noexcept
    requires writable
  {
    store(desired);
    return desired;
  }

  // --- exchange ----------------------------------------------------------------------------------------------------

  /// Replaces the value with `desired` and returns the previous value.
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row exchange)
  constexpr value_type exchange(value_type desired, any_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    if (__builtin_is_constant_evaluated()) {
      value_type const before = object();
      object() = desired;
      return before;
    }
    if constexpr (same_as<value_type, bool> && machine::traits::modifies_words) {
      // One instruction on the word around the object, where an exchange is a loop.
      if (desired) return fetch_word<modification::bit_or>(1, order.value);
      else return fetch_word<modification::bit_and>(0, order.value);
    } else {
      return from_word<value_type>(machine::exchange<Scope>(bytes(), to_word(desired), order.value));
    }
  }

  /// Replaces the value with `desired` if it equals `expected`; otherwise writes the value to `expected`. Returns
  /// whether it replaced the value. The comparison ignores padding bits. Neither form fails spuriously.
  /// Order:    `success` or `failure`; one instruction implements both   (arch/README, row compare_exchange)
  constexpr bool compare_exchange_strong(value_type& expected, value_type desired, any_order success,
                                         load_order failure) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, success.value, failure.value);
  }
  constexpr bool compare_exchange_strong(value_type& expected, value_type desired,
                                         any_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, order.value, load_part(order.value));
  }
  constexpr bool compare_exchange_weak(value_type& expected, value_type desired, any_order success,
                                       load_order failure) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, success.value, failure.value);
  }
  constexpr bool compare_exchange_weak(value_type& expected, value_type desired,
                                       any_order order = memory_order_seq_cst) const noexcept
    requires writable
  {
    return compare_exchange(expected, desired, order.value, load_part(order.value));
  }

  // --- fetch and modify --------------------------------------------------------------------------------------------

  /// Adds `operand` and returns the previous value.
  /// Source:   [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_add)
  /// Units:    elements for T*
  constexpr value_type fetch_add(difference operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference)
  {
    return fetch<modification::add>(addend<value_type>(operand), order.value);
  }

  /// Subtracts `operand` and returns the previous value.
  /// Source:   [atomics.ref.int], [atomics.ref.float], [atomics.ref.pointer], fetch_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + RMW acquire   (arch/README, row fetch_sub)
  /// Units:    elements for T*
  constexpr value_type fetch_sub(difference operand, any_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference)
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
    requires(writable && has_difference)
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
    requires(writable && has_difference)
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
    requires(writable && has_difference)
  {
    reduce<modification::add>(addend<value_type>(operand), order.value);
  }

  /// Performs fetch_sub without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_sub)
  constexpr void store_sub(difference operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference)
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
    requires(writable && has_difference)
  {
    if (__builtin_is_constant_evaluated()) (void)fetch_extreme<modification::max>(operand, order.value);
    else reduce<modification::max>(as_operand(operand), order.value);
  }

  /// Performs fetch_min without a result: one `red` instruction if the device has one for it.
  /// Source:   C++26 (P3111), store_key
  /// Order:    `order`; seq_cst = fence.sc.<scope> + red.relaxed   (arch/README, row store_min)
  constexpr void store_min(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(writable && has_difference)
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
    requires(writable && has_difference)
  {
    return fetch_add(one<value_type>());
  }
  constexpr value_type operator--(int) const noexcept
    requires(writable && has_difference)
  {
    return fetch_sub(one<value_type>());
  }
  constexpr value_type operator++() const noexcept
    requires(writable && has_difference)
  {
    return *this += one<value_type>();
  }
  constexpr value_type operator--() const noexcept
    requires(writable && has_difference)
  {
    return *this -= one<value_type>();
  }
  constexpr value_type operator+=(difference operand) const noexcept
    requires(writable && has_difference)
  {
    return after<modification::add>(fetch_add(operand), addend<value_type>(operand));
  }
  constexpr value_type operator-=(difference operand) const noexcept
    requires(writable && has_difference)
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

  // --- waiting -----------------------------------------------------------------------------------------------------

  /// Blocks until the value differs from `old`. A device thread polls. A host thread parks. It wakes at once on a
  /// notify by a host thread and, at system scope, within half a millisecond of a device's store (runtime/README.md).
  /// Source:   [atomics.wait]
  /// Order:    `order`, for the load that observes the change; the polls of a blocked thread are relaxed
  constexpr void wait(value_type old, load_order order = memory_order_seq_cst) const noexcept {
    if (__builtin_is_constant_evaluated())
      if (!same_constant<value_type>(object(), old)) return;
    word const before = value_word<value_type>(to_word(old));
    while (machine::polls_relaxed(order.value) || value_word<value_type>(load_word(order.value)) == before) {
      machine::block_until<Scope>(
          bytes(), CUDAX_AWAITS(differs_from(before), "atomic::wait: the value has not changed"), forever);
      if (machine::upgrade_to<Scope>(order.value)) return;
    }
  }

  /// Polls once and returns whether the value differs from `old`.
  /// Source:   P2643, atomic::try_wait
  [[nodiscard]] constexpr bool try_wait(value_type old, load_order order = memory_order_seq_cst) const noexcept {
    if (__builtin_is_constant_evaluated()) return !same_constant<value_type>(object(), old);
    return value_word<value_type>(load_word(order.value)) != value_word<value_type>(to_word(old));
  }

  /// Blocks as wait does, but at most for `length` of steady time. Returns whether the value differs from `old`.
  /// Source:   P2643, atomic::wait_for
  /// Units:    any duration; a duration that is not positive, or is NaN, polls once
  template <duration_like D>
  [[nodiscard]] bool wait_for(value_type old, D const& length, load_order order = memory_order_seq_cst) const noexcept {
    if (try_wait(old, order)) return true;
    long long const rest = to_nanoseconds(length);
    if (rest <= 0) return false;
    long long const deadline = deadline_after(machine::steady_now(), rest);
    word const before = value_word<value_type>(to_word(old));
    while (machine::block_until<Scope>(bytes(), differs_from(before), deadline))
      if (machine::upgrade_to<Scope>(order.value) || try_wait(old, order)) return true;
    return false;
  }

  /// Blocks as wait does, but at most until `point`, a time point of any clock that the calling code can read. Returns
  /// whether the value differs from `old`.
  /// Source:   P2643, atomic::wait_until
  template <time_point_like P>
  [[nodiscard]] bool wait_until(value_type old, P const& point,
                                load_order order = memory_order_seq_cst) const noexcept {
    if (try_wait(old, order)) return true;
    word const before = value_word<value_type>(to_word(old));
    while (machine::block_until_point<Scope>(bytes(), differs_from(before), point))
      if (machine::upgrade_to<Scope>(order.value) || try_wait(old, order)) return true;
    return false;
  }

  /// Wake the host threads that wait for this object. notify_one wakes all of these threads, as notify_all does: a
  /// woken thread whose value has not changed continues to wait. Device threads poll and need no wake-up.
  /// Source:   [atomics.wait]
  constexpr void notify_one() const noexcept
    requires writable
  {
    if (!__builtin_is_constant_evaluated()) machine::wake<Scope>(bytes());
  }
  constexpr void notify_all() const noexcept
    requires writable
  {
    if (!__builtin_is_constant_evaluated()) machine::wake<Scope>(bytes());
  }

  CUDAX_LACKS_BY_TYPE(value_type, writable)
  CUDAX_LACKS_WRITING(!writable, "an atomic_ref to a const object only reads; refer to the object without const")

protected: // for contended_ref, too
  void* bytes() const noexcept { return const_cast<void*>(static_cast<void const volatile*>(object_)); }

  static constexpr operand_of<value_type> as_operand(value_type value) noexcept {
    return __builtin_bit_cast(operand_of<value_type>, value);
  }

  template <modification M>
  constexpr value_type fetch(operand_of<value_type> operand, memory_order order) const noexcept {
    if (__builtin_is_constant_evaluated()) {
      value_type const before = object();
      if constexpr (pointer<value_type>) object() = before + ptrdiff_t(operand) / ptrdiff_t(sizeof(*before));
      else object() = result<M>(before, operand);
      return before;
    }
    return __builtin_bit_cast(value_type, machine::fetch<M, Scope>(bytes(), operand, order));
  }

  /// Performs max or min. In constant evaluation, pointers are compared as pointers: they have no bits there.
  template <modification M>
  constexpr value_type fetch_extreme(value_type operand, memory_order order) const noexcept {
    if constexpr (pointer<value_type>) {
      if (__builtin_is_constant_evaluated()) {
        value_type const before = object();
        if (M == modification::max ? before < operand : operand < before) object() = operand;
        return before;
      }
    }
    return fetch<M>(as_operand(operand), order);
  }

  template <modification M>
  constexpr void reduce(operand_of<value_type> operand, memory_order order) const noexcept {
    if (__builtin_is_constant_evaluated()) (void)fetch<M>(operand, order);
    else machine::reduce<M, Scope>(bytes(), operand, order);
  }

  /// Returns the value after an operation that has returned `before`.
  template <modification M>
  constexpr value_type after(value_type before, operand_of<value_type> operand) const noexcept {
    if (__builtin_is_constant_evaluated()) return object();
    return result<M>(before, operand);
  }

private:
  /// Returns the value after an operation, from the value before it.
  template <modification M>
  static constexpr value_type result(value_type before, operand_of<value_type> operand) noexcept {
    return __builtin_bit_cast(value_type, modified<M>(as_operand(before), operand));
  }

  /// The object, for constant evaluation: there every operation is a plain access.
  constexpr value_type& object() const noexcept { return const_cast<value_type&>(*object_); }

  word load_word(memory_order order) const noexcept { return machine::load<Scope, word>(bytes(), order); }

  /// The wider copy of a small word leaves no padding: waits for the same change have equal bytes (wait.cppm).
  auto differs_from(word before) const noexcept {
    choose<(sizeof(word) < sizeof(u64)), u64, word> const wide = before;
    return [object = bytes(), wide]() noexcept {
      return value_word<value_type>(machine::load<Scope, word>(object, memory_order::relaxed)) != word(wide);
    };
  }

  constexpr bool compare_exchange(value_type& expected, value_type desired, memory_order success,
                                  memory_order failure) const noexcept {
    if (__builtin_is_constant_evaluated()) {
      bool const equal = same_constant<value_type>(object(), expected);
      if (equal) object() = desired;
      else expected = object();
      return equal;
    }
    word seen = to_word(expected);
    word const wanted = value_word<value_type>(seen);
    do {
      if (machine::compare_exchange<Scope>(bytes(), seen, to_word(desired), success, failure)) return true;
    } while (padded<value_type> && value_word<value_type>(seen) == wanted);
    expected = from_word<value_type>(seen);
    return false;
  }

  template <modification M>
  word fetch_word(word operand, memory_order order) const noexcept {
    return machine::fetch<M, Scope>(bytes(), operand, order);
  }

  T* object_;
};

template <class T>
atomic_ref(T&) -> atomic_ref<T>;

} // namespace cudax

CUDAX_EVERYWHERE_END
