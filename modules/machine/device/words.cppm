// SPDX-License-Identifier: Apache-2.0
//
// words: the machine's operations on a GPU. Each is a call across the boundary arch/abi.hpp, which device LTO folds to
// its PTX instruction. Names and meaning are those of host.cppm. The unit is empty in the flavours that do not run on a
// GPU.
module;
#include "../../base/macros.hpp"
export module cudax.sync:device_words;
import :bits;
import :device_abi;
import :modify;
import :order;
import :scope;

#if CUDAX_ON_DEVICE
CUDAX_EVERYWHERE_BEGIN

namespace cudax::device_machine {

[[noreturn]] inline void stop(char const* sentence, long long value) noexcept {
  entry::cudax_stop(sentence, value);
  __builtin_unreachable();
}

/// Returns `object`, the operand of an atomic operation. With CUDAX_NO_AUTOMATIC_ATOMICS the program promises that it
/// is in no automatic storage: the device link then folds the query for local memory that the operation makes
/// (arch/select.hpp), and a checked build makes the query itself and stops.
template <class Pointer>
[[clang::always_inline]] inline Pointer never_automatic(Pointer object) noexcept {
#if defined(CUDAX_NO_AUTOMATIC_ATOMICS) && defined(CUDAX_CHECKED)
  if (entry::cudax_is_local(object))
    stop("cudax.sync: the atomic object at %llx is in automatic storage, but CUDAX_NO_AUTOMATIC_ATOMICS promises that "
         "none is; move it to shared or global memory, or compile the program without this macro\n",
         (long long)object);
#elif defined(CUDAX_NO_AUTOMATIC_ATOMICS)
  if (entry::cudax_is_local(object)) __builtin_unreachable();
#endif
  return object;
}

// The functions below are generated from the rows of arch/operations.def. Each function compares the rows of its
// operation with the object's type, one after the other, and calls the entry of the first row that fits.

template <class U>
U load(void const* object, memory_order order, thread_scope scope) noexcept {
#define CUDAX_LOAD(operation, type, word, ...)                                                                         \
  if constexpr (sizeof(U) == sizeof(abi::word))                                                                        \
    return entry::cudax_##operation##_##type(never_automatic(object), int(order), scope);                              \
  else
#include "../../../arch/operations.def"
  static_assert(false, "arch/operations.def has no load of this size");
}

/// Two relaxed loads as one access. Returns the first word in the low half.
inline u128 load_two(u64 const* objects, thread_scope scope) noexcept {
  return entry::cudax_load_two_u64(never_automatic(objects), scope);
}

template <class U>
void store(void* object, U value, memory_order order, thread_scope scope) noexcept {
#define CUDAX_STORE(operation, type, word, ...)                                                                        \
  if constexpr (sizeof(U) == sizeof(abi::word))                                                                        \
    return entry::cudax_##operation##_##type(never_automatic(object), value, int(order), scope);                       \
  else
#include "../../../arch/operations.def"
  static_assert(false, "arch/operations.def has no store of this size");
}

template <class U>
U exchange(void* object, U value, memory_order order, thread_scope scope) noexcept {
#define CUDAX_EXCHANGE(operation, type, word, ...)                                                                     \
  if constexpr (sizeof(U) == sizeof(abi::word))                                                                        \
    return entry::cudax_##operation##_##type(never_automatic(object), value, int(order), scope);                       \
  else
#include "../../../arch/operations.def"
  static_assert(false, "arch/operations.def has no exchange of this size");
}

/// Performs a compare-and-swap and returns the value before.
template <class U>
U compare_exchange_word(void* object, U expected, U desired, int order, thread_scope scope) noexcept {
#define CUDAX_COMPARE(operation, type, word, ...)                                                                      \
  if constexpr (sizeof(U) == sizeof(abi::word))                                                                        \
    return entry::cudax_##operation##_##type(never_automatic(object), expected, desired, order, scope);                \
  else
#include "../../../arch/operations.def"
  static_assert(false, "arch/operations.def has no compare_exchange of this size");
}

/// An instruction has one order, so this one gets the join of the success and the failure order. Never fails
/// spuriously.
template <class U>
bool compare_exchange(void* object, U& expected, U desired, memory_order success, memory_order failure,
                      thread_scope scope) noexcept {
  int const order = int(join(success, failure));
  U const before = compare_exchange_word(object, expected, desired, order, scope);
  bool const exchanged = before == expected;
  if (!exchanged) expected = before;
  return exchanged;
}

/// Maps the names of the rows' operations to modifications.
namespace operations {
inline constexpr modification fetch_add = modification::add, reduce_add = modification::add;
inline constexpr modification fetch_and = modification::bit_and, reduce_and = modification::bit_and;
inline constexpr modification fetch_or = modification::bit_or, reduce_or = modification::bit_or;
inline constexpr modification fetch_xor = modification::bit_xor, reduce_xor = modification::bit_xor;
inline constexpr modification fetch_max = modification::max, reduce_max = modification::max;
inline constexpr modification fetch_min = modification::min, reduce_min = modification::min;
} // namespace operations

/// The types of the rows.
enum class row_type { none, u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64 };

/// The type of the row that performs M on a V. Additions and bitwise operations have one row for signed and unsigned
/// integers, the unsigned one.
template <modification M, class V>
inline constexpr row_type type_of_row = [] {
  if constexpr (same_as<V, float>) return row_type::f32;
  else if constexpr (same_as<V, double>) return row_type::f64;
  else if constexpr (same_as<V, _Float16>) return row_type::f16;
  else if constexpr (same_as<V, __bf16>) return row_type::bf16;
  else if constexpr (__is_integral(V)) {
    constexpr bool is_signed = (M == modification::max || M == modification::min) && __is_signed(V);
    switch (sizeof(V)) {
    case 1: return is_signed ? row_type::s8 : row_type::u8;
    case 2: return is_signed ? row_type::s16 : row_type::u16;
    case 4: return is_signed ? row_type::s32 : row_type::u32;
    case 8: return is_signed ? row_type::s64 : row_type::u64;
    }
  }
  return row_type::none;
}();

/// Whether a device has fetch<M, V> as one call. All others are loops on compare_exchange (machine.cppm).
template <modification M, class V>
inline constexpr bool has_fetch = false
#define CUDAX_FETCH(operation, type, ...) || (M == operations::operation && type_of_row<M, V> == row_type::type)
#include "../../../arch/operations.def"
    ;

/// Convert a value to the word that crosses the boundary, and back. f16 and bf16 cross as their bits.
template <class Word, class V>
Word to_boundary(V value) noexcept {
  if constexpr (__is_integral(V) || same_as<V, Word>) return Word(value);
  else return to_word(value);
}
template <class V, class Word>
V from_boundary(Word word) noexcept {
  if constexpr (__is_integral(V) || same_as<V, Word>) return V(word);
  else return from_word<V>(word);
}

template <modification M, class V>
V fetch(void* object, V operand, memory_order order, thread_scope scope) noexcept {
#define CUDAX_FETCH(operation, type, word, ...)                                                                        \
  if constexpr (M == operations::operation && type_of_row<M, V> == row_type::type)                                     \
    return from_boundary<V>(entry::cudax_##operation##_##type(never_automatic(object),                                 \
                                                              to_boundary<abi::word>(operand), int(order), scope));    \
  else
#include "../../../arch/operations.def"
  static_assert(false, "arch/operations.def has no row for this modification; use has_fetch");
}

