// SPDX-License-Identifier: Apache-2.0
//
// watch: reports kernels that do not end.
// A worker checks a block between its turns, when no thread of the block runs. A block that has run for longer than the
// patience (CUDAX_EMULATOR_PATIENCE: seconds; 10; 0: never) is reported on stderr, once for its kernel, with an
// instruction that a thread executes. Where the program ends while kernels run, cuda/ reports such an instruction of
// each grid.
#pragma once

#include "resident.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace emulator {

/// How long a kernel runs before it is reported; zero: it never is.
std::chrono::nanoseconds patience();

/// Called by a worker after each turn of the block.
void watch(resident_block&, turn_result);

/// Counts a grid as running while this exists.
struct running_grid {
  running_grid();
  ~running_grid();
};

/// Describes a thread of each running grid whose blocks have turns: "kernel k, block (0, 0, 0), ...". Not in checked
/// runs. Blocks until each grid is described, or for some seconds: a grid may wait for others to end.
std::vector<std::string> describe_running_grids();

/// How many blocks have ended. A growing number means progress.
std::uint64_t blocks_that_ended();
void count_ended_block();

} // namespace emulator
