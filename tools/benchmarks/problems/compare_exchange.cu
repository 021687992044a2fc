// SPDX-License-Identifier: Apache-2.0
//
// compare_exchange: each thread increments its own object by compare-and-swap, which always succeeds. The results count
// the successes.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

template <class T> struct count_up : operation<T, unsigned> {
  __device__ static unsigned apply(T* object, unsigned, unsigned step) {
    T expected = step;
    return device_ref<T>(*object).compare_exchange_strong(expected, T(step + 1), relaxed, relaxed);
  }
  static auto expect(unsigned threads, bench::work const& work) {
    unsigned const steps = threads ? work.steps() : 0;
    return typename operation<T, unsigned>::expected{steps, true, steps};
  }
};

/// 128 bits, on atomic<T> (library.hpp says why). The object is not constructed: it is zeroed device memory. Both
/// libraries represent T() by zeros; libcu++ adds an open lock after it.
struct count_up_wide {
  using wide = unsigned __int128;
  using object = library::atomic<wide, library::thread_scope_device>;
  using result = unsigned;
  static constexpr int initial_byte = 0;
  static wide value(object const& object) { return object.load(relaxed); }

  __device__ static unsigned apply([[maybe_unused]] object* object, unsigned, [[maybe_unused]] unsigned step) {
#if defined(__CUDA_ARCH__)
    if constexpr (__CUDA_ARCH__ >= wide_minimum_sm * 10) {
      wide expected = step * factor;
      return object->compare_exchange_strong(expected, (step + 1) * factor, relaxed, relaxed);
    }
#endif
    return 0; // never launched on such a GPU: see the row's minimum_sm
  }
  static expectation<wide, unsigned> expect(unsigned threads, bench::work const& work) {
    unsigned const steps = threads ? work.steps() : 0;
    return {steps * factor, true, steps};
  }
  static constexpr wide factor = (wide(1) << 64) + 1; ///< both halves count
};

bench::rows rows_of_compare_exchange() {
  return {
      make_row<count_up<unsigned>, spread<>>("compare_exchange u32, spread"),
      make_row<count_up<unsigned long long>, spread<>>("compare_exchange u64, spread"),
      make_row<count_up_wide, spread<>>("compare_exchange u128, spread (libcu++ takes a lock)", wide_minimum_sm),
  };
}

} // namespace CUDAX_BENCH_SIDE
