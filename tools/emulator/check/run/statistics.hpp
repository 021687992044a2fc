// SPDX-License-Identifier: Apache-2.0
//
// statistics: how much a checked run did. Accesses and turns are always counted, instructions where
// CUDAX_EMULATOR_STATISTICS is set: then an operation that counts is emitted before those of each instruction, whether
// its guard is true or not. At the end of the process they are printed. Instructions per second of processor time is
// what speed means in tests.
#pragma once

#include "../../machine/operation.hpp"

namespace emulator::check {

struct statistics {
  std::uint64_t instructions = 0;
  std::uint64_t accesses = 0; ///< that the model checked
  std::uint64_t turns = 0;
};
inline statistics run_statistics; ///< by the only worker

void count_instruction(thread&, operation const*, std::uint64_t* registers);

/// Of this process, in seconds.
double processor_time();

/// To the standard error output when the process ends.
void print_statistics_at_end();

} // namespace emulator::check
