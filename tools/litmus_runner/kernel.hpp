// SPDX-License-Identifier: Apache-2.0
//
// kernel: runs many instances of one test on a resident grid.
//
// A launch has rounds. In a round each thread of the grid runs, turn by turn, one thread of an instance, then checks
// instances of the round before: it counts their outcomes in a histogram in shared memory and restores their locations.
// Rounds alternate between two buffers, so one barrier of the grid suffices for a round. The threads of an instance run
// right after the barrier, at nearly the same time.
//
// Tests with the same numbers of threads and locations share a kernel: `which` tells them apart. The harness
// takes most of a kernel's code, and most of the time to compile it. A group of tests is a type that the generator
// writes (write_sources.hpp):
//
//   threads, locations                  numbers
//   cell                                bytes of a cell, at most
//   shared                              a bit for each location that is in shared memory
//   run(which, thread, at, all, awaits, seen)
//                                       runs one thread; `at` has the locations, `all` says which threads meet at a
//                                       barrier, `awaits` how long an await polls; sets the bits of its registers in
//                                       `seen`
//   finals(which, at)                   the bits of the locations
//   end(which, at)                      ends the primitives of the library among the locations
//   restore(which, at)                  stores the initial values, makes the primitives
//
// A value that an outcome cannot hold sets the bit `other`.
//
// Each await is bounded (`patience`): a poll may read the L1 cache and never see a write of another SM. An await that
// gives up does not end its thread. The thread executes the rest of its operations, with the value that it read last,
// since other threads may wait for them. Its instance counts as one that never ended, whatever the outcome is.
//
// Why it is right: the barrier is a release and an acquire at device scope, so all accesses of a round happen before
// all of the next one. The restored cells of a buffer are used one barrier later.
#pragma once

#include <cuda_runtime.h>

#include "layout.hpp"
#include "registry.hpp"

namespace litmus_runner {

__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// How long the awaits of one thread of an instance poll: all together for `await_limit`, or a little longer. A poll
/// costs a decrement and a branch; the clock is read after each 4,096 polls.
class patience {
public:
  __device__ explicit patience(launch& all) : all_(all) {}

  __device__ bool polls_again() { return --left_ != 0 || extended(); }
  /// The bit for the thread's result.
  __device__ unsigned result() const { return spent_ ? endless : 0; }

private:
  static constexpr unsigned polls_between_readings = 4096;

  /// After the first await that gave up, the others of the block read the clock once. The test then is known not to
  /// end, and each of its rounds would last for the limit.
  __device__ bool extended() {
    unsigned volatile& gave_up = all_.gave_up; // relaxed: it changes only how long an await takes
    unsigned long long const now = nanoseconds();
    if (deadline_ == 0) deadline_ = gave_up ? now : now + all_.await_limit;
    if (now < deadline_) {
      left_ = polls_between_readings;
      return true;
    }
    left_ = 1; // the next await of this thread polls once
    spent_ = true;
    gave_up = 1;
    return false;
  }

  launch& all_;
  unsigned long long deadline_ = 0;
  unsigned left_ = polls_between_readings;
  bool spent_ = false;
};

/// What the barrier needs. It orders all accesses of the grid's threads before it before all accesses after it.
struct grid_barrier {
  launch const& all;
  unsigned expected = 0;
  unsigned long long const deadline = all.patience ? nanoseconds() + all.patience : ~0ull;

  __device__ void arrive_and_wait() {
    expected += all.layout.blocks;
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(all.arrived)) : "memory");
      unsigned now;
      do {
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                     : "=r"(now)
                     : "l"(__cvta_generic_to_global(all.arrived))
                     : "memory");
        if (int(now - expected) < 0 && nanoseconds() > deadline) {
          *reinterpret_cast<unsigned volatile*>(all.stuck) = 1;
          __threadfence_system();
          __trap();
        }
      } while (int(now - expected) < 0);
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
    }
    __syncthreads();
  }
};

/// One access of the stress, to scratch memory.
__device__ inline void disturb(launch const& all, unsigned number) {
  unsigned* const word = all.scratch + (scramble(number) & all.stress.scratch_mask);
  unsigned const pattern = all.stress.pattern == 2 ? number & 1 : all.stress.pattern;
  unsigned value = 0;
  if (pattern == 0) asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(word));
  else if (pattern == 1) asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(word), "r"(number));
  else asm volatile("red.relaxed.gpu.add.u32 [%0], 1;" ::"l"(word));
}

/// A block that only disturbs, until the last of `barriers` barriers of the grid.
__device__ inline void disturb_until_the_end(launch const& all, unsigned barriers) {
  unsigned const last = all.layout.blocks * barriers;
  for (unsigned number = scramble(blockIdx.x * blockDim.x + threadIdx.x + all.seed);;) {
    for (unsigned i = 0; i < 8; ++i) disturb(all, number += 0x9e3779b9u);
    unsigned now;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(now) : "l"(all.arrived));
    if (now == last) return;
  }
}

