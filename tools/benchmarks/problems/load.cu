// SPDX-License-Identifier: Apache-2.0
//
// load: each thread loads its own object repeatedly.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

bench::rows rows_of_load() {
  table all;
  all.usual<load_value, acquire, seq_cst>("load");
  return all.rows;
}

} // namespace CUDAX_BENCH_SIDE
