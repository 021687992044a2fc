// SPDX-License-Identifier: Apache-2.0
//
// example: what the example programs share: a report of what was checked, a stopwatch, and whether there is a device.
// The programs are compiled as CUDA if there is a toolkit, and otherwise as plain C++. Include it after standard
// headers.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#if defined(__CUDA__)
#include <cuda_runtime.h>
#else
#define __host__
#define __device__
#endif
import cudax.sync.host;

namespace example {

/// Prints one line per step: what ran where, how many results were checked and wrong, how long it took.
class report {
  bool failed_ = false;

public:
  void line(std::string const& what, std::string const& where, long long wrong, long long checked, double seconds) {
    std::printf("  %-46s %-26s %9lld checked, %lld wrong  %8.3f s\n", what.c_str(), where.c_str(), checked, wrong,
                seconds);
    std::fflush(stdout);
    if (wrong != 0 || checked == 0) failed_ = true;
  }
  /// Prints a step that is known to have undefined behavior. Its result is shown but does not fail the program.
  void line_not_judged(std::string const& what, std::string const& where, long long wrong, long long checked,
                       double seconds) {
    std::printf("  %-46s %-26s %9lld checked, %lld wrong (undefined behavior: not judged)  %8.3f s\n", what.c_str(),
                where.c_str(), checked, wrong, seconds);
    std::fflush(stdout);
  }
  void skipped(std::string const& what, std::string const& why) {
    std::printf("  %-46s skipped: %s\n", what.c_str(), why.c_str());
    std::fflush(stdout);
  }
  int exit_code() const { return failed_ ? 1 : 0; }
};

class stopwatch {
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
};

#if defined(__CUDA__)

inline void must(cudaError_t error, char const* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::exit(2);
}
#define CUDA_MUST(...) ::example::must(__VA_ARGS__, #__VA_ARGS__)

#endif

/// Returns why no device can be used; the string is empty if one can.
inline std::string device_missing() { return cudax::no_device_reason(); }

} // namespace example
