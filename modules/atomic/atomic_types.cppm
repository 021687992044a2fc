// SPDX-License-Identifier: Apache-2.0
//
// atomic_types: names of common atomic types, and constants that say whether they are lock-free.
// [atomics.alias], [atomics.lockfree]
// A module cannot export a macro. So the standard's macros, such as ATOMIC_INT_LOCK_FREE, are constants in lower case
// here.
module;
#include "../base/macros.hpp"
export module cudax.sync:atomic_types;
import :atomic;
import :atomic_flag;
import :bits;

namespace cudax {

// The C library chooses the types of <cstdint>. The compiler's macros name the same types, except for the fast types of
// 16 and 32 bits: these are long in glibc, and short and int in clang's macros.
#if defined(__LP64__) && defined(__gnu_linux__)
using fast16 = long;
using fast32 = long;
using unsigned_fast16 = unsigned long;
using unsigned_fast32 = unsigned long;
#else
using fast16 = __INT_FAST16_TYPE__;
using fast32 = __INT_FAST32_TYPE__;
using unsigned_fast16 = __UINT_FAST16_TYPE__;
using unsigned_fast32 = __UINT_FAST32_TYPE__;
#endif

} // namespace cudax

export namespace cudax {

// --- [atomics.alias] -------------------------------------------------------------------------------------------------

/// Names for atomic<T> at system scope.
/// Example:
///     cudax::atomic_uint arrived = 0;
///     arrived.fetch_add(1, cudax::memory_order_release);
///     static_assert(cudax::atomic_int_lock_free == 2, "this program needs lock-free integers");
using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_schar = atomic<signed char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;
using atomic_ushort = atomic<unsigned short>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_char8_t = atomic<char8_t>;
using atomic_char16_t = atomic<char16_t>;
using atomic_char32_t = atomic<char32_t>;
using atomic_wchar_t = atomic<wchar_t>;

/// Integers of exactly the named width.
using atomic_int8_t = atomic<__INT8_TYPE__>;
using atomic_uint8_t = atomic<__UINT8_TYPE__>;
using atomic_int16_t = atomic<__INT16_TYPE__>;
using atomic_uint16_t = atomic<__UINT16_TYPE__>;
using atomic_int32_t = atomic<__INT32_TYPE__>;
using atomic_uint32_t = atomic<__UINT32_TYPE__>;
using atomic_int64_t = atomic<__INT64_TYPE__>;
using atomic_uint64_t = atomic<__UINT64_TYPE__>;

/// Integers of at least the named width: the smallest and the fastest type, as in <cstdint>.
using atomic_int_least8_t = atomic<__INT_LEAST8_TYPE__>;
using atomic_uint_least8_t = atomic<__UINT_LEAST8_TYPE__>;
using atomic_int_least16_t = atomic<__INT_LEAST16_TYPE__>;
using atomic_uint_least16_t = atomic<__UINT_LEAST16_TYPE__>;
using atomic_int_least32_t = atomic<__INT_LEAST32_TYPE__>;
using atomic_uint_least32_t = atomic<__UINT_LEAST32_TYPE__>;
using atomic_int_least64_t = atomic<__INT_LEAST64_TYPE__>;
using atomic_uint_least64_t = atomic<__UINT_LEAST64_TYPE__>;
using atomic_int_fast8_t = atomic<__INT_FAST8_TYPE__>;
using atomic_uint_fast8_t = atomic<__UINT_FAST8_TYPE__>;
using atomic_int_fast16_t = atomic<fast16>;
using atomic_uint_fast16_t = atomic<unsigned_fast16>;
using atomic_int_fast32_t = atomic<fast32>;
using atomic_uint_fast32_t = atomic<unsigned_fast32>;
using atomic_int_fast64_t = atomic<__INT_FAST64_TYPE__>;
using atomic_uint_fast64_t = atomic<__UINT_FAST64_TYPE__>;

/// Integers that hold an address, a size, a difference of pointers, or the largest value.
using atomic_intptr_t = atomic<__INTPTR_TYPE__>;
using atomic_uintptr_t = atomic<__UINTPTR_TYPE__>;
using atomic_size_t = atomic<__SIZE_TYPE__>;
using atomic_ptrdiff_t = atomic<__PTRDIFF_TYPE__>;
using atomic_intmax_t = atomic<__INTMAX_TYPE__>;
using atomic_uintmax_t = atomic<__UINTMAX_TYPE__>;

/// Waiting and notifying is equally efficient on all lock-free types, so these are the smallest types with an exchange
/// instruction on both sides.
using atomic_signed_lock_free = atomic<int>;
using atomic_unsigned_lock_free = atomic<unsigned>;

// --- [atomics.lockfree] ----------------------------------------------------------------------------------------------

/// The value 2 means always lock-free, as for the standard's macros.
inline constexpr int atomic_bool_lock_free = 2;
inline constexpr int atomic_char_lock_free = 2;
inline constexpr int atomic_char8_t_lock_free = 2;
inline constexpr int atomic_char16_t_lock_free = 2;
inline constexpr int atomic_char32_t_lock_free = 2;
inline constexpr int atomic_wchar_t_lock_free = 2;
inline constexpr int atomic_short_lock_free = 2;
inline constexpr int atomic_int_lock_free = 2;
inline constexpr int atomic_long_lock_free = 2;
inline constexpr int atomic_llong_lock_free = 2;
inline constexpr int atomic_pointer_lock_free = 2;

} // namespace cudax
