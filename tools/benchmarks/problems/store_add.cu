// SPDX-License-Identifier: Apache-2.0
//
// store_add: additions without a result: one `red` instruction. libcu++ has none; its users drop the result of
// fetch_add.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

bench::rows rows_of_store_add() {
  table all;
  for_types<u32, u64>([&]<class T>() { all.each<add_one_without_result, T, relaxed, on_device>("store_add"); });
  for_orders<release, seq_cst>(
      [&]<library::memory_order Order>() { all.each<add_one_without_result, u32, Order, on_device>("store_add"); });
  all.each<add_one_without_result, u32, relaxed, on_system>("store_add");
  using add_u32 = add_one_without_result<u32, relaxed, on_device>;
  all.one<add_u32, spread<8>>("store_add u32, spread 32 bytes apart");
  all.one<add_u32, uniform<>>("store_add u32, one address, known uniform");
  all.both<add_u32, opaque<>>("store_add u32, one address, opaque");
  all.one<add_float_without_result, uniform<>>("store_add f32, one address, known uniform");
  all.one<add_float_without_result, opaque<>>("store_add f32, one address, opaque");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
