// SPDX-License-Identifier: Apache-2.0
//
// watch: what kernels do that do not end.
// A worker looks at a block between its turns, where the threads of the block stand still. A block that has run for longer
// than the patience (CUDAX_EMULATOR_PATIENCE: seconds; 10; 0: never) is said on stderr, once for its kernel, with a place. Where
// the program ends while kernels run, cuda/ asks for the place of each.
#pragma once

#include "resident.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace emulator {

/// How long a kernel runs before it is said to; zero: it never is.
std::chrono::nanoseconds patience();

/// Called by a worker after each turn of the block.
void watch(resident_block&, turn_result);

/// Counts a grid as running while this exists.
struct running_grid {
  running_grid();
  ~running_grid();
};

/// Where a thread of each running grid is whose blocks have turns: "kernel k, block (0, 0, 0), ...". Not in checked runs.
/// Returns: when it knows one of each grid, or after some seconds: a grid may wait for others to end
std::vector<std::string> describe_running_grids();

/// How many blocks have ended; what still counts makes progress.
std::uint64_t blocks_that_ended();
void count_ended_block();

} // namespace emulator
