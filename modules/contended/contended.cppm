// SPDX-License-Identifier: Apache-2.0
//
// contended: atomic for objects that many lanes of a warp modify at the same time.  Extension
// A contended is an atomic whose read-modify-writes are those of contended_ref. It has every member of atomic, and the
// functions of [atomics.nonmembers] take it: they call its members, so they combine, too.
module;
#include "../base/macros.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:contended;
import :atomic;
import :atomic_functions;
import :atomic_ref;
import :bits;
import :contended_ref;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Holds a value and accesses it atomically at Scope, as atomic does. Where lanes of a warp modify one object together,
/// they combine their operations into one: contended_ref says when that pays.
/// Source:   extension
/// Order:    as atomic
/// Scope:    Scope, as for atomic
/// Requires: as atomic; T has 1, 2, 4, 8 or 16 bytes
/// Example:
///     __global__ void take(cudax::contended<unsigned, cudax::thread_scope_device>* next, unsigned count, int* out) {
///       for (unsigned i; (i = next->fetch_add(1, cudax::memory_order_relaxed)) < count;) out[i] = int(i);
///     }
template <class T, thread_scope Scope = thread_scope_system>
class contended : public atomic<T, Scope> {
  static_assert(is_word_size(sizeof(T)),
                "cudax.sync: contended<T>: T must have 1, 2, 4, 8 or 16 bytes; for another size use atomic<T>, which "
                "holds a lock beside the value");
  using base = atomic<T, Scope>;
  using reference = contended_ref<T, Scope>;
  using difference = difference_parameter<T>;
  static constexpr bool has_difference = arithmetic<T> || object_pointer<T>;

public:
  using value_type = T;

  constexpr contended() noexcept(noexcept(T()))
    requires requires { T(); }
  = default;
  constexpr contended(T desired) noexcept : base(desired) {}
  contended(contended const&) = delete;
  contended& operator=(contended const&) = delete;
  contended& operator=(contended const&) volatile = delete;
  constexpr T operator=(T desired) noexcept { return base::operator=(desired); }
  constexpr T operator=(T desired) volatile noexcept { return base::operator=(desired); }

  constexpr T exchange(T desired, any_order order = memory_order_seq_cst) volatile noexcept {
    return self().exchange(desired, order);
  }

  constexpr T fetch_add(difference operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_add(operand, order);
  }
  constexpr T fetch_sub(difference operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_sub(operand, order);
  }
  constexpr T fetch_and(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    return self().fetch_and(operand, order);
  }
  constexpr T fetch_or(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    return self().fetch_or(operand, order);
  }
  constexpr T fetch_xor(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    return self().fetch_xor(operand, order);
  }
  constexpr T fetch_max(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_max(operand, order);
  }
  constexpr T fetch_min(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_min(operand, order);
  }
  constexpr T fetch_fmaximum(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fmaximum(operand, order);
  }
  constexpr T fetch_fminimum(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fminimum(operand, order);
  }
  constexpr T fetch_fmaximum_num(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fmaximum_num(operand, order);
  }
  constexpr T fetch_fminimum_num(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fminimum_num(operand, order);
  }

  constexpr void store_add(difference operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_add(operand, order);
  }
  constexpr void store_sub(difference operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_sub(operand, order);
  }
  constexpr void store_and(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    self().store_and(operand, order);
  }
  constexpr void store_or(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    self().store_or(operand, order);
  }
  constexpr void store_xor(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    self().store_xor(operand, order);
  }
  constexpr void store_max(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_max(operand, order);
  }
  constexpr void store_min(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_min(operand, order);
  }
  constexpr void store_fmaximum(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fmaximum(operand, order);
  }
  constexpr void store_fminimum(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fminimum(operand, order);
  }
  constexpr void store_fmaximum_num(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fmaximum_num(operand, order);
  }
  constexpr void store_fminimum_num(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fminimum_num(operand, order);
  }

  constexpr T operator++(int) volatile noexcept
    requires(has_difference)
  {
    return self()++;
  }
  constexpr T operator++() volatile noexcept
    requires(has_difference)
  {
    return ++self();
  }
  constexpr T operator--(int) volatile noexcept
    requires(has_difference)
  {
    return self()--;
  }
  constexpr T operator--() volatile noexcept
    requires(has_difference)
  {
    return --self();
  }
  constexpr T operator+=(difference operand) volatile noexcept
    requires(has_difference)
  {
    return self() += operand;
  }
  constexpr T operator-=(difference operand) volatile noexcept
    requires(has_difference)
  {
    return self() -= operand;
  }
  constexpr T operator&=(T operand) volatile noexcept
    requires integer<T>
  {
    return self() &= operand;
  }
  constexpr T operator|=(T operand) volatile noexcept
    requires integer<T>
  {
    return self() |= operand;
  }
  constexpr T operator^=(T operand) volatile noexcept
    requires integer<T>
  {
    return self() ^= operand;
  }

  CUDAX_LACKS_BY_TYPE(T, true)

private:
  constexpr reference self() const volatile noexcept { return reference(*const_cast<contended*>(this)->address()); }
};

template <class T>
contended(T) -> contended<T>;

} // namespace cudax

namespace cudax {

/// For the free functions.
template <class T, thread_scope Scope>
struct atomic_argument<contended<T, Scope>> : atomic_argument<atomic<T, Scope>> {};

} // namespace cudax

CUDAX_EVERYWHERE_END
