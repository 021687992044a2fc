// SPDX-License-Identifier: Apache-2.0
//
// fetch_max: the maximum of floats. libcu++ and a plain loop use compare-and-swap; cudax.sync uses an integer maximum
// or minimum of the bits, selected by the sign of the operand. Here the compiler knows that the sign is clear.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

/// The operand increases by one with each step, and with the thread: most of the time the object holds a larger value.
struct rising {
  __device__ static float operand(unsigned thread, unsigned step) { return float(thread + step); }
  template <class Result>
  static expectation<float, Result> expect(unsigned threads, bench::work const& work) {
    return {threads ? float(work.threads() - 1 + work.steps() - 1) : 0, false, {}};
  }
};

struct maximum : operation<float, float> {
  __device__ static float apply(float* object, unsigned thread, unsigned step) {
    return device_ref<float>(*object).fetch_max(rising::operand(thread, step), relaxed);
  }
  static expected expect(unsigned threads, bench::work const& work) { return rising::expect<float>(threads, work); }
};

struct maximum_without_result : operation<float, void> {
  __device__ static void apply(float* object, unsigned thread, unsigned step) {
    store_max<relaxed>(device_ref<float>(*object), rising::operand(thread, step));
  }
  static expected expect(unsigned threads, bench::work const& work) { return rising::expect<char>(threads, work); }
};

bench::rows rows_of_fetch_max() {
  return {
      make_row<maximum, uniform<>>("fetch_max f32, one address, known uniform"),
      make_row<maximum, opaque<>>("fetch_max f32, one address, opaque"),
      make_row<maximum_without_result, uniform<>>("store_max f32, one address, known uniform"),
      make_row<maximum_without_result, opaque<>>("store_max f32, one address, opaque"),
  };
}

} // namespace CUDAX_BENCH_SIDE
