// SPDX-License-Identifier: Apache-2.0
//
// example: one example of the execution model or of the memory model, as a program. main.cpp runs each example in its
// own process, under a watchdog. Include it after standard headers.
#pragma once

namespace execution_model {

/// The outcomes that the model allows for an example in an environment.
enum class outcome {
  ends,         ///< it must end, with the right values
  may_not_end,  ///< it may make no progress, or end with the right values
  is_undefined, ///< it may not end, or end with any values; only a CUDA error or a crash fails
  never_ends,   ///< it cannot end, because this environment removes all concurrency
};

/// How an example has ended: the child's exit status.
enum class end : int { right = 0, wrong = 1, cuda_error = 2, other_values = 3, no_device = 77 };

struct example {
  char const* name;
  char const* reason;           ///< the sentence of the model that decides
  outcome expected;             ///< in all environments except blocking
  outcome if_blocking;          ///< with CUDA_LAUNCH_BLOCKING=1, where a launch returns after its grid has ended
  bool several_kernels_or_host; ///< the outcome depends on when grids start, so the example runs in every environment
  bool needs_device;
  end (*run)();

  example const* next = nullptr;
  static inline example const* first = nullptr;

  /// Registers an example with one grid, for which the host only waits.
  example(char const* name, outcome expected, char const* reason, end (*run)())
    : example(name, expected, expected, reason, run, false, true) {}
  /// Registers an example whose outcome depends on when its grids start.
  example(char const* name, outcome expected, outcome if_blocking, char const* reason, end (*run)())
    : example(name, expected, if_blocking, reason, run, true, true) {}
  /// Registers an example of host threads, which must end and needs no device.
  example(char const* name, char const* reason, end (*run)())
    : example(name, outcome::ends, outcome::ends, reason, run, false, false) {}

private:
  example(char const* name, outcome expected, outcome if_blocking, char const* reason, end (*run)(), bool several,
          bool needs_device)
    : name(name), reason(reason), expected(expected), if_blocking(if_blocking), several_kernels_or_host(several),
      needs_device(needs_device), run(run), next(first) {
    first = this;
  }
};

/// Tells the watchdog that CUDA is initialized; the watchdog's time limit begins. Defined in main.cpp.
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

/// Creates the CUDA context, which takes a second on some machines and must not count as time of the example.
inline void begin() {
  CUDA_MUST(cudaFree(nullptr));
  started();
}

inline cudaStream_t new_stream() {
  cudaStream_t stream{};
  CUDA_MUST(cudaStreamCreate(&stream));
  return stream;
}

/// Ends an example: synchronizes with the device, as the text does by `return cudaDeviceSynchronize();`, and checks the
/// values.
inline end synchronized(bool (*right)() = [] { return true; }) {
  CUDA_MUST(cudaDeviceSynchronize());
  return right() ? end::right : end::wrong;
}

} // namespace execution_model
#endif
