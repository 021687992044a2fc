// SPDX-License-Identifier: Apache-2.0
//
// watch: reports kernels that do not end.
// A worker checks a block between its turns, when no thread of the block runs. A block that has run for longer than the
// patience (CUDAX_EMULATOR_PATIENCE: seconds; 10; 0: never) is reported on stderr, once for its kernel, with what its
// threads do (waiters.hpp). In a checked run, the observer reports kernels that change no memory for so long. Where the
// program ends while kernels run, cuda/ reports a block of each grid.
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

/// Whether the kernel of this grid has not been reported yet. From now on it has.
bool is_first_report(grid const&);
/// Reports a kernel that goes on: "kernel k: WHAT: ...", and the lines.
void report_long_run(grid const&, std::string const& what, std::string const& lines);

/// Counts a grid as running while this exists.
struct running_grid {
  running_grid();
  ~running_grid();
};

/// Describes the threads of a block of each running grid whose blocks have turns: lines of waiters.hpp. Not in checked
/// runs. Blocks until each grid is described, or for some seconds: a grid may wait for others to end.
std::vector<std::string> describe_running_grids();

/// How many blocks have ended. A growing number means progress.
std::uint64_t blocks_that_ended();
void count_ended_block();

} // namespace emulator
