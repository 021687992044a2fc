// SPDX-License-Identifier: Apache-2.0
//
// store: each thread stores the number of the step to its own object.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

bench::rows rows_of_store() {
  table all;
  all.usual<store_step, release, seq_cst>("store");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
