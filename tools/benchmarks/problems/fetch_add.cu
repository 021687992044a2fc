// SPDX-License-Identifier: Apache-2.0
//
// fetch_add: additions that return the previous value.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

/// Adds 1. The values returned by n additions to one object are 0 to n - 1 in any order, so their sum is
/// known.
template <class T, library::memory_order Order> struct add_one : operation<T, T> {
  __device__ static T apply(T* object, unsigned, unsigned) { return device_ref<T>(*object).fetch_add(T(1), Order); }
  static auto expect(unsigned threads, bench::work const& work) {
    unsigned long long const n = (unsigned long long)threads * work.steps();
    return typename operation<T, T>::expected{T(n), true, T(sum_below(n))};
  }
};

/// Adds 1 and -1 alternately: sums of floats stay exact, and an odd number of steps leaves 1 per thread.
struct add_float : operation<float, float> {
  __device__ static float apply(float* object, unsigned, unsigned step) {
    return device_ref<float>(*object).fetch_add(step % 2 ? -1.0f : 1.0f, relaxed);
  }
  static expected expect(unsigned threads, bench::work const&) { return {float(threads), false, 0}; }
};

using u16 = unsigned short;
using u64 = unsigned long long;

bench::rows rows_of_fetch_add() {
  // clang-format off
  return {
    make_row<add_one<unsigned, relaxed>, uniform<>>("fetch_add u32, one address, known uniform"),
    make_row<add_one<unsigned, relaxed>, opaque<>> ("fetch_add u32, one address, opaque"),
    make_row<add_one<unsigned, relaxed>, spread<>> ("fetch_add u32, spread"),
    make_row<add_one<unsigned, relaxed>, spread<8>>("fetch_add u32, spread 32 bytes apart"),
    make_row<add_one<unsigned, acq_rel>, spread<>> ("fetch_add u32 acq_rel, spread"),
    make_row<add_one<unsigned, seq_cst>, spread<>> ("fetch_add u32 seq_cst, spread"),
    make_row<add_one<u64, relaxed>, spread<>>      ("fetch_add u64, spread"),
    make_row<add_one<double, relaxed>, spread<>>   ("fetch_add f64, spread"),
    make_row<add_float, spread<>>                  ("fetch_add f32, spread"),
    make_row<add_float, uniform<>>                 ("fetch_add f32, one address, known uniform"),
    make_row<add_float, opaque<>>                  ("fetch_add f32, one address, opaque"),
    make_row<add_one<u16, relaxed>, uniform<0>>    ("fetch_add u16, one address, low half, known uniform"),
    make_row<add_one<u16, relaxed>, opaque<0>>     ("fetch_add u16, one address, low half, opaque"),
    make_row<add_one<u16, relaxed>, uniform<1>>    ("fetch_add u16, one address, high half, known uniform"),
    make_row<add_one<u16, relaxed>, opaque<1>>     ("fetch_add u16, one address, high half, opaque"),
  };
  // clang-format on
}

} // namespace CUDAX_BENCH_SIDE
