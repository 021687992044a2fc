// SPDX-License-Identifier: Apache-2.0
//
// exchange: each thread exchanges the number of the step into its own object.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

bench::rows rows_of_exchange() {
  table all;
  all.usual<exchange_step, acquire, release, acq_rel, seq_cst>("exchange");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
