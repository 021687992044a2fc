// SPDX-License-Identifier: Apache-2.0
//
// atomic: an object that is accessed only atomically.  [atomics.types.generic]
//
// An atomic holds a value and applies atomic_ref to it. Each member forwards to the member of atomic_ref with the same
// name; effects, orders and errors are documented there. An atomic has the layout of T, aligned to required_alignment,
// and atomic_ref can access it as a T. The members are volatile-qualified, so that one overload is enough for volatile
// and non-volatile objects.
//
// The members stand in two classes. accessed_value holds the value. modified_value adds the read-modify-writes of a
// reference: of atomic_ref for atomic; of contended_ref for contended (contended/contended.cppm), which is an atomic.
// atomic_locked.cppm implements the sizes for which the machine has no atomic instructions.
module;
#include "../base/macros.hpp"
#include "absent_members.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:atomic;
import :atomic_ref;
import :bits;
import :duration;
import :modifying_ref;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// Holds the value of an atomic, and has the operations that are the same for atomic and contended.
template <class T, thread_scope Scope>
class accessed_value : public difference_of<T> {
public:
  using value_type = value_type_of<T>; // before the assertions: clang drops what follows one that fails

private:
  static_assert(atomic_value<T>,
                "cudax.sync: atomic<T>: T must be trivially copyable and not cv-qualified, and copying "
                "and assigning it must be possible [atomics.types.generic]");
  CUDAX_ENSURE_SCOPE(Scope, "atomic<T, Scope>");
  using reference = atomic_ref<T, Scope>;

public:
  static constexpr bool is_always_lock_free = reference::is_always_lock_free;
  static constexpr size_t required_alignment = reference::required_alignment;

  /// Initializes the value with T(). At a scope narrower than thread_scope_device, initializes it as a T without an
  /// initializer: `atomic<int, thread_scope_block> a;` has no value until init, and `a{}` has the value 0.
  constexpr accessed_value() noexcept(noexcept(T()))
    requires(is_wider_than_cluster(Scope) && requires { T(); })
    : value_() {}
  accessed_value() noexcept(noexcept(T()))
    requires(!is_wider_than_cluster(Scope) && requires { T(); })
  = default;
  constexpr accessed_value(T desired) noexcept : value_(desired) {}
  accessed_value(accessed_value const&) = delete;
  accessed_value& operator=(accessed_value const&) = delete;

  bool is_lock_free() const volatile noexcept { return is_always_lock_free; }

  /// Returns the address of the value, for atomic_ref.
  constexpr T* address() noexcept { return __builtin_addressof(value_); }
  constexpr T const* address() const noexcept { return __builtin_addressof(value_); }

  constexpr T load(load_order order = memory_order_seq_cst) const volatile noexcept { return self().load(order); }
  constexpr operator T() const volatile noexcept { return self().load(); }

  constexpr void store(T desired, store_order order = memory_order_seq_cst) volatile noexcept {
    self().store(desired, order);
  }
  // Both overloads are needed: the volatile-qualified one alone is ambiguous with the deleted copy assignment.
  constexpr T operator=(T desired) noexcept { return self() = desired; }
  constexpr T operator=(T desired) volatile noexcept { return self() = desired; }

  constexpr bool compare_exchange_strong(T& expected, T desired, any_order success,
                                         load_order failure) volatile noexcept {
    return self().compare_exchange_strong(expected, desired, success, failure);
  }
  constexpr bool compare_exchange_strong(T& expected, T desired,
                                         any_order order = memory_order_seq_cst) volatile noexcept {
    return self().compare_exchange_strong(expected, desired, order);
  }
  constexpr bool compare_exchange_weak(T& expected, T desired, any_order success,
                                       load_order failure) volatile noexcept {
    return self().compare_exchange_weak(expected, desired, success, failure);
  }
  constexpr bool compare_exchange_weak(T& expected, T desired,
                                       any_order order = memory_order_seq_cst) volatile noexcept {
    return self().compare_exchange_weak(expected, desired, order);
  }

  constexpr void wait(T old, load_order order = memory_order_seq_cst) const volatile noexcept {
    self().wait(old, order);
  }
  [[nodiscard]] constexpr bool try_wait(T old, load_order order = memory_order_seq_cst) const volatile noexcept {
    return self().try_wait(old, order);
  }
  template <duration_like D>
  [[nodiscard]] bool wait_for(T old, D const& length, load_order order = memory_order_seq_cst) const volatile noexcept {
    return self().wait_for(old, length, order);
  }
  template <time_point_like P>
  [[nodiscard]] bool wait_until(T old, P const& point, load_order order = memory_order_seq_cst) const
      volatile noexcept {
    return self().wait_until(old, point, order);
  }
  constexpr void notify_one() volatile noexcept { self().notify_one(); }
  constexpr void notify_all() volatile noexcept { self().notify_all(); }

private:
  constexpr reference self() const volatile noexcept { return reference(const_cast<T&>(value_)); }

