// SPDX-License-Identifier: Apache-2.0
//
// example: one example of the execution model or of the memory model, as a program. main.cpp runs each in a process of its
// own, under a watchdog. Include behind standard headers.
#pragma once

namespace execution_model {

/// What the model says about an example in an environment.
enum class outcome {
  ends,         ///< it must end, with the right values
  may_not_end,  ///< it is allowed to make no progress, and to end with the right values
  is_undefined, ///< it may do anything but break CUDA: not end, or end with any values
  never_ends,   ///< it cannot end: what takes concurrency away here takes all of it
};

/// How an example that ended, ended: the child's exit status.
enum class end : int { right = 0, wrong = 1, cuda_error = 2, other_values = 3, no_device = 77 };

struct example {
  char const* name;
  char const* says;             ///< the sentence that decides
  outcome expected;             ///< as the example stands
  outcome if_blocking;          ///< with CUDA_LAUNCH_BLOCKING=1: a launch returns when its grid has ended
  bool several_kernels_or_host; ///< the outcome depends on when grids start: every environment is of interest
  end (*run)();

  example const* next = nullptr;
  static inline example const* first = nullptr;

  /// Of an example with one grid, for which the host does nothing but wait.
  example(char const* name, outcome expected, char const* says, end (*run)())
    : example(name, expected, expected, says, run, false) {}
  /// Of an example whose outcome depends on when its grids start.
  example(char const* name, outcome expected, outcome if_blocking, char const* says, end (*run)())
    : example(name, expected, if_blocking, says, run, true) {}

private:
  example(char const* name, outcome expected, outcome if_blocking, char const* says, end (*run)(), bool several)
    : name(name), says(says), expected(expected), if_blocking(if_blocking), several_kernels_or_host(several), run(run),
      next(first) {
    first = this;
  }
};

/// Tells the watchdog that CUDA is up: from now on its time counts. In main.cpp.
void started();

} // namespace execution_model

#if defined(__CUDA__)
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace execution_model {

inline void must(cudaError_t error, char const* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::_Exit(int(end::cuda_error));
}
#define CUDA_MUST(...) ::execution_model::must(__VA_ARGS__, #__VA_ARGS__)

/// Makes the context, which takes a second on some machines and is no example's business.
inline void begin() {
  CUDA_MUST(cudaFree(nullptr));
  started();
}

/// What an example ends with: `return cudaDeviceSynchronize();` of the text, and then whether the values are right.
inline end synchronized(bool (*right)() = [] { return true; }) {
  CUDA_MUST(cudaDeviceSynchronize());
  return right() ? end::right : end::wrong;
}

} // namespace execution_model
#endif
