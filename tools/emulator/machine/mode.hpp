// SPDX-License-Identifier: Apache-2.0
//
// mode: whether this process runs grids fast, or checks them.
// One setting for all that is loaded, since functions are decoded for one of the two. From the environment, read
// once: CUDAX_EMULATOR_CHECK=1 checks, with the schedule and the choices that CUDAX_EMULATOR_SEED (0) determines;
// CUDAX_EMULATOR_STATISTICS=1 counts what they did; CUDAX_EMULATOR_STALE=0 leaves out the findings of kind "stale".
// CUDAX_EMULATOR_CONVERGE_EARLY=1 lets lanes meet as early as ptxas may let them, 0 never; without it, a checked run
// does so if its seed is odd.
#pragma once

#include <cstdint>

namespace emulator {

struct run_mode {
  bool is_checked = false;
  std::uint64_t seed = 0;
  bool counts_instructions = false; ///< in checked runs
  bool finds_stale = true;          ///< strong reads that may miss what their flag promised; in checked runs
  bool converges_early = false;     ///< lanes meet as early as ptxas may let them (early_meeting.hpp)
};

/// Errors: ends the process with a message
run_mode mode_from_environment();

inline run_mode process_mode = mode_from_environment();

inline bool is_checked_run() { return process_mode.is_checked; }

} // namespace emulator
