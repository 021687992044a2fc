// SPDX-License-Identifier: Apache-2.0
//
// shared_memory: operations at block scope on objects in shared memory. With the pointer as a parameter the compiler
// sees the state space; a pointer from memory is loaded from a variable in shared memory.
#include "../support/shared_kernel.hpp"

namespace CUDAX_BENCH_SIDE {

bench::rows rows_of_shared_memory() {
  shared_table all;
  all.usual<add_one>("fetch_add");
  all.usual<exchange_step>("exchange");
  all.usual<count_up>("compare_exchange");
  all.usual<load_value>("load");
  all.usual<store_step>("store");
  all.one<add_one<u32, relaxed, in_shared>, uniform<>>(
      "fetch_add u32, shared memory, block scope, one address, known uniform");
  all.both<add_one<u32, relaxed, in_shared>, opaque<>>(
      "fetch_add u32, shared memory, block scope, one address, opaque");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
