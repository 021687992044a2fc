// SPDX-License-Identifier: Apache-2.0
//
// One thread fills two stages by bulk copies, and the others read them. Wrong: it fills a stage again without waiting
// until all have released it.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int rounds = 12, stages = 2, readers = 32, bytes = readers * 4;

template <bool right>
__global__ void stream(int const* from, int* sums) {
  __shared__ alignas(16) int tile[stages][readers];
  __shared__ unsigned long long memory[2 * stages];
  auto const full = [](int s) { return ptx::shared(&memory[s]); };
  auto const empty = [](int s) { return ptx::shared(&memory[stages + s]); };
  if (threadIdx.x == 0)
    for (int s = 0; s < stages; ++s) {
      ptx::mbarrier_init(full(s), 1);
      ptx::mbarrier_init(empty(s), readers);
    }
  __syncthreads();
  int const reader = int(threadIdx.x) - 32;
  for (int round = 0; round < rounds; ++round) {
    int const s = round % stages, parity = round / stages & 1;
    if (threadIdx.x == 0) {
      if (right)
        while (!ptx::mbarrier_try_wait_parity(empty(s), parity ^ 1));
      ptx::fence_proxy_async(); // the reads before the release were of the generic proxy
      ptx::mbarrier_arrive_expect_tx(full(s), bytes);
      ptx::bulk_copy_to_shared(ptx::shared(tile[s]), from + round * readers, bytes, full(s)); // second
    } else if (reader >= 0) {
      while (!ptx::mbarrier_try_wait_parity(full(s), parity));
      sums[reader] += tile[s][reader]; // first
      ptx::mbarrier_arrive(empty(s));
    }
  }
}

bool run(bool right) {
  check::device_memory<int> from(rounds * readers), sums(readers);
  check::launch({.threads = 32 + readers}, right ? stream<true> : stream<false>, from.data(), sums.data());
  return sums.all_are(0);
}

check::program const program("stage_reused_early", "race", run);

} // namespace
