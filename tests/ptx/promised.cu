// SPDX-License-Identifier: Apache-2.0
//
// promised: CUDAX_NO_AUTOMATIC_ATOMICS promises that no atomic object is automatic. Then no operation queries local
// memory, although the compiler does not know the state space of a pointer from memory. A checked build queries it in
// every operation, and stops (promised.sh). The unit is a partition of the library's module, so only the units before
// it need BMIs.
export module cudax.sync:promised;
import :atomic_ref;
import :order;
import :scope;

using namespace cudax;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
struct alignas(16) b128 {
  u64 low, high;
};
template <class T> using reference = atomic_ref<T, thread_scope_device>;
constexpr auto relaxed = memory_order_relaxed;

#define KERNEL(name) extern "C" __global__ void name

KERNEL(load_u32)(u32** objects, u32* result) { *result = reference<u32>(**objects).load(relaxed); }
KERNEL(load_b128)(b128** objects, b128* result) { *result = reference<b128>(**objects).load(relaxed); }
KERNEL(store_u64)(u64** objects, u64 value) { reference<u64>(**objects).store(value, relaxed); }
KERNEL(store_b128)(b128** objects, b128 value) { reference<b128>(**objects).store(value, relaxed); }
KERNEL(exchange_u32)(u32** objects, u32* result) { *result = reference<u32>(**objects).exchange(1, relaxed); }
KERNEL(exchange_u8)(u8** objects, u8* result) { *result = reference<u8>(**objects).exchange(1, relaxed); }
KERNEL(compare_exchange_u16)(u16** objects, u16* expected, bool* result) {
  *result = reference<u16>(**objects).compare_exchange_strong(*expected, 1, relaxed);
}
KERNEL(fetch_add_u32)(u32** objects, u32* result) { *result = reference<u32>(**objects).fetch_add(1, relaxed); }
KERNEL(fetch_add_u16)(u16** objects, u16* result) { *result = reference<u16>(**objects).fetch_add(1, relaxed); }
KERNEL(fetch_add_f64)(double** objects, double* result) {
  *result = reference<double>(**objects).fetch_add(1, relaxed);
}
KERNEL(fetch_max_f32)(float** objects, float* result) { *result = reference<float>(**objects).fetch_max(1, relaxed); }
KERNEL(store_add_u64)(u64** objects) { reference<u64>(**objects).store_add(1, relaxed); }
KERNEL(store_or_u8)(u8** objects, u8 value) { reference<u8>(**objects).store_or(value, relaxed); }
