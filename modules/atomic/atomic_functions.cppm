// SPDX-License-Identifier: Apache-2.0
//
// atomic_functions: the free functions on atomic objects, for every scope.  [atomics.nonmembers]
// Each function calls the member of the same name. Argument-dependent lookup finds the functions.
module;
#include "../base/macros.hpp"
export module cudax.sync:atomic_functions;
import :atomic;
import :atomic_flag;
import :atomic_locked;
import :bits;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// The value type and the difference type of an atomic of any scope. The concepts below also accept volatile-qualified
/// types.
template <class A>
struct atomic_argument;
template <class T, thread_scope Scope>
struct atomic_argument<atomic<T, Scope>> {
  using value = T;
  using difference = difference_parameter<T>;
};
template <class A>
concept some_atomic = requires { typename atomic_argument<__remove_cv(A)>::value; };
template <class A>
using value_in = typename atomic_argument<__remove_cv(A)>::value;
template <class A>
using difference_in = typename atomic_argument<__remove_cv(A)>::difference;

template <class F>
struct flag_argument {
  static constexpr bool value = false;
};
template <thread_scope Scope>
struct flag_argument<basic_atomic_flag<Scope>> {
  static constexpr bool value = true;
};
template <class F>
concept some_flag = flag_argument<__remove_cv(F)>::value;

} // namespace cudax

