// SPDX-License-Identifier: Apache-2.0
//
// fetch_max: the maximum of floats. libcu++ and a plain loop use compare-and-swap; cudax.sync uses an integer maximum
// or minimum of the bits, selected by the sign of the operand. "one sign": the compiler knows that the sign is clear.
// "mixed signs": half of the lanes of a warp have a negative operand, which only the machine sees.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

/// The operand increases by one with each step, and with the thread: most of the time the object holds a larger value.
struct rising {
  __device__ static float operand(unsigned thread, unsigned step) { return float(thread + step); }
  static float greatest(unsigned sum) { return float(sum); }
};

/// The same, negative if the sum is odd.
struct alternating {
  __device__ static float operand(unsigned thread, unsigned step) {
    unsigned const sum = thread + step;
    return __uint_as_float(__float_as_uint(float(sum)) | sum << 31);
  }
  static float greatest(unsigned sum) { return float(sum / 2 * 2); }
};

/// Expects the greatest operand of all threads, which are all on one object.
template <class Operands, class Result>
expectation<float, Result> expect_greatest(unsigned threads, bench::work const& work) {
  return {threads ? Operands::greatest(work.threads() - 1 + work.steps() - 1) : 0, false, {}};
}

template <class Operands> struct maximum : operation<float, float> {
  static constexpr bool exists = true;
  __device__ static float apply(float* object, unsigned thread, unsigned step) {
    return device_ref<float>(*object).fetch_max(Operands::operand(thread, step), relaxed);
  }
  static expected expect(unsigned threads, bench::work const& work) {
    return expect_greatest<Operands, float>(threads, work);
  }
};

template <class Operands> struct maximum_without_result : operation<float, void> {
  static constexpr bool exists = true;
  __device__ static void apply(float* object, unsigned thread, unsigned step) {
    store_max<relaxed>(device_ref<float>(*object), Operands::operand(thread, step));
  }
  static expected expect(unsigned threads, bench::work const& work) {
    return expect_greatest<Operands, char>(threads, work);
  }
};

bench::rows rows_of_fetch_max() {
  table all;
  auto const add = [&]<class Operands>(std::string const& signs) {
    all.one<maximum<Operands>, uniform<>>("fetch_max f32, " + signs + ", one address, known uniform");
    all.both<maximum<Operands>, opaque<>>("fetch_max f32, " + signs + ", one address, opaque");
    all.one<maximum_without_result<Operands>, uniform<>>("store_max f32, " + signs + ", one address, known uniform");
    all.both<maximum_without_result<Operands>, opaque<>>("store_max f32, " + signs + ", one address, opaque");
  };
  add.operator()<rising>("one sign");
  add.operator()<alternating>("mixed signs");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
