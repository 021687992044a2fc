// SPDX-License-Identifier: Apache-2.0
//
// device: the machine's operations on a GPU, each a call across the boundary arch/abi.hpp, which device LTO folds to
// its PTX. Same names and meaning as host.cppm. Empty in the flavours that do not run on a GPU.
module;
#include "../../../arch/abi.hpp"
#include "../../base/macros.hpp"
export module cudax.sync:device_words;
import :bits;
import :modify;
import :order;
import :scope;

#if CUDAX_ON_DEVICE
CUDAX_EVERYWHERE_BEGIN

namespace cudax::device_machine {

[[noreturn]] inline void stop(char const* sentence, long long value) noexcept {
  cudax_stop(sentence, value);
  __builtin_unreachable();
}

template <class U>
U load(void const* object, memory_order order, thread_scope scope) noexcept {
  if constexpr (sizeof(U) == 1) return cudax_load_u8(object, int(order), scope);
  else if constexpr (sizeof(U) == 2) return cudax_load_u16(object, int(order), scope);
  else if constexpr (sizeof(U) == 4) return cudax_load_u32(object, int(order), scope);
  else if constexpr (sizeof(U) == 8) return cudax_load_u64(object, int(order), scope);
  else return cudax_load_b128(object, int(order), scope);
}

template <class U>
void store(void* object, U value, memory_order order, thread_scope scope) noexcept {
  if constexpr (sizeof(U) == 1) cudax_store_u8(object, value, int(order), scope);
  else if constexpr (sizeof(U) == 2) cudax_store_u16(object, value, int(order), scope);
  else if constexpr (sizeof(U) == 4) cudax_store_u32(object, value, int(order), scope);
  else if constexpr (sizeof(U) == 8) cudax_store_u64(object, value, int(order), scope);
  else cudax_store_b128(object, value, int(order), scope);
}

/// One instruction has one order, so it takes the join of success and failure. Never fails spuriously.
template <class U>
bool compare_exchange(void* object, U& expected, U desired, memory_order success, memory_order failure,
                      thread_scope scope) noexcept {
  int const order = int(join(success, failure));
  U before;
  if constexpr (sizeof(U) == 1) before = cudax_compare_exchange_u8(object, expected, desired, order, scope);
  else if constexpr (sizeof(U) == 2) before = cudax_compare_exchange_u16(object, expected, desired, order, scope);
  else if constexpr (sizeof(U) == 4) before = cudax_compare_exchange_u32(object, expected, desired, order, scope);
  else if constexpr (sizeof(U) == 8) before = cudax_compare_exchange_u64(object, expected, desired, order, scope);
  else before = cudax_compare_exchange_b128(object, expected, desired, order, scope);
  bool const exchanged = before == expected;
  if (!exchanged) expected = before;
  return exchanged;
}

template <class U>
U exchange(void* object, U value, memory_order order, thread_scope scope) noexcept {
  if constexpr (sizeof(U) == 1) return cudax_exchange_u8(object, value, int(order), scope);
  else if constexpr (sizeof(U) == 2) return cudax_exchange_u16(object, value, int(order), scope);
  else if constexpr (sizeof(U) == 4) return cudax_exchange_u32(object, value, int(order), scope);
  else if constexpr (sizeof(U) == 8) return cudax_exchange_u64(object, value, int(order), scope);
  else return cudax_exchange_b128(object, value, int(order), scope);
}

/// Whether fetch<M, V> is one call here; the others are loops on compare_exchange (machine.cppm).
template <modification M, class V>
inline constexpr bool has_fetch = [] {
  if constexpr (__is_integral(V)) return sizeof(V) <= 8;
  else return M == modification::add;
}();

// clang-format off
template <modification M, class V>
V fetch(void* object, V operand, memory_order order, thread_scope scope) noexcept {
  if constexpr (M == modification::add) {
    if constexpr (same_as<V, float>) return cudax_fetch_add_f32(object, operand, int(order), scope);
    else if constexpr (same_as<V, double>) return cudax_fetch_add_f64(object, operand, int(order), scope);
    else if constexpr (same_as<V, _Float16>) return from_word<V>(cudax_fetch_add_f16(object, to_word(operand), int(order), scope));
    else if constexpr (same_as<V, __bf16>) return from_word<V>(cudax_fetch_add_bf16(object, to_word(operand), int(order), scope));
    else if constexpr (sizeof(V) == 1) return V(cudax_fetch_add_u8(object, u8(operand), int(order), scope));
    else if constexpr (sizeof(V) == 2) return V(cudax_fetch_add_u16(object, u16(operand), int(order), scope));
    else if constexpr (sizeof(V) == 4) return V(cudax_fetch_add_u32(object, u32(operand), int(order), scope));
    else return V(cudax_fetch_add_u64(object, u64(operand), int(order), scope));
  } else if constexpr (M == modification::bit_and) {
    if constexpr (sizeof(V) == 1) return V(cudax_fetch_and_u8(object, u8(operand), int(order), scope));
    else if constexpr (sizeof(V) == 2) return V(cudax_fetch_and_u16(object, u16(operand), int(order), scope));
    else if constexpr (sizeof(V) == 4) return V(cudax_fetch_and_u32(object, u32(operand), int(order), scope));
    else return V(cudax_fetch_and_u64(object, u64(operand), int(order), scope));
  } else if constexpr (M == modification::bit_or) {
    if constexpr (sizeof(V) == 1) return V(cudax_fetch_or_u8(object, u8(operand), int(order), scope));
    else if constexpr (sizeof(V) == 2) return V(cudax_fetch_or_u16(object, u16(operand), int(order), scope));
    else if constexpr (sizeof(V) == 4) return V(cudax_fetch_or_u32(object, u32(operand), int(order), scope));
    else return V(cudax_fetch_or_u64(object, u64(operand), int(order), scope));
  } else if constexpr (M == modification::bit_xor) {
    if constexpr (sizeof(V) == 1) return V(cudax_fetch_xor_u8(object, u8(operand), int(order), scope));
    else if constexpr (sizeof(V) == 2) return V(cudax_fetch_xor_u16(object, u16(operand), int(order), scope));
    else if constexpr (sizeof(V) == 4) return V(cudax_fetch_xor_u32(object, u32(operand), int(order), scope));
    else return V(cudax_fetch_xor_u64(object, u64(operand), int(order), scope));
  } else if constexpr (M == modification::max) {
    if constexpr (sizeof(V) == 1 && __is_signed(V)) return V(cudax_fetch_max_s8(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 1) return V(cudax_fetch_max_u8(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 2 && __is_signed(V)) return V(cudax_fetch_max_s16(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 2) return V(cudax_fetch_max_u16(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 4 && __is_signed(V)) return V(cudax_fetch_max_s32(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 4) return V(cudax_fetch_max_u32(object, operand, int(order), scope));
    else if constexpr (__is_signed(V)) return V(cudax_fetch_max_s64(object, operand, int(order), scope));
    else return V(cudax_fetch_max_u64(object, operand, int(order), scope));
  } else {
    if constexpr (sizeof(V) == 1 && __is_signed(V)) return V(cudax_fetch_min_s8(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 1) return V(cudax_fetch_min_u8(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 2 && __is_signed(V)) return V(cudax_fetch_min_s16(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 2) return V(cudax_fetch_min_u16(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 4 && __is_signed(V)) return V(cudax_fetch_min_s32(object, operand, int(order), scope));
    else if constexpr (sizeof(V) == 4) return V(cudax_fetch_min_u32(object, operand, int(order), scope));
    else if constexpr (__is_signed(V)) return V(cudax_fetch_min_s64(object, operand, int(order), scope));
    else return V(cudax_fetch_min_u64(object, operand, int(order), scope));
  }
}

/// As fetch, without a result. Additions, maxima and minima of parts of a word have no instruction of their own.
template <modification M, class V>
void reduce(void* object, V operand, memory_order order, thread_scope scope) noexcept {
  constexpr bool bitwise = M == modification::bit_and || M == modification::bit_or || M == modification::bit_xor;
  if constexpr (__is_integral(V) && sizeof(V) <= 2 && !bitwise) {
    fetch<M, V>(object, operand, order, scope);
  } else if constexpr (M == modification::add) {
    if constexpr (same_as<V, float>) cudax_reduce_add_f32(object, operand, int(order), scope);
    else if constexpr (same_as<V, double>) cudax_reduce_add_f64(object, operand, int(order), scope);
    else if constexpr (same_as<V, _Float16>) cudax_reduce_add_f16(object, to_word(operand), int(order), scope);
    else if constexpr (same_as<V, __bf16>) cudax_reduce_add_bf16(object, to_word(operand), int(order), scope);
    else if constexpr (sizeof(V) == 4) cudax_reduce_add_u32(object, u32(operand), int(order), scope);
    else cudax_reduce_add_u64(object, u64(operand), int(order), scope);
  } else if constexpr (M == modification::bit_and) {
    if constexpr (sizeof(V) == 1) cudax_reduce_and_u8(object, u8(operand), int(order), scope);
    else if constexpr (sizeof(V) == 2) cudax_reduce_and_u16(object, u16(operand), int(order), scope);
    else if constexpr (sizeof(V) == 4) cudax_reduce_and_u32(object, u32(operand), int(order), scope);
    else cudax_reduce_and_u64(object, u64(operand), int(order), scope);
  } else if constexpr (M == modification::bit_or) {
    if constexpr (sizeof(V) == 1) cudax_reduce_or_u8(object, u8(operand), int(order), scope);
    else if constexpr (sizeof(V) == 2) cudax_reduce_or_u16(object, u16(operand), int(order), scope);
    else if constexpr (sizeof(V) == 4) cudax_reduce_or_u32(object, u32(operand), int(order), scope);
    else cudax_reduce_or_u64(object, u64(operand), int(order), scope);
  } else if constexpr (M == modification::bit_xor) {
    if constexpr (sizeof(V) == 1) cudax_reduce_xor_u8(object, u8(operand), int(order), scope);
    else if constexpr (sizeof(V) == 2) cudax_reduce_xor_u16(object, u16(operand), int(order), scope);
    else if constexpr (sizeof(V) == 4) cudax_reduce_xor_u32(object, u32(operand), int(order), scope);
    else cudax_reduce_xor_u64(object, u64(operand), int(order), scope);
  } else if constexpr (M == modification::max) {
    if constexpr (sizeof(V) == 4 && __is_signed(V)) cudax_reduce_max_s32(object, operand, int(order), scope);
    else if constexpr (sizeof(V) == 4) cudax_reduce_max_u32(object, operand, int(order), scope);
    else if constexpr (__is_signed(V)) cudax_reduce_max_s64(object, operand, int(order), scope);
    else cudax_reduce_max_u64(object, operand, int(order), scope);
  } else {
    if constexpr (sizeof(V) == 4 && __is_signed(V)) cudax_reduce_min_s32(object, operand, int(order), scope);
    else if constexpr (sizeof(V) == 4) cudax_reduce_min_u32(object, operand, int(order), scope);
    else if constexpr (__is_signed(V)) cudax_reduce_min_s64(object, operand, int(order), scope);
    else cudax_reduce_min_u64(object, operand, int(order), scope);
  }
}
// clang-format on

inline void fence(memory_order order, thread_scope scope) noexcept { cudax_fence(int(order), scope); }

/// A device does not know what memory it is in.
template <class U>
void ask_as_modification(void const*, thread_scope) noexcept {}

/// Stops the compiler alone. clang 22 cannot compile __atomic_signal_fence for a GPU:
/// https://github.com/llvm/llvm-project/pull/185883
inline void signal_fence(memory_order order) noexcept {
  if (order != memory_order::relaxed) asm volatile("" : : : "memory");
}

} // namespace cudax::device_machine

CUDAX_EVERYWHERE_END
#endif
