// SPDX-License-Identifier: Apache-2.0
//
// errors: what every entry point does around its work.
// An error is the calling thread's last error until it asks for it. What a kernel did wrong is everybody's error, from every
// call, until cudaDeviceReset: the device's memory can no longer be trusted.
#pragma once

#include "../machine/thread.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace emulator::cuda {

/// Ends the entry point with this error.
struct failure {
  cudaError_t code;
};

/// As failure; the sentence goes to stderr: CUDA's codes cannot say what to do.
[[noreturn]] void refuse(cudaError_t, std::string const& sentence);

/// "cudax.sync emulator: " and the sentence, on stderr, in one piece.
void say(std::string const& sentence);

/// Throws failure{code} where the condition does not hold.
inline void require(bool condition, cudaError_t code = cudaErrorInvalidValue) {
  if (!condition) throw failure{code};
}

/// Makes `code` the thread's last error, and returns it.
cudaError_t remember(cudaError_t code) noexcept;

/// The error of the device, cudaSuccess where there is none.
cudaError_t device_error() noexcept;
void report_fault(fault const&); ///< says it, and makes it the device's error
void forget_fault() noexcept;    ///< cudaDeviceReset

/// From now on a child of fork() has no CUDA: the threads that would do its work are the parent's.
void mind_forks() noexcept;
/// Whether this is such a child.
bool is_lost_child() noexcept;
/// Says so, once, and returns cudaErrorInitializationError, as CUDA does.
cudaError_t refuse_in_child() noexcept;

/// Puts another last error of the thread in the place of the one before, which it returns. For the driver's functions.
cudaError_t exchange_last_error(cudaError_t) noexcept;

/// The error that the exception being handled stands for.
cudaError_t current_exception_code() noexcept;

/// Makes the primary context the thread's where the thread has none (contexts.hpp).
/// Errors: failure cudaErrorContextIsDestroyed where the thread's own was destroyed
void enter_context();

/// Runs the body of an entry point that needs no context: it asks about devices, pointers or the thread.
template <class F>
cudaError_t ask(F body) noexcept {
  if (is_lost_child()) return refuse_in_child(); // before any lock, which another thread may have had
  if (cudaError_t const broken = device_error()) return remember(broken);
  try {
    body();
    return cudaSuccess;
  } catch (...) {
    return remember(current_exception_code());
  }
}

/// Runs the body of any other.
template <class F>
cudaError_t call(F body) noexcept {
  return ask([&] {
    enter_context();
    body();
  });
}

} // namespace emulator::cuda
