// SPDX-License-Identifier: Apache-2.0
//
// The memory of a barrier is reused while a thread still holds a phase of it.
// stored: plain data replaces it. initialised: a new barrier replaces it, whose phases say nothing about the old one's.
#include "program.hpp"
#include "ptx.hpp"

namespace {

template <bool right, bool stores>
__global__ void reuse(int* seen) {
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory);
  if (threadIdx.x == 0) ptx::mbarrier_init(barrier, 64);
  __syncthreads();
  unsigned long long const phase = ptx::mbarrier_arrive(barrier);
  bool ended = false;
  if (right || threadIdx.x == 0)
    while (!ptx::mbarrier_test_wait(barrier, phase));
  __syncthreads();
  if (threadIdx.x == 0) {
    if (right) ptx::mbarrier_inval(barrier);
    if constexpr (stores) memory = 42;   // first
    else ptx::mbarrier_init(barrier, 1); // first
  }
  __syncthreads();
  if (!right && threadIdx.x == 32) ended = ptx::mbarrier_test_wait(barrier, phase); // second
  seen[threadIdx.x] = ended ? 2 : 1;
}

template <bool stores>
bool run(bool right) {
  check::device_memory<int> seen(64);
  check::launch({.threads = 64}, right ? reuse<true, stores> : reuse<false, stores>, seen.data());
  return seen.all_are(1);
}

check::program const stored("phase_after_store", "misuse", run<true>);
check::program const initialised("phase_after_init", "misuse", run<false>);

} // namespace
