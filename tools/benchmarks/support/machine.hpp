// SPDX-License-Identifier: Apache-2.0
//
// machine: what the numbers were measured on.
#pragma once

#include <string>

namespace bench {

struct machine {
  std::string gpu;
  int multiprocessors;
  int sm;                  ///< of the device: 90
  int code_sm;             ///< of the code that runs on it
  int clock_limit_mhz;     ///< of the SMs
  int clock_measured_mhz;  ///< while one thread spins
  std::string driver;      ///< of the kernel module: 580.82.07
  std::string driver_cuda; ///< the newest CUDA that it serves: 13.0
  std::string runtime_cuda;
};

/// Empty where a CUDA device can be used; else why not.
std::string missing_device();
machine this_machine();

} // namespace bench
