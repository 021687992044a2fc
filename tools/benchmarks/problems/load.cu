// SPDX-License-Identifier: Apache-2.0
//
// load: each thread loads its own object repeatedly.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

template <class T, library::memory_order Order> struct load_value : operation<T, unsigned long long> {
  static constexpr int initial_byte = 0x5a;
  __device__ static unsigned long long apply(T* object, unsigned, unsigned) {
    return device_ref<T>(*object).load(Order);
  }
  static auto expect(unsigned threads, bench::work const& work) {
    T const value = T(0x5a5a5a5a5a5a5a5aull);
    return typename operation<T, unsigned long long>::expected{value, true,
                                                               (unsigned long long)threads * work.steps() * value};
  }
};

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

bench::rows rows_of_load() {
  return {
      make_row<load_value<u8, relaxed>, spread<>>("load u8 relaxed, spread"),
      make_row<load_value<u16, relaxed>, spread<>>("load u16 relaxed, spread"),
      make_row<load_value<u32, relaxed>, spread<>>("load u32 relaxed, spread"),
      make_row<load_value<u64, relaxed>, spread<>>("load u64 relaxed, spread"),
      make_row<load_value<u8, acquire>, spread<>>("load u8 acquire, spread"),
      make_row<load_value<u16, acquire>, spread<>>("load u16 acquire, spread"),
      make_row<load_value<u32, acquire>, spread<>>("load u32 acquire, spread"),
      make_row<load_value<u64, acquire>, spread<>>("load u64 acquire, spread"),
  };
}

} // namespace CUDAX_BENCH_SIDE
