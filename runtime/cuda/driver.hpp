// SPDX-License-Identifier: Apache-2.0
//
// driver: the functions of CUDA that this library calls, and how it finds them.
//
// The library calls the driver wherever the driver has the function, for two reasons. A failed call of the runtime
// replaces the error that an earlier launch of the program left for cudaGetLastError; the driver has no such error. And
// a call of the runtime makes the thread's device current, which creates a context if there is none; a call of the
// driver never does. The driver is found at run time, through the runtime, so that programs need no libcuda to link or
// to start.
//
// Driver and runtime have the same error numbers: cuda.cpp compares those that the library uses.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace cudax::runtime {

/// The functions, under CUDA's names. A null stream is the legacy default stream.
struct driver {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define CUDAX_DRIVER_FUNCTION(name) decltype(&::name) name;
#include "calls.def"
  // The runtime: only it knows the thread's device before the thread has a context, the last error, and which kernel a
  // host function stands for.
  decltype(&::cudaGetDevice) cudaGetDevice;
  decltype(&::cudaPeekAtLastError) cudaPeekAtLastError;
  decltype(&::cudaGetLastError) cudaGetLastError;
  cudaError_t (*cudaFuncGetAttributes)(cudaFuncAttributes* attributes, void const* kernel);
  cudaError_t (*cudaGetFuncBySymbol)(cudaFunction_t* function, void const* kernel);
};

/// Returns the driver, which the first call finds and initialises; null, with the reason in `code`, if there is none.
/// Thread-safe.
driver const* find_driver(int& code) noexcept;
/// Installs a replacement, or, with null, the machine's driver; returns the previous one. For tests.
driver const* exchange_driver(driver const* other) noexcept;

/// Calls the runtime. The caller of this library gets the error, and the program's next cudaGetLastError does not.
/// Exception: if the program already had an error, the runtime has replaced it by this one; then this error stays,
/// because the program must still find one.
template <class Call> int call_runtime(driver const& d, Call call) noexcept {
  bool const had_error = d.cudaPeekAtLastError() != cudaSuccess;
  cudaError_t const code = call();
  if (code != cudaSuccess && !had_error) (void)d.cudaGetLastError();
  return code;
}

/// While an object of this class lives, the calling thread may allocate, free, register and query while streams are
/// captured. In CUDA's other modes, such a call of any thread ends every capture of the process that is not in relaxed
/// mode: with an error, and far from the call.
class relaxed_capture_mode {
public:
  explicit relaxed_capture_mode(driver const& d) noexcept : driver_(d) { exchange(); }
  ~relaxed_capture_mode() { exchange(); }
  relaxed_capture_mode(relaxed_capture_mode const&) = delete;
  relaxed_capture_mode& operator=(relaxed_capture_mode const&) = delete;

private:
  void exchange() noexcept { (void)driver_.cuThreadExchangeStreamCaptureMode(&mode_); }

  driver const& driver_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

/// Calls call(driver) in relaxed capture mode. Returns what the call returned, or the reason why there is no driver.
template <class Call> int with_driver(Call call) noexcept {
  int code = 0;
  driver const* const d = find_driver(code);
  if (!d) return code;
  relaxed_capture_mode const guard(*d);
  return call(*d);
}

} // namespace cudax::runtime