/// The positions of this thread, and the instance it works for.
class place_in_grid {
public:
  __device__ explicit place_in_grid(layout const& l) : l_(l) {
    unsigned const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    at_[cluster_level] = blockIdx.x / l.blocks_per_cluster;
    at_[block_level] = blockIdx.x % l.blocks_per_cluster;
    at_[warp_level] = warp;
    at_[lane_level] = lane;
    busy_ = true;
    for (unsigned level = 0; level < levels; ++level) busy_ &= at_[level] < l.units[level] * l.slots[level];
  }

  /// Returns the thread of the test that this thread runs in a turn, or -1. Sets `instance`.
  __device__ int thread_of(unsigned turn, unsigned& instance) const {
    if (!busy_) return -1;
    unsigned n = 1, i = 0, slot = 0, slots = 1;
    for (int level = levels - 1; level >= 0; --level) {
      unsigned const count = l_.slots[level], here = (at_[level] + turn) % count;
      i += at_[level] / count * n;
      n *= l_.units[level];
      slot += here * slots;
      slots *= count;
      if (count > 1) i = permute(l_.partner[level][here], i, n, here ? turn : 0);
    }
    instance = i;
    return i < l_.instances ? l_.thread_of[slot] : -1; // another grid may run fewer instances
  }

private:
  layout const& l_;
  unsigned at_[levels];
  bool busy_;
};

/// Cells in shared memory, after the counts of outcomes. The blocks of a cluster hold the cells of its instances in
/// turn.
template <class test>
__device__ char* shared_cell(launch const& all, unsigned location, unsigned buffer, unsigned turn, unsigned instance) {
  extern __shared__ unsigned bins[];
  layout const& l = all.layout;
  unsigned const n = l.units[warp_level] * l.units[lane_level]; // instances of a cluster: its blocks are one set
  unsigned const index = permute(all.place[location], instance % n, n, 0);
  unsigned const per_block = (n + l.blocks_per_cluster - 1) / l.blocks_per_cluster;
  unsigned const array = (location * 2 + buffer) * all.turns + turn;
  char* const cells = reinterpret_cast<char*>(bins) + (counts_of(all.bits) * sizeof(unsigned) + 15) / 16 * 16;
  char* const here = cells + (array * per_block + index / l.blocks_per_cluster) * test::cell;
#if __CUDA_ARCH__ >= 900
  if (l.blocks_per_cluster > 1) {
    char* there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(here), "r"(index % l.blocks_per_cluster));
    return there;
  }
#endif
  return here;
}

/// The addresses of an instance's locations.
template <class test>
struct addresses {
  char* at[test::locations ? test::locations : 1];

  __device__ addresses(launch const& all, unsigned buffer, unsigned turn, unsigned instance) {
#pragma unroll
    for (unsigned l = 0; l < test::locations; ++l) {
      if (test::shared >> l & 1) {
        at[l] = shared_cell<test>(all, l, buffer, turn, instance);
        continue;
      }
      unsigned const n = all.layout.instances;
      unsigned long long const cell =
          (buffer * all.turns + turn) * static_cast<unsigned long long>(n) + permute(all.place[l], instance, n, 0);
      at[l] = all.cells[l] + cell * all.stride;
    }
  }
};

template <class test>
__device__ unsigned* result_of(launch const& all, unsigned buffer, unsigned turn, unsigned thread, unsigned instance) {
  return all.results +
         ((buffer * all.turns + turn) * static_cast<unsigned long long>(test::threads) + thread) *
             all.layout.instances +
         instance;
}

/// Calls f(turn, instance) for the instances that this block checks, each in one thread. With locations in shared
/// memory those are instances of its cluster.
template <class test, class F>
__device__ void for_own_instances(launch const& all, F f) {
  layout const& l = all.layout;
  unsigned begin, end, step = blockDim.x;
  if constexpr (test::shared != 0) {
    unsigned const n = l.units[warp_level] * l.units[lane_level], cluster = blockIdx.x / l.blocks_per_cluster;
    begin = cluster * n + blockIdx.x % l.blocks_per_cluster * blockDim.x;
    end = (cluster + 1) * n;
    step *= l.blocks_per_cluster;
  } else {
    unsigned const share = (l.instances + l.blocks - 1) / l.blocks;
    begin = blockIdx.x * share;
    end = min(begin + share, l.instances);
  }
  for (unsigned turn = 0; turn < all.turns; ++turn)
    for (unsigned i = begin + threadIdx.x; i < end; i += step) f(turn, i);
}

