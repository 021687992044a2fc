// SPDX-License-Identifier: Apache-2.0
//
// store: each thread stores the number of the step to its own object.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

template <class T, library::memory_order Order> struct store_step : operation<T, void> {
  __device__ static void apply(T* object, unsigned, unsigned step) { device_ref<T>(*object).store(T(step + 1), Order); }
  static auto expect(unsigned threads, bench::work const& work) {
    return typename operation<T, void>::expected{T(threads ? work.steps() : 0), false, 0};
  }
};

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

bench::rows rows_of_store() {
  return {
      make_row<store_step<u8, relaxed>, spread<>>("store u8 relaxed, spread"),
      make_row<store_step<u16, relaxed>, spread<>>("store u16 relaxed, spread"),
      make_row<store_step<u32, relaxed>, spread<>>("store u32 relaxed, spread"),
      make_row<store_step<u64, relaxed>, spread<>>("store u64 relaxed, spread"),
      make_row<store_step<u8, release>, spread<>>("store u8 release, spread"),
      make_row<store_step<u16, release>, spread<>>("store u16 release, spread"),
      make_row<store_step<u32, release>, spread<>>("store u32 release, spread"),
      make_row<store_step<u64, release>, spread<>>("store u64 release, spread"),
  };
}

} // namespace CUDAX_BENCH_SIDE
