// SPDX-License-Identifier: Apache-2.0
//
// Bulk copies complete their bytes at an mbarrier. missing: no thread expects the bytes. few, many: another number of
// bytes is expected. later: the phase in which the copy began ends without it. Right: each phase expects what its
// copies bring.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int words = 64, bytes = words * 4;
enum class mistake { missing, few, many, later };

template <mistake made, bool right>
__global__ void load(int const* from, int* seen) {
  __shared__ alignas(16) int tile[words];
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory);
  if (threadIdx.x == 0) ptx::mbarrier_init(barrier, made == mistake::later ? 2 : 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (made == mistake::missing) {
      ptx::bulk_copy_to_shared(ptx::shared(tile), from, bytes, barrier); // missing second
      if constexpr (right) ptx::mbarrier_arrive_expect_tx(barrier, bytes);
      else ptx::mbarrier_arrive(barrier); // missing first
    } else if constexpr (made == mistake::few) {
      ptx::mbarrier_arrive_expect_tx(barrier, right ? bytes : bytes / 2); // few first
      ptx::bulk_copy_to_shared(ptx::shared(tile), from, bytes, barrier);  // few second
    } else if constexpr (made == mistake::many) {
      ptx::mbarrier_arrive_expect_tx(barrier, right ? bytes : bytes * 2); // many first
      ptx::bulk_copy_to_shared(ptx::shared(tile), from, bytes, barrier);
    } else {
      ptx::bulk_copy_to_shared(ptx::shared(tile), from, bytes, barrier); // later second
      if constexpr (right) ptx::mbarrier_expect_tx(barrier, bytes);
      ptx::mbarrier_arrive(barrier);
      ptx::mbarrier_arrive(barrier); // later first
      if constexpr (!right) ptx::mbarrier_arrive_expect_tx(barrier, bytes);
    }
  }
  while (!ptx::mbarrier_try_wait_parity(barrier, 0)); // many second
  seen[threadIdx.x] = tile[threadIdx.x];
}

template <mistake made>
bool run(bool right) {
  check::device_memory<int> from(words), seen(words);
  check::launch({.threads = words}, right ? load<made, true> : load<made, false>, from.data(), seen.data());
  return seen.all_are(0);
}

check::program const programs[] = {
    {"missing_expect_tx", "misuse", run<mistake::missing>},
    {"expects_too_few_bytes", "misuse", run<mistake::few>},
    {"expects_too_many_bytes", "livelock", run<mistake::many>},
    {"expects_bytes_in_the_next_phase", "misuse", run<mistake::later>},
};

} // namespace
