// SPDX-License-Identifier: Apache-2.0
//
// wide: operations on objects of 16 bytes, on atomic<T> (library.hpp says why). The objects are not constructed: they
// are zeroed device memory. Both libraries represent T() by zeros; libcu++ adds an open lock after it.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

using u128 = unsigned __int128;
inline constexpr u128 factor = (u128(1) << 64) + 1; ///< both halves count

/// Below the SM from which the side has the operation, the kernel exists and does nothing; see the row's minimum_sm.
#if !defined(__CUDA_ARCH__)
inline constexpr bool has_wide = false;
#else
inline constexpr bool has_wide = __CUDA_ARCH__ >= wide_minimum_sm * 10;
#endif

template <class Result> struct wide_operation {
  using object = library::atomic<u128, library::thread_scope_device>;
  using result = Result;
  static constexpr bool exists = true;
  static constexpr int initial_byte = 0;
  static u128 value(object const& object) { return object.load(relaxed); }
};

struct count_up_wide : wide_operation<unsigned> {
  template <class Object> __device__ static unsigned apply([[maybe_unused]] Object* object, unsigned, unsigned step) {
    if constexpr (has_wide) {
      u128 expected = step * factor;
      return object->compare_exchange_strong(expected, (step + 1) * factor, relaxed, relaxed);
    }
    return 0;
  }
  static expectation<u128, unsigned> expect(unsigned threads, bench::work const& work) {
    unsigned const steps = threads ? work.steps() : 0;
    return {steps * factor, true, steps};
  }
};

struct exchange_wide : wide_operation<u128> {
  template <class Object> __device__ static u128 apply([[maybe_unused]] Object* object, unsigned, unsigned step) {
    if constexpr (has_wide) return object->exchange(step * factor, relaxed);
    return 0;
  }
  static expectation<u128, u128> expect(unsigned threads, bench::work const& work) {
    return alone<u128, u128>(0, threads ? work.steps() : 0, [](u128& object, unsigned step) {
      u128 const before = object;
      object = step * factor;
      return before;
    });
  }
};

template <library::memory_order Order> struct load_wide : wide_operation<unsigned long long> {
  template <class Object>
  __device__ static unsigned long long apply([[maybe_unused]] Object* object, unsigned, unsigned) {
    if constexpr (has_wide) {
      u128 const value = object->load(Order);
      return (unsigned long long)(value >> 64) + (unsigned long long)value + 1;
    }
    return 0;
  }
  static expectation<u128, unsigned long long> expect(unsigned threads, bench::work const& work) {
    return {0, true, (unsigned long long)threads * work.steps()};
  }
};

template <library::memory_order Order> struct store_wide : wide_operation<void> {
  template <class Object> __device__ static void apply([[maybe_unused]] Object* object, unsigned, unsigned step) {
    if constexpr (has_wide) object->store((step + 1) * factor, Order);
  }
  static expectation<u128, char> expect(unsigned threads, bench::work const& work) {
    return {(threads ? work.steps() : 0) * factor, false, 0};
  }
};

bench::rows rows_of_wide() {
  table all;
  all.both<load_wide<relaxed>, spread<>>("load u128, spread (libcu++ takes a lock)");
  all.both<load_wide<acquire>, spread<>>("load u128 acquire, spread (libcu++ takes a lock)");
  all.both<store_wide<relaxed>, spread<>>("store u128, spread (libcu++ takes a lock)");
  all.both<store_wide<release>, spread<>>("store u128 release, spread (libcu++ takes a lock)");
  all.both<exchange_wide, spread<>>("exchange u128, spread (libcu++ takes a lock)");
  all.both<count_up_wide, spread<>>("compare_exchange u128, spread (libcu++ takes a lock)");
  for (bench::row& row : all.rows) row.minimum_sm = wide_minimum_sm;
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
