// SPDX-License-Identifier: Apache-2.0
//
// layout: where the threads and the locations of many instances of a test are. Host and device share these structures.
//
// The grid runs `instances` instances in each turn. A thread of the grid has a position at four levels: cluster of the
// grid, block of the cluster, warp of the block, lane of the warp. Each level has slots: with two slots of blocks, the
// even blocks of a cluster run one part of the test's threads and the odd ones the other part. `thread_of` says which
// thread of the test a position runs. In the next turn each position has the next slot.
//
// Which positions run the threads of one instance is a permutation for each slot. A permutation at one level moves
// instances only where the placement lets them: threads that the placement puts into one warp stay in one warp.
#pragma once

namespace litmus_runner {

inline constexpr unsigned most_slots = 4, most_threads = 4, most_locations = 8;

/// A bit of what a thread observed: a value that the outcome has no bits for.
inline constexpr unsigned other = 1u << 30;
inline constexpr unsigned endless = 1u << 29; ///< a bit, too: an await gave up
inline constexpr unsigned missing = ~0u;      ///< the result of a thread that did not run

/// i -> (multiplier * i + offset) mod n: a permutation of 0 ... n-1 if multiplier and n are co-prime.
struct permutation {
  unsigned multiplier = 1, offset = 0;
};

/// Where i goes in a turn. A function for host and device, as each constexpr function of clang.
constexpr unsigned permute(permutation p, unsigned i, unsigned n, unsigned turn) {
  return (p.multiplier * i + p.offset + (turn * 40503u & 0xffffu)) % n;
}

/// A number that looks random.
constexpr unsigned scramble(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

/// The four levels; each index below counts them in this order.
enum level_of_grid : unsigned { cluster_level, block_level, warp_level, lane_level, levels };

/// Number of bytes between an instance's result of one thread and that of the next thread is 4 * instances.
struct layout {
  unsigned blocks = 0, threads_per_block = 0, blocks_per_cluster = 1; ///< of the blocks that run tests
  unsigned slots[levels] = {1, 1, 1, 1};
  unsigned units[levels] = {1, 1, 1, 1}; ///< whole sets of slots at each level
  unsigned instances = 0;                ///< of one turn: the product of `units`
  signed char thread_of[most_slots * most_slots * most_slots * most_slots] = {}; ///< -1: idle
  permutation partner[levels][most_slots];
};

/// The kinds of stress of one launch.
struct stress {
  unsigned blocks = 0;              ///< blocks beside the grid that access scratch memory all the time
  unsigned before = 0;              ///< accesses to scratch memory that a thread makes before its part of a test
  unsigned loaded = ~0u;            ///< a bit for each thread of the test that makes them
  unsigned delay_mask = 0;          ///< each warp waits for a random number of cycles, at most this many (2^n - 1)
  unsigned skew[most_threads] = {}; ///< cycles that each thread of the test waits, beside that
  unsigned pattern = 0;             ///< 0: loads, 1: stores, 2: both, 3: read-modify-writes
  unsigned touch = 0;               ///< a bit for each location: each thread first brings it into the L1 cache
  unsigned scratch_mask = 0;        ///< words of scratch memory - 1
};

/// What is counted beside the 2^bits outcomes. The counts follow those of the outcomes, in this order.
enum count_beside_outcomes : unsigned {
  other_values, ///< outcomes with a value that the program cannot make
  no_results,   ///< instances of which a thread left no result
  never_ended,  ///< instances of which an await gave up
  counts_beside_outcomes
};
constexpr unsigned counts_of(unsigned bits) { return (1u << bits) + counts_beside_outcomes; }

/// The count of an instance: `outcome` has the bits of all its threads and locations, and `is_complete` says whether
/// each of them left some.
constexpr unsigned count_of(unsigned outcome, bool is_complete, unsigned bits) {
  unsigned const beside = 1u << bits;
  if (!is_complete) return beside + no_results;
  if (outcome & endless) return beside + never_ended;
  if (outcome & other) return beside + other_values;
  return outcome;
}

inline constexpr unsigned most_grids = 2;

/// Where grids and threads of the host meet; in mapped memory. Each word has a line of its own, and one writer.
struct meeting_place {
  struct word {
    alignas(128) unsigned value = 0;
  };
  word arrived[most_grids]; ///< meetings to which each grid has come; the grid writes it
  word begun;               ///< meetings that are over; the host writes it
};

/// What runs beside a grid: threads of the host, or a grid of another device.
struct host_part {
  meeting_place* meeting = nullptr;
  unsigned grid = 0, grids = 1; ///< the number of this grid. Each runs the threads of one device
  unsigned workers = 0;         ///< threads of the operating system, which run the test's threads of the host
  unsigned paced = 0; ///< 1: a worker spreads its instances over the time that the grid takes; 0: it runs them at once
};

/// The argument of a test's kernel.
struct launch {
  unsigned which = 0; ///< the test, of those that share the kernel
  unsigned bits = 0;  ///< of an outcome
  litmus_runner::layout layout;
  litmus_runner::stress stress;
  host_part host;
  permutation place[most_locations]; ///< of the locations in global, mapped or managed memory
  char* cells[most_locations] = {};  ///< two buffers of `turns * instances` cells of `stride` bytes
  unsigned stride = 32;              ///< bytes between cells
  unsigned turns = 1;                ///< turns of a round: each runs `instances` instances
  unsigned rounds = 1;               ///< rounds of the launch; a barrier of the grid follows each
  unsigned seed = 0;
  unsigned* results = nullptr; ///< [2][turns][threads][instances]: what each thread observed
  unsigned* arrived = nullptr; ///< the barrier's counter, initially zero
  unsigned* scratch = nullptr;
  unsigned long long* histogram = nullptr; ///< counts_of(bits) counts
  unsigned long long patience = 0;         ///< nanoseconds after which a barrier traps; 0: never
  unsigned* stuck = nullptr;               ///< set before that
  unsigned long long await_limit = 0;      ///< nanoseconds after which an await gives up
  unsigned none = 0;                       ///< zero, which the compiler does not know
  unsigned gave_up = 0;                    ///< of each block's copy: an await in this block has given up
};

} // namespace litmus_runner
