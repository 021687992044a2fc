// SPDX-License-Identifier: Apache-2.0
//
// compare_exchange: each thread increments its own object by compare-and-swap, which always succeeds. The results count
// the successes.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

bench::rows rows_of_compare_exchange() {
  table all;
  all.usual<count_up, acquire, release, acq_rel, seq_cst>("compare_exchange");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