  alignas(required_alignment) T value_;
};

/// Adds the read-modify-writes of `Reference` to the members of `Base`: accessed_value<T, Scope>, or an object with
/// read-modify-writes of another reference, which these members hide.
template <class Value, class Reference, class Base>
class modified_value : public Base {
  using T = value_type_of<Value>;
  using difference = difference_parameter<T>;

public:
  using value_type = T;

  using Base::Base;
  using Base::operator=;

  constexpr T exchange(T desired, any_order order = memory_order_seq_cst) volatile noexcept {
    return self().exchange(desired, order);
  }

  constexpr T fetch_add(difference operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires has_difference<T>
  {
    return self().fetch_add(operand, order);
  }
  constexpr T fetch_sub(difference operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires has_difference<T>
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
    requires has_difference<T>
  {
    return self().fetch_max(operand, order);
  }
  constexpr T fetch_min(T operand, any_order order = memory_order_seq_cst) volatile noexcept
    requires has_difference<T>
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
    requires has_difference<T>
  {
    self().store_add(operand, order);
  }
  constexpr void store_sub(difference operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires has_difference<T>
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
    requires has_difference<T>
  {
    self().store_max(operand, order);
  }
  constexpr void store_min(T operand, store_order order = memory_order_seq_cst) volatile noexcept
    requires has_difference<T>
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
    requires has_difference<T>
  {
    return self()++;
  }
  constexpr T operator++() volatile noexcept
    requires has_difference<T>
  {
    return ++self();
  }
  constexpr T operator--(int) volatile noexcept
    requires has_difference<T>
  {
    return self()--;
  }
  constexpr T operator--() volatile noexcept
    requires has_difference<T>
  {
    return --self();
  }
  constexpr T operator+=(difference operand) volatile noexcept
    requires has_difference<T>
  {
    return self() += operand;
  }
  constexpr T operator-=(difference operand) volatile noexcept
    requires has_difference<T>
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
  constexpr Reference self() volatile noexcept { return Reference(*const_cast<modified_value*>(this)->address()); }
};

} // namespace cudax

export namespace cudax {

/// Holds a value and accesses it atomically at Scope.
/// Source:   [atomics.types.generic], [atomics.types.int], [atomics.types.float], [atomics.types.pointer]
/// Scope:    Scope; a race with a thread outside Scope is undefined behavior. If host and device share the object,
///           every operation other than load and store needs memory that is atomic between host and device. In other
///           memory updates are lost. There, if T has 1 or 2 bytes, a device's read-modify-write at any Scope other
///           than thread_scope_thread may also undo what the host stores to the rest of the aligned 4-byte word that
///           contains the object
/// Requires: T is trivially copyable. At a scope narrower than thread_scope_device the default constructor is as
///           trivial as T's, so that the object can be a variable in __shared__ memory: it gets its value from init
///           before any other use. Of a __shared__ variable of a wider scope clang says "initialization is not
///           supported for __shared__ variables"
/// Example:
///     struct message {
///       int datum = 0;
///       cudax::atomic<bool> ready = false; // system scope: host and devices
///     };
///     __global__ void send(message* m) {
///       m->datum = 42;
///       m->ready.store(true, cudax::memory_order_release); // pairs with an acquire load of `ready`
///     }
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public modified_value<T, atomic_ref<T, Scope>, accessed_value<T, Scope>> {
  using base = modified_value<T, atomic_ref<T, Scope>, accessed_value<T, Scope>>;

public:
  using base::base;
  atomic() = default;
  atomic(atomic const&) = delete;
  atomic& operator=(atomic const&) = delete;
  atomic& operator=(atomic const&) volatile = delete;
  using base::operator=;
};

template <class T>
atomic(T) -> atomic<T>;

/// Gives an atomic object its first value: for example an object in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
/// Example:
///     __global__ void count_positive(int const* data, int* count) {
///       __shared__ cudax::atomic<int, cudax::thread_scope_block> found;
///       if (threadIdx.x == 0) init(&found, 0);
///       __syncthreads();
///       if (data[threadIdx.x] > 0) found.fetch_add(1, cudax::memory_order_relaxed);
///       __syncthreads();
///       if (threadIdx.x == 0) *count = found.load(cudax::memory_order_relaxed);
///     }
template <class T, thread_scope Scope>
void init(atomic<T, Scope>* object, typename atomic<T, Scope>::value_type desired) noexcept {
  new (object) placed<atomic<T, Scope>>{atomic<T, Scope>(desired)};
}

} // namespace cudax

CUDAX_EVERYWHERE_END
