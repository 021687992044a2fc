// SPDX-License-Identifier: Apache-2.0
//
// host: the machine's operations on a CPU, by the compiler's own atomics. Thread scopes do not matter here: all host
// threads share one coherent memory. Only checked builds use the scopes, to check objects that are shared with devices.
//
// An order may be known only at run time: the builtins switch on it, and the switch folds for a constant. Operations on
// 16 bytes take no order: they are sequentially consistent (runtime/base/wide.cpp). Words alias objects of any type
// (may_alias), because an atomic_ref<float> is made of operations on u32.
module;
#include "../../runtime/interface/boundary.hpp"
#include "../base/macros.hpp"
export module cudax.sync:host;
import :bits;
import :modify;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::host_machine {

[[noreturn]] inline void stop(char const* sentence, long long value) noexcept { runtime::stop(sentence, value); }

template <class U>
U load(void const* object, memory_order order, thread_scope scope) noexcept {
  CUDAX_CHECK_ATOMICITY(object, sizeof(U), load, scope);
  typedef U __attribute__((may_alias)) word;
  if constexpr (sizeof(U) == 16) return runtime::load_16(object);
  else return __atomic_load_n((word const*)object, int(order));
}

inline u128 load_two(u64 const* objects, thread_scope scope) noexcept {
  u64 const first = load<u64>(objects, memory_order::relaxed, scope);
  return u128(load<u64>(objects + 1, memory_order::relaxed, scope)) << 64 | first;
}

template <class U>
void store(void* object, U value, memory_order order, thread_scope scope) noexcept {
  CUDAX_CHECK_ATOMICITY(object, sizeof(U), store, scope);
  typedef U __attribute__((may_alias)) word;
  if constexpr (sizeof(U) == 16) runtime::store_16(object, value);
  else __atomic_store_n((word*)object, value, int(order));
}

template <class U>
U exchange(void* object, U value, memory_order order, thread_scope scope) noexcept {
  CUDAX_CHECK_ATOMICITY(object, sizeof(U), modify, scope);
  typedef U __attribute__((may_alias)) word;
  if constexpr (sizeof(U) == 16) return runtime::exchange_16(object, value);
  else return __atomic_exchange_n((word*)object, value, int(order));
}

template <class U>
bool compare_exchange(void* object, U& expected, U desired, memory_order success, memory_order failure,
                      thread_scope scope) noexcept {
  CUDAX_CHECK_ATOMICITY(object, sizeof(U), modify, scope);
  typedef U __attribute__((may_alias)) word;
  if constexpr (sizeof(U) == 16) return runtime::compare_exchange_16(object, &expected, desired);
  else return __atomic_compare_exchange_n((word*)object, &expected, desired, false, int(success), int(failure));
}

/// Whether the host has fetch<M, V> as one operation. All others are loops on compare_exchange (machine.cppm).
template <modification M, class V>
inline constexpr bool has_fetch = __is_integral(V) && sizeof(V) <= 8;

template <modification M, class V>
V fetch(void* object, V operand, memory_order order, thread_scope scope) noexcept {
  CUDAX_CHECK_ATOMICITY(object, sizeof(V), modify, scope);
  typedef V __attribute__((may_alias)) word;
  auto* const at = (word*)object;
  if constexpr (M == modification::add) return __atomic_fetch_add(at, operand, int(order));
  else if constexpr (M == modification::bit_and) return __atomic_fetch_and(at, operand, int(order));
  else if constexpr (M == modification::bit_or) return __atomic_fetch_or(at, operand, int(order));
  else if constexpr (M == modification::bit_xor) return __atomic_fetch_xor(at, operand, int(order));
#if __has_feature(thread_sanitizer)
  else { // clang 22 does not show the sanitizer an atomic max or min, nor what it orders
    V before = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(at, &before, modified<M>(before, operand), false, int(order), __ATOMIC_RELAXED)) {}
    return before;
  }
#else
  else if constexpr (M == modification::max) return __atomic_fetch_max(at, operand, int(order));
  else return __atomic_fetch_min(at, operand, int(order));
#endif
}

/// Checks a store as strictly as a read-modify-write, because a device's concurrent read-modify-write must not undo the
/// store (machine.cppm, check_as_modification).
template <class U>
void check_as_modification([[maybe_unused]] void const* object, thread_scope scope) noexcept {
  CUDAX_CHECK_ATOMICITY(object, sizeof(U), modify, scope);
}

template <modification M, class V>
void reduce(void* object, V operand, memory_order order, thread_scope scope) noexcept {
  fetch<M>(object, operand, order, scope);
}

inline void fence(memory_order order, thread_scope) noexcept { __atomic_thread_fence(int(order)); }
constexpr bool has_acquire_fence() noexcept { return true; }

inline void signal_fence(memory_order order) noexcept { __atomic_signal_fence(int(order)); }

} // namespace cudax::host_machine

CUDAX_EVERYWHERE_END
