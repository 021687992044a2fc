// SPDX-License-Identifier: Apache-2.0
//
// errors: the common code around every entry point.
//
// An error stays the calling thread's last error until the thread queries it. A kernel's error is returned to every
// thread, by every call, until cudaDeviceReset: the device's memory can no longer be trusted.
#pragma once

#include "../machine/thread.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace emulator::cuda {

/// The exception that ends the entry point with this error.
struct failure {
  cudaError_t code;
};

/// Throws a failure and writes the sentence to stderr, because CUDA's codes cannot say what to do.
[[noreturn]] void reject(cudaError_t, std::string const& sentence);

/// Writes "cudax.sync emulator: " and the sentence to stderr, in one piece.
void say(std::string const& sentence);

/// Throws failure{code} if the condition does not hold.
inline void require(bool condition, cudaError_t code = cudaErrorInvalidValue) {
  if (!condition) throw failure{code};
}

/// Makes `code` the thread's last error, and returns it.
cudaError_t remember(cudaError_t code) noexcept;

/// Returns the error of the device; cudaSuccess if there is none.
cudaError_t device_error() noexcept;
void report_fault(fault const&); ///< prints it, and makes it the device's error
void forget_fault() noexcept;    ///< cudaDeviceReset

/// From now on, every call in a child of fork() fails: the threads that would do its work exist only in the parent.
void mind_forks() noexcept;
/// Whether this process is such a child.
bool is_lost_child() noexcept;
/// Prints the reason once, and returns cudaErrorInitializationError, as CUDA does.
cudaError_t reject_in_child() noexcept;

/// Replaces the thread's last error and returns the previous one. For the driver's functions.
cudaError_t exchange_last_error(cudaError_t) noexcept;

/// Returns the error that corresponds to the exception being handled.
cudaError_t current_exception_code() noexcept;

/// Makes the primary context current if the thread has none (contexts.hpp).
/// Errors: failure cudaErrorContextIsDestroyed if the thread's own context was destroyed
void enter_context();

/// Runs the body of an entry point that needs no context: a query about devices, pointers or the thread.
template <class F>
cudaError_t query(F body) noexcept {
  if (is_lost_child())
    return reject_in_child(); // before taking any lock, which another thread may have held at the fork
  if (cudaError_t const broken = device_error()) return remember(broken);
  try {
    body();
    return cudaSuccess;
  } catch (...) {
    return remember(current_exception_code());
  }
}

/// Runs the body of any other entry point.
template <class F>
cudaError_t call(F body) noexcept {
  return query([&] {
    enter_context();
    body();
  });
}

} // namespace emulator::cuda