export namespace cudax {

// --- [atomics.types.operations] --------------------------------------------------------------------------------------

/// Returns whether the operations on the object take no lock.
/// Source:   [atomics.types.operations], is_lock_free
template <some_atomic A>
constexpr bool atomic_is_lock_free(A const* object) noexcept {
  return object->is_lock_free();
}

/// Stores the first value of an object that was made without one.
/// Source:   [depr.atomics.nonmembers]; deprecated since C++20
/// Order:    relaxed
template <some_atomic A>
constexpr void atomic_init(A* object, value_in<A> desired) noexcept {
  // A store of an atomic that holds a lock would wait for a lock without a state.
  if constexpr (A::is_always_lock_free) object->store(desired, memory_order_relaxed);
  else cudax::init(object, desired);
}

template <some_atomic A>
constexpr value_in<A> atomic_load(A const* object) noexcept {
  return object->load();
}
template <some_atomic A>
constexpr value_in<A> atomic_load_explicit(A const* object, load_order order) noexcept {
  return object->load(order);
}

template <some_atomic A>
constexpr void atomic_store(A* object, value_in<A> desired) noexcept {
  object->store(desired);
}
template <some_atomic A>
constexpr void atomic_store_explicit(A* object, value_in<A> desired, store_order order) noexcept {
  object->store(desired, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_exchange(A* object, value_in<A> desired) noexcept {
  return object->exchange(desired);
}
template <some_atomic A>
constexpr value_in<A> atomic_exchange_explicit(A* object, value_in<A> desired, any_order order) noexcept {
  return object->exchange(desired, order);
}

template <some_atomic A>
constexpr bool atomic_compare_exchange_weak(A* object, value_in<A>* expected, value_in<A> desired) noexcept {
  return object->compare_exchange_weak(*expected, desired);
}
template <some_atomic A>
constexpr bool atomic_compare_exchange_weak_explicit(A* object, value_in<A>* expected, value_in<A> desired,
                                                     any_order success, load_order failure) noexcept {
  return object->compare_exchange_weak(*expected, desired, success, failure);
}

template <some_atomic A>
constexpr bool atomic_compare_exchange_strong(A* object, value_in<A>* expected, value_in<A> desired) noexcept {
  return object->compare_exchange_strong(*expected, desired);
}
template <some_atomic A>
constexpr bool atomic_compare_exchange_strong_explicit(A* object, value_in<A>* expected, value_in<A> desired,
                                                       any_order success, load_order failure) noexcept {
  return object->compare_exchange_strong(*expected, desired, success, failure);
}

// --- [atomics.types.int], [atomics.types.float], [atomics.types.pointer] ---------------------------------------------

/// Adds `operand` to the value of an atomic and returns the previous value, as atomic::fetch_add does.
/// Example:
///     cudax::atomic<int, cudax::thread_scope_device> count(0);
///     atomic_fetch_add_explicit(&count, 3, cudax::memory_order_relaxed);
///     int const now = atomic_load(&count);
template <some_atomic A>
constexpr value_in<A> atomic_fetch_add(A* object, difference_in<A> operand) noexcept {
  return object->fetch_add(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_add_explicit(A* object, difference_in<A> operand, any_order order) noexcept {
  return object->fetch_add(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_add(A* object, difference_in<A> operand) noexcept {
  object->store_add(operand);
}
template <some_atomic A>
constexpr void atomic_store_add_explicit(A* object, difference_in<A> operand, store_order order) noexcept {
  object->store_add(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_sub(A* object, difference_in<A> operand) noexcept {
  return object->fetch_sub(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_sub_explicit(A* object, difference_in<A> operand, any_order order) noexcept {
  return object->fetch_sub(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_sub(A* object, difference_in<A> operand) noexcept {
  object->store_sub(operand);
}
template <some_atomic A>
constexpr void atomic_store_sub_explicit(A* object, difference_in<A> operand, store_order order) noexcept {
  object->store_sub(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_and(A* object, value_in<A> operand) noexcept {
  return object->fetch_and(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_and_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_and(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_and(A* object, value_in<A> operand) noexcept {
  object->store_and(operand);
}
template <some_atomic A>
constexpr void atomic_store_and_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_and(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_or(A* object, value_in<A> operand) noexcept {
  return object->fetch_or(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_or_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_or(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_or(A* object, value_in<A> operand) noexcept {
  object->store_or(operand);
}
template <some_atomic A>
constexpr void atomic_store_or_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_or(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_xor(A* object, value_in<A> operand) noexcept {
  return object->fetch_xor(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_xor_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_xor(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_xor(A* object, value_in<A> operand) noexcept {
  object->store_xor(operand);
}
template <some_atomic A>
constexpr void atomic_store_xor_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_xor(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_max(A* object, value_in<A> operand) noexcept {
  return object->fetch_max(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_max_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_max(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_max(A* object, value_in<A> operand) noexcept {
  object->store_max(operand);
}
template <some_atomic A>
constexpr void atomic_store_max_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_max(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_min(A* object, value_in<A> operand) noexcept {
  return object->fetch_min(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_min_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_min(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_min(A* object, value_in<A> operand) noexcept {
  object->store_min(operand);
}
template <some_atomic A>
constexpr void atomic_store_min_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_min(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_fmaximum(A* object, value_in<A> operand) noexcept {
  return object->fetch_fmaximum(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_fmaximum_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_fmaximum(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_fmaximum(A* object, value_in<A> operand) noexcept {
  object->store_fmaximum(operand);
}
template <some_atomic A>
constexpr void atomic_store_fmaximum_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_fmaximum(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_fminimum(A* object, value_in<A> operand) noexcept {
  return object->fetch_fminimum(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_fminimum_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_fminimum(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_fminimum(A* object, value_in<A> operand) noexcept {
  object->store_fminimum(operand);
}
template <some_atomic A>
constexpr void atomic_store_fminimum_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_fminimum(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_fmaximum_num(A* object, value_in<A> operand) noexcept {
  return object->fetch_fmaximum_num(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_fmaximum_num_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_fmaximum_num(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_fmaximum_num(A* object, value_in<A> operand) noexcept {
  object->store_fmaximum_num(operand);
}
template <some_atomic A>
constexpr void atomic_store_fmaximum_num_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_fmaximum_num(operand, order);
}

template <some_atomic A>
constexpr value_in<A> atomic_fetch_fminimum_num(A* object, value_in<A> operand) noexcept {
  return object->fetch_fminimum_num(operand);
}
template <some_atomic A>
constexpr value_in<A> atomic_fetch_fminimum_num_explicit(A* object, value_in<A> operand, any_order order) noexcept {
  return object->fetch_fminimum_num(operand, order);
}
template <some_atomic A>
constexpr void atomic_store_fminimum_num(A* object, value_in<A> operand) noexcept {
  object->store_fminimum_num(operand);
}
template <some_atomic A>
constexpr void atomic_store_fminimum_num_explicit(A* object, value_in<A> operand, store_order order) noexcept {
  object->store_fminimum_num(operand, order);
}

// --- [atomics.wait] --------------------------------------------------------------------------------------------------

template <some_atomic A>
constexpr void atomic_wait(A const* object, value_in<A> old) noexcept {
  object->wait(old);
}
template <some_atomic A>
constexpr void atomic_wait_explicit(A const* object, value_in<A> old, load_order order) noexcept {
  object->wait(old, order);
}
template <some_atomic A>
constexpr void atomic_notify_one(A* object) noexcept {
  object->notify_one();
}
template <some_atomic A>
constexpr void atomic_notify_all(A* object) noexcept {
  object->notify_all();
}

// --- [atomics.flag] --------------------------------------------------------------------------------------------------

template <some_flag F>
constexpr bool atomic_flag_test(F const* flag) noexcept {
  return flag->test();
}
template <some_flag F>
constexpr bool atomic_flag_test_explicit(F const* flag, load_order order) noexcept {
  return flag->test(order);
}
template <some_flag F>
constexpr bool atomic_flag_test_and_set(F* flag) noexcept {
  return flag->test_and_set();
}
template <some_flag F>
constexpr bool atomic_flag_test_and_set_explicit(F* flag, any_order order) noexcept {
  return flag->test_and_set(order);
}
template <some_flag F>
constexpr void atomic_flag_clear(F* flag) noexcept {
  flag->clear();
}
template <some_flag F>
constexpr void atomic_flag_clear_explicit(F* flag, store_order order) noexcept {
  flag->clear(order);
}
template <some_flag F>
constexpr void atomic_flag_wait(F const* flag, bool old) noexcept {
  flag->wait(old);
}
template <some_flag F>
constexpr void atomic_flag_wait_explicit(F const* flag, bool old, load_order order) noexcept {
  flag->wait(old, order);
}
template <some_flag F>
constexpr void atomic_flag_notify_one(F* flag) noexcept {
  flag->notify_one();
}
template <some_flag F>
constexpr void atomic_flag_notify_all(F* flag) noexcept {
  flag->notify_all();
}

} // namespace cudax

CUDAX_EVERYWHERE_END
