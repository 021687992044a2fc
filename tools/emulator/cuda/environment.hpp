// SPDX-License-Identifier: Apache-2.0
//
// environment: the variables with which CUDA's driver takes concurrency away. A program that relies on no more than the
// execution model promises ends under each of them, so the emulator does the least that each allows.
#pragma once

namespace emulator::cuda {

struct environment {
  bool launch_blocking = false; ///< CUDA_LAUNCH_BLOCKING=1: a launch returns when the grid has ended
  unsigned connections =
      0; ///< CUDA_DEVICE_MAX_CONNECTIONS: grids of one connection run one after the other; 0: no limit
  bool lazy_loading = false; ///< CUDA_MODULE_LOADING=LAZY: loading a kernel, at its first use, waits for all grids
};

/// As the program was started with it.
/// Errors: std::invalid_argument where a variable has a value that CUDA does not know
environment const& the_environment();

} // namespace emulator::cuda
