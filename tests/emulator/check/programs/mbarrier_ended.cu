// SPDX-License-Identifier: Apache-2.0
//
// A barrier is used after mbarrier.inval: by an arrival, an expectation of bytes, a copy that completes there. Right:
// the use comes before the end.
#include "program.hpp"
#include "ptx.hpp"

namespace {

enum class use { arrive, expect, copy };

template <use made, bool right>
__global__ void after_inval(int const* from, int* seen) {
  __shared__ alignas(16) int tile[4];
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory);
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(barrier, 1);
  if constexpr (made == use::copy) {
    ptx::bulk_copy_to_shared(ptx::shared(tile), from, 16, barrier); // copy second
    ptx::mbarrier_arrive_expect_tx(barrier, 16);
    if constexpr (right)
      while (!ptx::mbarrier_try_wait_parity(barrier, 0));
  } else if constexpr (right) {
    if constexpr (made == use::arrive) ptx::mbarrier_arrive(barrier);
    else ptx::mbarrier_expect_tx(barrier, 16);
  }
  ptx::mbarrier_inval(barrier); // first
  if constexpr (!right) {
    if constexpr (made == use::arrive) ptx::mbarrier_arrive(barrier);        // second
    if constexpr (made == use::expect) ptx::mbarrier_expect_tx(barrier, 16); // second
  }
  *seen = 1;
}

template <use made>
bool run(bool right) {
  check::device_memory<int> from(4), seen;
  check::launch({}, right ? after_inval<made, true> : after_inval<made, false>, from.data(), seen.data());
  return seen[0] == 1;
}

check::program const programs[] = {
    {"arrival_after_inval", "misuse", run<use::arrive>},
    {"expectation_after_inval", "misuse", run<use::expect>},
    {"copy_after_inval", "misuse", run<use::copy>},
};

} // namespace
