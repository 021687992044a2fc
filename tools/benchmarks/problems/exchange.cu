// SPDX-License-Identifier: Apache-2.0
//
// exchange: each thread exchanges the number of the step into its own object.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

template <class T> struct exchange_step : operation<T, T> {
  __device__ static T apply(T* object, unsigned, unsigned step) {
    return device_ref<T>(*object).exchange(T(step), relaxed);
  }
  static auto expect(unsigned threads, bench::work const& work) {
    return alone<T, T>(0, threads ? work.steps() : 0, [](T& object, unsigned step) {
      T const before = object;
      object = T(step);
      return before;
    });
  }
};

bench::rows rows_of_exchange() {
  return {
      make_row<exchange_step<unsigned>, spread<>>("exchange u32, spread"),
      make_row<exchange_step<unsigned long long>, spread<>>("exchange u64, spread"),
  };
}

} // namespace CUDAX_BENCH_SIDE
