// SPDX-License-Identifier: Apache-2.0
//
// [atomics.alias], [atomics.lockfree], [atomics.order] The names of atomic types are those of the platform's headers,
// and the constants have the values of the standard's macros and enumerators.
#include <atomic>
#include <cstddef>
#include <cstdint>
import cudax.sync;

// clang-format off
#define ALIAS(name, ...) static_assert(__is_same(cudax::atomic_##name, cudax::atomic<__VA_ARGS__, cudax::thread_scope_system>));
#define STANDARD_ALIAS(name) ALIAS(name, std::name)

ALIAS(bool, bool)
ALIAS(char, char)           ALIAS(schar, signed char)   ALIAS(uchar, unsigned char)
ALIAS(short, short)         ALIAS(ushort, unsigned short)
ALIAS(int, int)             ALIAS(uint, unsigned)
ALIAS(long, long)           ALIAS(ulong, unsigned long)
ALIAS(llong, long long)     ALIAS(ullong, unsigned long long)
ALIAS(char8_t, char8_t)     ALIAS(char16_t, char16_t)   ALIAS(char32_t, char32_t)   ALIAS(wchar_t, wchar_t)

STANDARD_ALIAS(int8_t)        STANDARD_ALIAS(uint8_t)        STANDARD_ALIAS(int16_t)       STANDARD_ALIAS(uint16_t)
STANDARD_ALIAS(int32_t)       STANDARD_ALIAS(uint32_t)       STANDARD_ALIAS(int64_t)       STANDARD_ALIAS(uint64_t)
STANDARD_ALIAS(int_least8_t)  STANDARD_ALIAS(uint_least8_t)  STANDARD_ALIAS(int_least16_t) STANDARD_ALIAS(uint_least16_t)
STANDARD_ALIAS(int_least32_t) STANDARD_ALIAS(uint_least32_t) STANDARD_ALIAS(int_least64_t) STANDARD_ALIAS(uint_least64_t)
STANDARD_ALIAS(int_fast8_t)   STANDARD_ALIAS(uint_fast8_t)   STANDARD_ALIAS(int_fast16_t)  STANDARD_ALIAS(uint_fast16_t)
STANDARD_ALIAS(int_fast32_t)  STANDARD_ALIAS(uint_fast32_t)  STANDARD_ALIAS(int_fast64_t)  STANDARD_ALIAS(uint_fast64_t)
STANDARD_ALIAS(intptr_t)      STANDARD_ALIAS(uintptr_t)      STANDARD_ALIAS(size_t)        STANDARD_ALIAS(ptrdiff_t)
STANDARD_ALIAS(intmax_t)      STANDARD_ALIAS(uintmax_t)
    // clang-format on

    static_assert(cudax::atomic_signed_lock_free::is_always_lock_free &&
                  cudax::atomic_unsigned_lock_free::is_always_lock_free);
static_assert(cudax::atomic_signed_lock_free::value_type(-1) < 0);
static_assert(cudax::atomic_unsigned_lock_free::value_type(-1) > 0);
static_assert(__is_same(cudax::atomic_flag, cudax::basic_atomic_flag<cudax::thread_scope_system>));

// The default scope is thread_scope_system.
static_assert(__is_same(cudax::atomic<int>, cudax::atomic<int, cudax::thread_scope_system>));
static_assert(__is_same(cudax::atomic_ref<int>, cudax::atomic_ref<int, cudax::thread_scope_system>));

#define LOCK_FREE(name, macro) static_assert(cudax::atomic_##name##_lock_free == macro);
LOCK_FREE(bool, ATOMIC_BOOL_LOCK_FREE)
LOCK_FREE(char, ATOMIC_CHAR_LOCK_FREE)
LOCK_FREE(char8_t, ATOMIC_CHAR8_T_LOCK_FREE)
LOCK_FREE(char16_t, ATOMIC_CHAR16_T_LOCK_FREE)
LOCK_FREE(char32_t, ATOMIC_CHAR32_T_LOCK_FREE)
LOCK_FREE(wchar_t, ATOMIC_WCHAR_T_LOCK_FREE)
LOCK_FREE(short, ATOMIC_SHORT_LOCK_FREE)
LOCK_FREE(int, ATOMIC_INT_LOCK_FREE)
LOCK_FREE(long, ATOMIC_LONG_LOCK_FREE)
LOCK_FREE(llong, ATOMIC_LLONG_LOCK_FREE)
LOCK_FREE(pointer, ATOMIC_POINTER_LOCK_FREE)

#define ORDER(name)                                                                                                    \
  static_assert(int(cudax::memory_order::name) == int(std::memory_order::name) &&                                      \
                cudax::memory_order_##name == cudax::memory_order::name);
ORDER(relaxed)
ORDER(consume)
ORDER(acquire)
ORDER(release)
ORDER(acq_rel)
ORDER(seq_cst)

// The archive's interface uses the values of thread scopes. The first four are libcu++'s.
static_assert(cudax::thread_scope_system == 0 && cudax::thread_scope_device == 1 && cudax::thread_scope_block == 2 &&
              cudax::thread_scope_thread == 3 && cudax::thread_scope_cluster == 4);
static_assert(sizeof(cudax::thread_scope) == sizeof(int) && sizeof(cudax::memory_order) == sizeof(int));
