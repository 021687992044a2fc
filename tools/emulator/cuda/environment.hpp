// SPDX-License-Identifier: Apache-2.0
//
// environment: the variables that reduce concurrency in CUDA's driver. A program that relies only on the guarantees of
// the execution model terminates under each of them. So the emulator provides the least concurrency that each allows.
#pragma once

namespace emulator::cuda {

struct environment {
  bool launch_blocking = false; ///< CUDA_LAUNCH_BLOCKING=1: a launch returns after the grid has ended
  unsigned connections =
      0; ///< CUDA_DEVICE_MAX_CONNECTIONS: grids of one connection run one after the other; 0: no limit
  bool lazy_loading = false; ///< CUDA_MODULE_LOADING=LAZY: loading a kernel, at its first use, waits for all grids
};

/// The variables as they were at the start of the program.
/// Errors: std::invalid_argument if a variable has a value that CUDA does not know
environment const& the_environment();

} // namespace emulator::cuda
