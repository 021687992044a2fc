// SPDX-License-Identifier: Apache-2.0
//
// host_kernel: runs a device's threads of many instances, beside threads of the host (host_threads.hpp), or beside a
// grid of another device, that run the others.
//
// Rounds, buffers and permutations are those of kernel.hpp. The locations that the host accesses are in mapped or
// managed memory; the host checks their instances, and restores them. Locations in global memory are in the memory of
// the first device, and its grid checks and restores them. A group of tests has, beside what kernel.hpp lists:
//
//   on_host, waits, native_atomics, peer_atomics   see host_test.hpp
//   own                                whether there are locations or primitives in global memory
//   run_on_host, finals, end, restore  functions of the host; the last three leave out what is in global memory
//   finals_own, end_own, restore_own   functions of the device for what is in global memory
//
// A round ends when all grids and all workers have met. If there are locations in global memory, the first grid then
// leaves their final values with the results and restores them, and all meet once more.
//
// Why it is right: on a grid, each block's thread 0 is past the block's barrier, adds to a counter by acq_rel at device
// scope, and the last block stores the number of the meeting to mapped memory, after a fence of system scope. So all
// accesses of the grid's threads happen before that store (causality order is transitive, whatever the scopes of its
// steps are). The last worker acquires it from each grid, and the workers' own count; so all accesses before the
// meeting happen before the worker's release store of `begun`. Each block and each worker acquires that store before
// its next accesses. Cells that the host restores are used one meeting later.
#pragma once

#include "host_test.hpp"
#include "kernel.hpp"

namespace litmus_runner {

/// What the grid needs to meet the host.
struct meeting_of_grid {
  launch const& all;
  unsigned number = 0;
  unsigned long long const deadline = all.patience ? nanoseconds() + all.patience : ~0ull;

  __device__ void arrive_and_wait() {
    ++number;
    __syncthreads();
    if (threadIdx.x == 0) {
      meeting_place* const place = all.host.meeting;
      unsigned before, begun;
      asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;"
                   : "=r"(before)
                   : "l"(__cvta_generic_to_global(all.arrived))
                   : "memory");
      if (before + 1 == all.layout.blocks * number) { // pairs with the loads in host_threads.cpp
        asm volatile("fence.acq_rel.sys;" ::: "memory");
        asm volatile(
            "st.relaxed.sys.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(&place->arrived[all.host.grid].value)),
            "r"(number)
            : "memory");
      }
      do {
        asm volatile("ld.relaxed.sys.global.u32 %0, [%1];"
                     : "=r"(begun)
                     : "l"(__cvta_generic_to_global(&place->begun.value))
                     : "memory");
        if (int(begun - number) < 0 && nanoseconds() > deadline) {
          *reinterpret_cast<unsigned volatile*>(all.stuck) = 1;
          __threadfence_system();
          __trap();
        }
      } while (int(begun - number) < 0);
      asm volatile("fence.acq_rel.sys;" ::: "memory"); // pairs with the release of `begun`
    }
    __syncthreads();
  }
};

/// Meetings of a launch: one before the first round, and one or two for each.
__host__ __device__ constexpr unsigned meetings_of(unsigned rounds, bool own) { return 1 + rounds * (own ? 2 : 1); }

template <class test>
__device__ void restore_own(launch const& all, unsigned buffer) {
  for_own_instances<test>(all, [&](unsigned turn, unsigned instance) {
    addresses<test> const a(all, buffer, turn, instance);
    test::restore_own(all.which, a.at);
  });
}

/// Leaves the final values with the results.
template <class test>
__device__ void check_own(launch const& all, unsigned buffer) {
  for_own_instances<test>(all, [&](unsigned turn, unsigned instance) {
    addresses<test> const a(all, buffer, turn, instance);
    *own_result_of(all, test::threads, buffer, instance) = test::finals_own(all.which, a.at);
    test::end_own(all.which, a.at);
  });
  restore_own<test>(all, buffer);
}

template <class test>
__global__ void __launch_bounds__(512) host_kernel(__grid_constant__ launch const parameters) {
  // In shared memory, since its arrays have indices that only the run knows.
  alignas(launch) __shared__ unsigned char bytes[sizeof(launch)];
  launch& all = *reinterpret_cast<launch*>(bytes);
  if (threadIdx.x == 0) all = parameters;
  __syncthreads();
  if (blockIdx.x >= all.layout.blocks) return disturb_until_the_end(all, meetings_of(all.rounds, test::own));

  place_in_grid const place(all.layout);
  meeting_of_grid meeting{all};
  bool const owner = test::own && all.host.grid == 0;
  if (owner) {
    restore_own<test>(all, 0);
    restore_own<test>(all, 1);
  }
  meeting.arrive_and_wait();
  for (unsigned round = 0; round < all.rounds; ++round) {
    run<test>(all, place, round & 1, round);
    meeting.arrive_and_wait();
    if constexpr (test::own) {
      if (owner) check_own<test>(all, round & 1);
      meeting.arrive_and_wait();
    }
  }
}

} // namespace litmus_runner