template <class test>
__device__ void restore(launch const& all, unsigned buffer) {
  for_own_instances<test>(all, [&](unsigned turn, unsigned instance) {
    addresses<test> const a(all, buffer, turn, instance);
    test::restore(all.which, a.at);
#pragma unroll
    for (unsigned thread = 0; thread < test::threads; ++thread)
      *result_of<test>(all, buffer, turn, thread, instance) = missing;
  });
}

template <class test>
__device__ void check(launch const& all, unsigned buffer, unsigned* bins) {
  for_own_instances<test>(all, [&](unsigned turn, unsigned instance) {
    addresses<test> const a(all, buffer, turn, instance);
    unsigned outcome = test::finals(all.which, a.at);
    test::end(all.which, a.at);
    bool complete = true;
#pragma unroll
    for (unsigned thread = 0; thread < test::threads; ++thread) {
      unsigned const seen = __ldcg(result_of<test>(all, buffer, turn, thread, instance));
      complete &= seen != missing;
      outcome |= seen;
    }
    atomicAdd(bins + count_of(outcome, complete, all.bits), 1u);
  });
  restore<test>(all, buffer);
}

template <class test>
__device__ void run(launch& all, place_in_grid const& place, unsigned buffer, unsigned round) {
  for (unsigned turn = 0; turn < all.turns; ++turn) {
    unsigned instance;
    unsigned const number = round * all.turns + turn;
    int const thread = place.thread_of(number, instance);
    if (thread < 0) continue;
    addresses<test> const a(all, buffer, turn, instance);
    unsigned const random = scramble((blockIdx.x * 64 + threadIdx.x / 32) * 7919 + number + all.seed);
    unsigned touched = 0;
    if (all.stress.touch)
#pragma unroll
      for (unsigned l = 0; l < test::locations; ++l) {
        if ((test::shared >> l & 1) || !(all.stress.touch >> l & 1)) continue;
        unsigned value; // a word that no thread writes, in the sector of the location: the cache loads 32 bytes
        asm volatile("ld.weak.global.u32 %0, [%1];"
                     : "=r"(value)
                     : "l"(__cvta_generic_to_global(a.at[l] + (test::cell > 28 ? all.stride : 32) - 4)));
        touched |= value;
      }
    if (all.stress.loaded >> thread & 1)
      for (unsigned i = 0; i < all.stress.before; ++i) disturb(all, random + i * 32 + threadIdx.x % 32);
    if (unsigned const delay = (random & all.stress.delay_mask) + all.stress.skew[thread]) {
      unsigned const begin = unsigned(clock64());
      while (unsigned(clock64()) - begin < delay) {}
    }
    unsigned seen = 0;
    patience awaits(all);
    test::run(all.which, unsigned(thread), a.at, all.layout, awaits, seen);
    seen |= awaits.result() | (touched & all.none); // ptxas removes a load whose value has no use
    *result_of<test>(all, buffer, turn, unsigned(thread), instance) = seen;
  }
}

/// For the machine code of one test, which machine_code.cpp compares with that of another one. No launch runs it.
template <class group>
struct code_arguments {
  char* at[group::locations ? group::locations : 1];
  unsigned thread;
  launch* all;
  unsigned* result;
};
template <class test, class group>
__device__ void run_alone(code_arguments<group> const& a) {
  unsigned seen = 0;
  patience awaits(*a.all);
  test::run(a.thread, a.at, a.all->layout, awaits, seen);
  *a.result = seen | awaits.result();
}

template <class test>
__global__ void __launch_bounds__(512) kernel(__grid_constant__ launch const parameters) {
  extern __shared__ unsigned bins[];
  // In shared memory, since its arrays have indices that only the run knows.
  alignas(launch) __shared__ unsigned char bytes[sizeof(launch)];
  launch& all = *reinterpret_cast<launch*>(bytes);
  unsigned const counts = counts_of(parameters.bits);
  for (unsigned i = threadIdx.x; i < counts; i += blockDim.x) bins[i] = 0;
  if (threadIdx.x == 0) all = parameters;
  __syncthreads();
  if (blockIdx.x >= all.layout.blocks) return disturb_until_the_end(all, all.rounds + 3);

  place_in_grid const place(all.layout);
  grid_barrier barrier{all};
  barrier.arrive_and_wait(); // all blocks of each cluster have started
  restore<test>(all, 0);
  restore<test>(all, 1);
  barrier.arrive_and_wait();
  for (unsigned round = 0; round < all.rounds; ++round) {
    run<test>(all, place, round & 1, round);
    if (round) check<test>(all, ~round & 1, bins);
    barrier.arrive_and_wait();
  }
  check<test>(all, ~all.rounds & 1, bins);
  barrier.arrive_and_wait();
  for (unsigned i = threadIdx.x; i < counts; i += blockDim.x)
    if (bins[i]) atomicAdd(all.histogram + i, static_cast<unsigned long long>(bins[i]));
}

} // namespace litmus_runner
