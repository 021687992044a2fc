// SPDX-License-Identifier: Apache-2.0
//
// observed: what a checked run keeps of each thread and block; thread::observed and block::observed point to it while
// the block is resident.
#pragma once

#include "../../machine/thread.hpp"

#include <memory>
#include <vector>

namespace emulator {

/// Memory that a thread has read; no address: none.
struct observed_read {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
};

/// How the state of a thread differs from one poll to the next, at one instruction that polls.
struct watched_steps {
  static constexpr std::size_t most = 64;
  operation const* at = nullptr; ///< the instruction; null: it has not polled yet
  std::uint64_t polls = 0;       ///< there
  std::size_t count = 0;         ///< how many different steps there were; more than `most`: the thread computes
  std::array<std::uint64_t, most> all;
  std::vector<std::uint64_t> state; ///< at the last poll
};

/// What check/run/standstill knows of a thread.
struct watched_loop {
  static constexpr std::size_t most_places = 64;
  std::uint64_t period = 0; ///< for which the flags, the snapshots and the steps hold
  bool has_start = false;
  bool repeats = false;    ///< it came to the state again in which its first turn ended
  bool reads_time = false; ///< it read the clock
  bool reads_more = false; ///< than it had read before
  std::uint64_t start = 0, start_of_all = 0;
  std::uint64_t since = ~std::uint64_t(0); ///< the change of memory after which it polled and read the places
  std::uint64_t polls = 0;                 ///< strong reads
  std::size_t count = 0;
  std::array<observed_read, most_places> places;
  std::unique_ptr<watched_steps> steps{}; ///< null: they were never watched
};

struct observed_thread {
  std::uint64_t turns_in_vain = 0;         ///< how many turns it has waited in a row
  bool is_listed = false;                  ///< in run::ready
  bool falls_behind = false;               ///< from the end of this turn on (stragglers.hpp)
  std::uint32_t listed_at = 0;             ///< where
  std::uint32_t polls_at = 0;              ///< where among those that poll the same
  std::uint64_t polled = 0;                ///< what it reads in vain, as run.hpp counts memory; 0: none
  std::array<std::uint64_t, 4> read{};     ///< what it read last, as far as that shows that it reads it again
  operation const* last_barrier = nullptr; ///< of the block, at which it arrived last
  operation const* last_access = nullptr;  ///< of shared or global memory since then
  operation const* last_read = nullptr;    ///< the same
  operation const* polled_at = nullptr;    ///< the last operation that read memory and changed nothing
  std::byte const* polled_where = nullptr; ///< what it read
  std::uint32_t polled_size = 0;
  std::unique_ptr<watched_loop> loop{}; ///< null: it was never watched
};

struct observed_block {
  std::vector<observed_thread> threads; ///< by thread::number
  /// By barrier and warp: the operation at which the warp arrived, if all its lanes have to arrive there.
  std::array<std::array<operation const*, 32>, 16> aligned{};
};

} // namespace emulator
