// SPDX-License-Identifier: Apache-2.0
//
// lone: the latency of an operation of one thread without company. The address of an operation depends on the result of
// the previous one; a store has no result, and its rows show how fast one thread can store.
#include "../support/shared_kernel.hpp"

namespace CUDAX_BENCH_SIDE {

template <template <class, library::memory_order, class> class Operation, library::memory_order... Orders>
void add_lone(table& all, shared_table& shared, std::string const& name) {
  all.both<Operation<u64, relaxed, on_device>, alone_in_chain>(name + " u64, one thread");
  for_orders<relaxed, Orders...>([&]<library::memory_order Order>() {
    all.both<Operation<u32, Order, on_device>, alone_in_chain>(name + " u32" + order_name(Order) + ", one thread");
  });
  all.both<Operation<u32, relaxed, on_system>, alone_in_chain>(name + " u32, system scope, one thread");
  shared.both<Operation<u32, relaxed, in_shared>, alone_in_chain>(name + " u32" + in_shared::name + ", one thread");
}

bench::rows rows_of_lone() {
  table all;
  shared_table shared;
  add_lone<load_value, acquire, seq_cst>(all, shared, "load");
  add_lone<store_step, release, seq_cst>(all, shared, "store");
  add_lone<exchange_step, acquire, release, acq_rel, seq_cst>(all, shared, "exchange");
  add_lone<count_up, acquire, release, acq_rel, seq_cst>(all, shared, "compare_exchange");
  add_lone<add_one, acquire, release, acq_rel, seq_cst>(all, shared, "fetch_add");
  add_lone<add_one_without_result, release, seq_cst>(all, shared, "store_add");
  all.rows.insert(all.rows.end(), shared.rows.begin(), shared.rows.end());
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
