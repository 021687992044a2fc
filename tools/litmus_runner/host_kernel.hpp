// SPDX-License-Identifier: Apache-2.0
//
// host_kernel: runs the device's threads of many instances, beside threads of the host that run the others
// (host_threads.hpp).
//
// Rounds, buffers and permutations are those of kernel.hpp. The locations that the host accesses are in mapped or
// managed memory; the host checks their instances, and restores them. A group of tests has, beside what kernel.hpp
// lists:
//
//   on_host, waits, native_atomics     see host_test.hpp
//   own                                a bit for each location that only the device can access
//   run_on_host, finals, end, restore  functions of the host; `finals` and `restore` leave out the locations in `own`
//   restore_own(which, at)             of the device: stores the initial values of the locations in `own`
//
// Why it is right: a round ends when the grid and all workers have met. On the grid, each block's thread 0 is behind
// the block's barrier, adds to a counter by acq_rel at device scope, and the last block stores the number of the round
// to mapped memory, after a fence of system scope. So all accesses of the grid's threads happen before that store
// (causality order is transitive, whatever the scopes of its steps are). The last worker acquires it, and the workers'
// own count; so all accesses of the round happen before the worker's release store of `begun`, by which the next round
// begins. Each block and each worker acquires that store before its next accesses: all of a round happens before all
// of the next one. Restored cells are used one meeting later.
#pragma once

#include "host_test.hpp"
#include "kernel.hpp"

namespace litmus_runner {

/// What the grid needs to meet the host.
struct meeting_of_grid {
  launch const& all;
  unsigned round = 0;
  unsigned long long const deadline = all.patience ? nanoseconds() + all.patience : ~0ull;

  __device__ void arrive_and_wait() {
    ++round;
    __syncthreads();
    if (threadIdx.x == 0) {
      meeting_place* const place = all.host.meeting;
      unsigned before, begun;
      asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;"
                   : "=r"(before)
                   : "l"(__cvta_generic_to_global(all.arrived))
                   : "memory");
      if (before + 1 == all.layout.blocks * round) { // pairs with the loads in host_threads.cpp
        asm volatile("fence.acq_rel.sys;" ::: "memory");
        asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(&place->arrived)), "r"(round)
                     : "memory");
      }
      do {
        asm volatile("ld.relaxed.sys.global.u32 %0, [%1];"
                     : "=r"(begun)
                     : "l"(__cvta_generic_to_global(&place->begun))
                     : "memory");
        if (int(begun - round) < 0 && nanoseconds() > deadline) {
          *reinterpret_cast<unsigned volatile*>(all.stuck) = 1;
          __threadfence_system();
          __trap();
        }
      } while (int(begun - round) < 0);
      asm volatile("fence.acq_rel.sys;" ::: "memory"); // pairs with the release of `begun`
    }
    __syncthreads();
  }
};

/// Meetings of a launch: one before the first round, one after each.
__host__ __device__ constexpr unsigned meetings_of(unsigned rounds) { return rounds + 1; }

template <class test>
__device__ void restore_own(launch const& all, unsigned buffer) {
  if constexpr (test::own != 0)
    for_own_instances<test>(all, [&](unsigned turn, unsigned instance) {
      addresses<test> const a(all, buffer, turn, instance);
      test::restore_own(all.which, a.at);
    });
}

template <class test>
__global__ void __launch_bounds__(512) host_kernel(__grid_constant__ launch const parameters) {
  // In shared memory, since its arrays have indices that only the run knows.
  alignas(launch) __shared__ unsigned char bytes[sizeof(launch)];
  launch& all = *reinterpret_cast<launch*>(bytes);
  if (threadIdx.x == 0) all = parameters;
  __syncthreads();
  if (blockIdx.x >= all.layout.blocks) return disturb_until_the_end(all, meetings_of(all.rounds));

  place_in_grid const place(all.layout);
  meeting_of_grid meeting{all};
  restore_own<test>(all, 0);
  restore_own<test>(all, 1);
  meeting.arrive_and_wait();
  for (unsigned round = 0; round < all.rounds; ++round) {
    run<test>(all, place, round & 1, round);
    if (round) restore_own<test>(all, ~round & 1);
    meeting.arrive_and_wait();
  }
}

} // namespace litmus_runner
