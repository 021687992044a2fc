// SPDX-License-Identifier: Apache-2.0
//
// late: a thread waits for a parity of an mbarrier that has advanced by two or more phases meanwhile, because nothing
// makes it wait for the thread. lanes: the barrier waits for one lane of the thread's warp. again: an mbarrier is
// initialized where another one exists. Right: the producer waits for the consumer, which sees the end of a phase
// again when it polls again; the lanes meet before one of them arrives for all; the first barrier is invalidated.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int rounds = 6, polls = 200;

template <bool right>
__global__ void late(int* seen) {
  __shared__ unsigned long long memory[2];
  unsigned const full = ptx::shared(&memory[0]), empty = ptx::shared(&memory[1]);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(full, 1); // first
    ptx::mbarrier_init(empty, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < rounds; ++i) {
      if (right)
        while (!ptx::mbarrier_try_wait_parity(empty, (i & 1) ^ 1));
      ptx::mbarrier_arrive(full);
    }
  } else if (threadIdx.x == 32) {
    bool stays_over = true; // after a wait that has seen the end, until this thread arrives
    for (int i = 0; i < rounds; ++i) {
      bool over = false;
      for (int poll = 0; !over && (right || poll < polls); ++poll)
        over = ptx::mbarrier_try_wait_parity(full, i & 1); // second
      if (right) stays_over &= ptx::mbarrier_try_wait_parity(full, i & 1);
      ptx::mbarrier_arrive(empty);
    }
    *seen = stays_over;
  }
}

bool run_late(bool right) {
  check::device_memory<int> seen;
  check::launch({.threads = 64}, right ? late<true> : late<false>, seen.data());
  return seen[0] == 1;
}

template <bool right>
__global__ void lanes(int* seen) {
  __shared__ unsigned long long memory[2];
  unsigned const full = ptx::shared(&memory[0]), empty = ptx::shared(&memory[1]);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(full, 1); // first
    ptx::mbarrier_init(empty, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < rounds; ++i) {
      while (!ptx::mbarrier_try_wait_parity(empty, (i & 1) ^ 1));
      ptx::mbarrier_arrive(full);
    }
  } else if (threadIdx.x >= 32) {
    for (int i = 0; i < rounds; ++i) {
      // Right: a lane need not wait for each phase. What the others have seen it knows from their meeting.
      bool over = right && threadIdx.x != 32 && int(threadIdx.x % 4) != i % 4;
      for (int poll = 0; !over && (right || poll < polls); ++poll)
        over = ptx::mbarrier_try_wait_parity(full, i & 1); // second
      if (right) ptx::meet_lanes();
      if (threadIdx.x == 32) ptx::mbarrier_arrive(empty);
    }
    *static_cast<int volatile*>(seen) = 1;
  }
}

bool run_lanes(bool right) {
  check::device_memory<int> seen;
  check::launch({.threads = 64}, right ? lanes<true> : lanes<false>, seen.data());
  return seen[0] == 1;
}

template <bool right>
__global__ void again(int* seen) {
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory);
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(barrier, 1); // first
  ptx::mbarrier_arrive(barrier);
  if (right) ptx::mbarrier_inval(barrier);
  ptx::mbarrier_init(barrier, 1); // second
  ptx::mbarrier_arrive(barrier);
  *seen = ptx::mbarrier_try_wait_parity(barrier, 0);
}

/// The barrier's memory is reused for data.
template <bool right>
__global__ void reuse(int* seen) {
  __shared__ unsigned long long memory;
  unsigned const barrier = ptx::shared(&memory);
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(barrier, 1); // first
  ptx::mbarrier_arrive(barrier);
  if (right) ptx::mbarrier_inval(barrier);
  *static_cast<unsigned long long volatile*>(&memory) = 1; // second
  *seen = int(*static_cast<unsigned long long volatile*>(&memory));
}

template <void (*right_kernel)(int*), void (*wrong_kernel)(int*)>
bool run(bool right) {
  check::device_memory<int> seen;
  check::launch({}, right ? right_kernel : wrong_kernel, seen.data());
  return right ? seen[0] == 1 : true;
}

check::program const parity("parity_two_phases_late", "misuse", run_late, 9);
check::program const left("lane_left_behind_by_a_parity", "misuse", run_lanes, 9);
check::program const alive("init_of_a_live_mbarrier", "misuse", run<again<true>, again<false>>);
check::program const stored("store_into_a_live_mbarrier", "misuse", run<reuse<true>, reuse<false>>);

} // namespace
