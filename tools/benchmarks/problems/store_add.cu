// SPDX-License-Identifier: Apache-2.0
//
// store_add: additions without a result: one `red` instruction. libcu++ has none; its users drop the result of
// fetch_add.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

template <class T, library::memory_order Order> struct add_one_without_result : operation<T, void> {
  __device__ static void apply(T* object, unsigned, unsigned) { store_add<Order>(device_ref<T>(*object), T(1)); }
  static auto expect(unsigned threads, bench::work const& work) {
    return typename operation<T, void>::expected{T(threads) * T(work.steps()), false, 0};
  }
};

/// Adds 1 and -1 alternately, like add_float of fetch_add.cu.
struct add_float_without_result : operation<float, void> {
  __device__ static void apply(float* object, unsigned, unsigned step) {
    store_add<relaxed>(device_ref<float>(*object), step % 2 ? -1.0f : 1.0f);
  }
  static expected expect(unsigned threads, bench::work const&) { return {float(threads), false, 0}; }
};

bench::rows rows_of_store_add() {
  // clang-format off
  return {
    make_row<add_one_without_result<unsigned, relaxed>, uniform<>>("store_add u32, one address, known uniform"),
    make_row<add_one_without_result<unsigned, relaxed>, opaque<>> ("store_add u32, one address, opaque"),
    make_row<add_one_without_result<unsigned, relaxed>, spread<>> ("store_add u32, spread"),
    make_row<add_one_without_result<unsigned, relaxed>, spread<8>>("store_add u32, spread 32 bytes apart"),
    make_row<add_one_without_result<unsigned, release>, spread<>> ("store_add u32 release, spread"),
    make_row<add_float_without_result, uniform<>>                 ("store_add f32, one address, known uniform"),
    make_row<add_float_without_result, opaque<>>                  ("store_add f32, one address, opaque"),
  };
  // clang-format on
}

} // namespace CUDAX_BENCH_SIDE
