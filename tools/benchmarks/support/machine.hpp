// SPDX-License-Identifier: Apache-2.0
//
// machine: describes the machine on which the numbers were measured.
#pragma once

#include <string>

namespace bench {

struct machine {
  std::string gpu;
  int multiprocessors;
  int sm;                  ///< of the device: 90
  int code_sm;             ///< of the code that the device runs
  int clock_limit_mhz;     ///< of the SMs
  int clock_measured_mhz;  ///< while one thread spins
  std::string driver;      ///< of the kernel module: 580.82.07
  std::string driver_cuda; ///< the newest CUDA version that the driver supports: 13.0
  std::string runtime_cuda;
};

/// Returns why no CUDA device can be used; empty if one can.
std::string missing_device();
machine this_machine();

} // namespace bench