/// Performs fetch without a result. Additions, maxima and minima of 1 and 2 bytes have no reduction row of their own;
/// they call fetch.
template <modification M, class V>
void reduce(void* object, V operand, memory_order order, thread_scope scope) noexcept {
#define CUDAX_REDUCE(operation, type, word, ...)                                                                       \
  if constexpr (M == operations::operation && type_of_row<M, V> == row_type::type)                                     \
    entry::cudax_##operation##_##type(never_automatic(object), to_boundary<abi::word>(operand), int(order), scope);    \
  else
#include "../../../arch/operations.def"
  fetch<M, V>(object, operand, order, scope);
}

inline void fence(memory_order order, thread_scope scope) noexcept { entry::cudax_fence(int(order), scope); }
/// Whether a fence that only acquires costs less than one that also releases.
inline bool has_acquire_fence() noexcept { return entry::cudax_has_acquire_fence(); }

/// Does nothing: device code cannot find out which kind of memory holds the object.
template <class U>
void check_as_modification(void const*, thread_scope) noexcept {}

/// Only keeps the compiler from reordering. clang 22 cannot compile __atomic_signal_fence for a GPU:
/// https://github.com/llvm/llvm-project/pull/185883
inline void signal_fence(memory_order order) noexcept {
  if (order != memory_order::relaxed) asm volatile("" : : : "memory");
}

} // namespace cudax::device_machine

CUDAX_EVERYWHERE_END
#endif
