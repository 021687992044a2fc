// SPDX-License-Identifier: Apache-2.0
//
// contended_ref: atomic_ref for objects that many lanes of a warp modify at the same time.  Extension
// Each read-modify-write has the effect of the member of atomic_ref with the same name. On a device, the lanes of a
// warp that call together for one object perform one operation on it (machine/combined.cppm). The plain operation stays
// one instruction, because combining costs time if the lanes have different objects: so the programmer chooses, by
// type.
//
// What does not combine: loads, stores, compare_exchange, waiting, and fetch_add and fetch_sub of floating-point
// numbers. For an object in automatic storage nothing is combined either.
module;
#include "../base/macros.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:contended_ref;
import :atomic_ref;
import :bits;
import :combined;
import :modify;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Refers to an object and accesses it atomically at Scope, as atomic_ref does. Where lanes of a warp modify one object
/// together, they combine their operations into one: use it where that is the rule, as for counters of a whole grid,
/// and atomic_ref where the lanes have different objects. References of both types, and atomic, may access one object.
///
/// What to expect, in 10^9 operations per second, from this class and from atomic_ref, on an H200 with all threads of
/// the GPU on one object: fetch_add of u32 43.5 and 1.36 (acq_rel 41.1, seq_cst 41.4), store_add of float 18.1 and
/// 0.57. Where no lanes share an object, it has down to 0.13 times the throughput. From an addition to u32 that was
/// combined by hand, and from the plain one, each lane on its own object: 71 and 68 if the objects lie 32 bytes apart,
/// 170 to 182 and 286 if they are neighbours, 12.5 and 43.9 with one warp for each SM; in shared memory, one object for
/// each block: 143 to 214 and 235. tools/bench measures this class (tools/benchmarks/problems/contended.cu).
///
/// The results are those of single operations, one immediately after the other, in the order of the lanes. An operand
/// that the compiler knows costs least. Sums of store_add and store_sub of floating-point numbers are regrouped;
/// fetch_add and fetch_sub of these are not combined.
/// Source:   extension; P3111 permits store_add to regroup
/// Order:    as atomic_ref. The lanes also wait for each other, before and after the operation, without a fence
/// Scope:    Scope, as for atomic_ref
/// Requires: as atomic_ref
/// Example:
///     __global__ void count(int const* data, unsigned size, unsigned long long* positive) {
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
///       if (i >= size || data[i] <= 0) return;
///       cudax::contended_ref<unsigned long long, cudax::thread_scope_device> total(*positive);
///       total.store_add(1, cudax::memory_order_relaxed); // one instruction for each warp
///     }
template <class T, thread_scope Scope = thread_scope_system>
class contended_ref : public atomic_ref<T, Scope> {
  static_assert(!__is_const(T), "cudax.sync: contended_ref<T const>: a reference to a const object only reads; use "
                                "atomic_ref");
  using base = atomic_ref<T, Scope>;
  using difference = difference_parameter<remove_cv<T>>;
  static constexpr bool has_difference = arithmetic<remove_cv<T>> || object_pointer<remove_cv<T>>;

public:
  using value_type = remove_cv<T>;

  using base::base;
  /// Refers to the object of `other`.
  constexpr explicit contended_ref(base const& other) noexcept : base(other) {}
  constexpr contended_ref(contended_ref const&) noexcept = default;
  contended_ref& operator=(contended_ref const&) = delete;
  using base::operator=;

  constexpr value_type exchange(value_type desired, any_order order = memory_order_seq_cst) const noexcept {
    if (__builtin_is_constant_evaluated()) return base::exchange(desired, order);
    return from_word<value_type>(machine::combined_exchange<Scope>(base::bytes(), to_word(desired), order.value));
  }

