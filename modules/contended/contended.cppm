// SPDX-License-Identifier: Apache-2.0
//
// contended: atomic for objects that many lanes of a warp modify at the same time.  Extension
// A contended is an atomic whose read-modify-writes are those of contended_ref. The functions of [atomics.nonmembers]
// do not take it: they name operations that do not combine.
module;
#include "../base/macros.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:contended;
import :atomic;
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
  T operator=(T desired) noexcept { return base::operator=(desired); }
  T operator=(T desired) volatile noexcept { return base::operator=(desired); }

  T exchange(T desired, any_order order = memory_order_seq_cst) volatile noexcept {
    return self().exchange(desired, order);
  }

  T fetch_add(difference operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_add(operand, order);
  }
  T fetch_sub(difference operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_sub(operand, order);
  }
  T fetch_and(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    return self().fetch_and(operand, order);
  }
  T fetch_or(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    return self().fetch_or(operand, order);
  }
  T fetch_xor(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    return self().fetch_xor(operand, order);
  }
  T fetch_max(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_max(operand, order);
  }
  T fetch_min(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    return self().fetch_min(operand, order);
  }
  T fetch_fmaximum(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fmaximum(operand, order);
  }
  T fetch_fminimum(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fminimum(operand, order);
  }
  T fetch_fmaximum_num(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fmaximum_num(operand, order);
  }
  T fetch_fminimum_num(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    return self().fetch_fminimum_num(operand, order);
  }

  void store_add(difference operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_add(operand, order);
  }
  void store_sub(difference operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_sub(operand, order);
  }
  void store_and(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    self().store_and(operand, order);
  }
  void store_or(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    self().store_or(operand, order);
  }
  void store_xor(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires integer<T>
  {
    self().store_xor(operand, order);
  }
  void store_max(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_max(operand, order);
  }
  void store_min(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires(has_difference)
  {
    self().store_min(operand, order);
  }
  void store_fmaximum(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fmaximum(operand, order);
  }
  void store_fminimum(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fminimum(operand, order);
  }
  void store_fmaximum_num(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fmaximum_num(operand, order);
  }
  void store_fminimum_num(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires floating<T>
  {
    self().store_fminimum_num(operand, order);
  }

  T operator++(int) volatile noexcept
    requires(integer<T> || object_pointer<T>)
  {
    return self()++;
  }
  T operator++() volatile noexcept
    requires(integer<T> || object_pointer<T>)
  {
    return ++self();
  }
  T operator--(int) volatile noexcept
    requires(integer<T> || object_pointer<T>)
  {
    return self()--;
  }
  T operator--() volatile noexcept
    requires(integer<T> || object_pointer<T>)
  {
    return --self();
  }
  T operator+=(difference operand) volatile noexcept
    requires(has_difference)
  {
    return self() += operand;
  }
  T operator-=(difference operand) volatile noexcept
    requires(has_difference)
  {
    return self() -= operand;
  }
  T operator&=(T operand) volatile noexcept
    requires integer<T>
  {
    return self() &= operand;
  }
  T operator|=(T operand) volatile noexcept
    requires integer<T>
  {
    return self() |= operand;
  }
  T operator^=(T operand) volatile noexcept
    requires integer<T>
  {
    return self() ^= operand;
  }

  CUDAX_LACKS_BY_TYPE(T, true)

private:
  reference self() const volatile noexcept { return reference(*const_cast<contended*>(this)->address()); }
};

template <class T>
contended(T) -> contended<T>;

} // namespace cudax

CUDAX_EVERYWHERE_END
