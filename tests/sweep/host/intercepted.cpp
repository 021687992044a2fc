// SPDX-License-Identifier: Apache-2.0
//
// intercepted: the calls that the thread sanitizer makes of atomic operations. The program is linked with --wrap for
// each (CMakeLists.txt), so that they arrive here and go on to the sanitizer's runtime, or to late_stores.
#include "late_stores.hpp"
#include "orders.hpp"

namespace {
using namespace cudax_sweep;

/// The orders of the caller of the function in which this stands.
#define CUDAX_ORDERS(what, ...)                                                                                        \
  orders_at(operation::what, orders{__VA_ARGS__}, static_cast<void* const*>(__builtin_frame_address(0)))
} // namespace

// Of each width and function: the sanitizer's one, and the one that replaces it.
#define CUDAX_LOAD(bits, type)                                                                                         \
  type __real___tsan_atomic##bits##_load(type const volatile*, int);                                                   \
  type __wrap___tsan_atomic##bits##_load(type const volatile* object, int order) {                                     \
    int const now = CUDAX_ORDERS(load, order).success;                                                                 \
    return late_stores::on() ? late_stores::load(object, now) : __real___tsan_atomic##bits##_load(object, now);        \
  }
#define CUDAX_STORE(bits, type)                                                                                        \
  void __real___tsan_atomic##bits##_store(type volatile*, type, int);                                                  \
  void __wrap___tsan_atomic##bits##_store(type volatile* object, type value, int order) {                              \
    int const now = CUDAX_ORDERS(store, order).success;                                                                \
    late_stores::on() ? late_stores::store(object, value, now)                                                         \
                      : __real___tsan_atomic##bits##_store(object, value, now);                                        \
  }
#define CUDAX_MODIFY(bits, type, name, builtin)                                                                        \
  type __real___tsan_atomic##bits##_##name(type volatile*, type, int);                                                 \
  type __wrap___tsan_atomic##bits##_##name(type volatile* object, type operand, int order) {                           \
    int const now = CUDAX_ORDERS(modify, order).success;                                                               \
    if (!late_stores::on()) return __real___tsan_atomic##bits##_##name(object, operand, now);                          \
    return late_stores::modify(                                                                                        \
        object, now, [=](type volatile* at) { return builtin(const_cast<type*>(at), operand, __ATOMIC_SEQ_CST); });    \
  }
#define CUDAX_COMPARE(bits, type, name)                                                                                \
  bool __real___tsan_atomic##bits##_##name(type volatile*, type*, type, int, int);                                     \
  bool __wrap___tsan_atomic##bits##_##name(type volatile* object, type* expected, type desired, int success,           \
                                           int failure) {                                                              \
    orders const now = CUDAX_ORDERS(compare, success, failure);                                                        \
    if (late_stores::on()) return late_stores::compare_exchange(object, *expected, desired, now);                      \
    return __real___tsan_atomic##bits##_##name(object, expected, desired, now.success, now.failure);                   \
  }
#define CUDAX_COMPARE_VALUE(bits, type)                                                                                \
  type __real___tsan_atomic##bits##_compare_exchange_val(type volatile*, type, type, int, int);                        \
  type __wrap___tsan_atomic##bits##_compare_exchange_val(type volatile* object, type expected, type desired,           \
                                                         int success, int failure) {                                   \
    orders const now = CUDAX_ORDERS(compare, success, failure);                                                        \
    if (late_stores::on()) return late_stores::compare_exchange(object, expected, desired, now), expected;             \
    return __real___tsan_atomic##bits##_compare_exchange_val(object, expected, desired, now.success, now.failure);     \
  }
#define CUDAX_WIDTH(bits, type)                                                                                        \
  CUDAX_LOAD(bits, type)                                                                                               \
  CUDAX_STORE(bits, type)                                                                                              \
  CUDAX_MODIFY(bits, type, exchange, __atomic_exchange_n)                                                              \
  CUDAX_MODIFY(bits, type, fetch_add, __atomic_fetch_add)                                                              \
  CUDAX_MODIFY(bits, type, fetch_sub, __atomic_fetch_sub)                                                              \
  CUDAX_MODIFY(bits, type, fetch_and, __atomic_fetch_and)                                                              \
  CUDAX_MODIFY(bits, type, fetch_or, __atomic_fetch_or)                                                                \
  CUDAX_MODIFY(bits, type, fetch_xor, __atomic_fetch_xor)                                                              \
  CUDAX_COMPARE(bits, type, compare_exchange_strong)                                                                   \
  CUDAX_COMPARE(bits, type, compare_exchange_weak)                                                                     \
  CUDAX_COMPARE_VALUE(bits, type)

extern "C" {
CUDAX_WIDTH(8, unsigned char)
CUDAX_WIDTH(16, unsigned short)
CUDAX_WIDTH(32, unsigned)
CUDAX_WIDTH(64, unsigned long)
CUDAX_WIDTH(128, unsigned __int128)

void __real___tsan_atomic_thread_fence(int);
void __wrap___tsan_atomic_thread_fence(int order) {
  int const now = CUDAX_ORDERS(fence, order).success;
  if (now == dropped) return;
  late_stores::on() ? late_stores::fence(now) : __real___tsan_atomic_thread_fence(now);
}
}