  constexpr value_type fetch_add(difference operand, any_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    return fetch<modification::add>(addend<value_type>(operand), order.value);
  }
  constexpr value_type fetch_sub(difference operand, any_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    return fetch<modification::add>(negated(addend<value_type>(operand)), order.value);
  }
  constexpr value_type fetch_and(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires integer<value_type>
  {
    return fetch<modification::bit_and>(base::as_operand(operand), order.value);
  }
  constexpr value_type fetch_or(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires integer<value_type>
  {
    return fetch<modification::bit_or>(base::as_operand(operand), order.value);
  }
  constexpr value_type fetch_xor(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires integer<value_type>
  {
    return fetch<modification::bit_xor>(base::as_operand(operand), order.value);
  }
  constexpr value_type fetch_max(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    return fetch_extreme<modification::max>(operand, order.value);
  }
  constexpr value_type fetch_min(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    return fetch_extreme<modification::min>(operand, order.value);
  }
  constexpr value_type fetch_fmaximum(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    return fetch<modification::maximum>(base::as_operand(operand), order.value);
  }
  constexpr value_type fetch_fminimum(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    return fetch<modification::minimum>(base::as_operand(operand), order.value);
  }
  constexpr value_type fetch_fmaximum_num(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    return fetch<modification::maximum_number>(base::as_operand(operand), order.value);
  }
  constexpr value_type fetch_fminimum_num(value_type operand, any_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    return fetch<modification::minimum_number>(base::as_operand(operand), order.value);
  }

  constexpr void store_add(difference operand, store_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    reduce<modification::add>(addend<value_type>(operand), order.value);
  }
  constexpr void store_sub(difference operand, store_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    reduce<modification::add>(negated(addend<value_type>(operand)), order.value);
  }
  constexpr void store_and(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires integer<value_type>
  {
    reduce<modification::bit_and>(base::as_operand(operand), order.value);
  }
  constexpr void store_or(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires integer<value_type>
  {
    reduce<modification::bit_or>(base::as_operand(operand), order.value);
  }
  constexpr void store_xor(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires integer<value_type>
  {
    reduce<modification::bit_xor>(base::as_operand(operand), order.value);
  }
  constexpr void store_max(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    if (__builtin_is_constant_evaluated()) base::store_max(operand, order);
    else reduce<modification::max>(base::as_operand(operand), order.value);
  }
  constexpr void store_min(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires(has_difference)
  {
    if (__builtin_is_constant_evaluated()) base::store_min(operand, order);
    else reduce<modification::min>(base::as_operand(operand), order.value);
  }
  constexpr void store_fmaximum(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    reduce<modification::maximum>(base::as_operand(operand), order.value);
  }
  constexpr void store_fminimum(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    reduce<modification::minimum>(base::as_operand(operand), order.value);
  }
  constexpr void store_fmaximum_num(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    reduce<modification::maximum_number>(base::as_operand(operand), order.value);
  }
  constexpr void store_fminimum_num(value_type operand, store_order order = memory_order_seq_cst) const noexcept
    requires floating<value_type>
  {
    reduce<modification::minimum_number>(base::as_operand(operand), order.value);
  }

  constexpr value_type operator++(int) const noexcept
    requires(has_difference)
  {
    return fetch_add(one<value_type>());
  }
  constexpr value_type operator++() const noexcept
    requires(has_difference)
  {
    return *this += one<value_type>();
  }
  constexpr value_type operator--(int) const noexcept
    requires(has_difference)
  {
    return fetch_sub(one<value_type>());
  }
  constexpr value_type operator--() const noexcept
    requires(has_difference)
  {
    return *this -= one<value_type>();
  }
  constexpr value_type operator+=(difference operand) const noexcept
    requires(has_difference)
  {
    return base::template after<modification::add>(fetch_add(operand), addend<value_type>(operand));
  }
  constexpr value_type operator-=(difference operand) const noexcept
    requires(has_difference)
  {
    return base::template after<modification::add>(fetch_sub(operand), negated(addend<value_type>(operand)));
  }
  constexpr value_type operator&=(value_type operand) const noexcept
    requires integer<value_type>
  {
    return base::template after<modification::bit_and>(fetch_and(operand), base::as_operand(operand));
  }
  constexpr value_type operator|=(value_type operand) const noexcept
    requires integer<value_type>
  {
    return base::template after<modification::bit_or>(fetch_or(operand), base::as_operand(operand));
  }
  constexpr value_type operator^=(value_type operand) const noexcept
    requires integer<value_type>
  {
    return base::template after<modification::bit_xor>(fetch_xor(operand), base::as_operand(operand));
  }

  CUDAX_LACKS_BY_TYPE(value_type, true)

private:
  // In constant evaluation nothing is combined: the operation is that of atomic_ref.
  template <modification M>
  constexpr value_type fetch(operand_of<value_type> operand, memory_order order) const noexcept {
    if (__builtin_is_constant_evaluated()) return base::template fetch<M>(operand, order);
    return __builtin_bit_cast(value_type, machine::combined_fetch<M, Scope>(base::bytes(), operand, order));
  }
  template <modification M>
  constexpr value_type fetch_extreme(value_type operand, memory_order order) const noexcept {
    if (__builtin_is_constant_evaluated()) return base::template fetch_extreme<M>(operand, order);
    return fetch<M>(base::as_operand(operand), order);
  }
  template <modification M>
  constexpr void reduce(operand_of<value_type> operand, memory_order order) const noexcept {
    if (__builtin_is_constant_evaluated()) base::template reduce<M>(operand, order);
    else machine::combined_reduce<M, Scope>(base::bytes(), operand, order);
  }
};

template <class T>
contended_ref(T&) -> contended_ref<T>;

} // namespace cudax

CUDAX_EVERYWHERE_END
