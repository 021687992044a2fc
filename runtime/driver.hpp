// SPDX-License-Identifier: Apache-2.0
//
// driver: the functions of CUDA that this library calls, and how it finds them.
//
// They are the driver's wherever the driver has one, for two reasons. A call of the runtime that fails replaces the error
// that an earlier launch of the program left for cudaGetLastError; the driver has no such error. And a call of the runtime
// makes the thread's device current, which starts a context where there was none; a call of the driver never does. The
// driver is found at run time, through the runtime, so that programs need no libcuda to link and none to start.
//
// Error numbers of the two are the same: cuda.cpp compares those that the library uses.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace cudax::runtime {

/// The functions, under CUDA's names. The stream null is the legacy default stream.
struct driver {
  // clang-format off
  decltype(&::cuInit) cuInit;
  // Devices.
  decltype(&::cuDeviceGet) cuDeviceGet;
  decltype(&::cuDeviceGetCount) cuDeviceGetCount;
  decltype(&::cuDeviceGetName) cuDeviceGetName;
  decltype(&::cuDeviceGetAttribute) cuDeviceGetAttribute;
  decltype(&::cuDeviceGetP2PAttribute) cuDeviceGetP2PAttribute;
  decltype(&::cuDeviceCanAccessPeer) cuDeviceCanAccessPeer;
  // Contexts.
  decltype(&::cuCtxGetCurrent) cuCtxGetCurrent;
  decltype(&::cuCtxGetDevice) cuCtxGetDevice;
  decltype(&::cuCtxGetId) cuCtxGetId;
  decltype(&::cuCtxPushCurrent) cuCtxPushCurrent;
  decltype(&::cuCtxPopCurrent) cuCtxPopCurrent;
  decltype(&::cuCtxEnablePeerAccess) cuCtxEnablePeerAccess;
  decltype(&::cuDevicePrimaryCtxGetState) cuDevicePrimaryCtxGetState;
  decltype(&::cuDevicePrimaryCtxRetain) cuDevicePrimaryCtxRetain;
  decltype(&::cuDevicePrimaryCtxRelease) cuDevicePrimaryCtxRelease;
  decltype(&::cuThreadExchangeStreamCaptureMode) cuThreadExchangeStreamCaptureMode;
  // Memory.
  decltype(&::cuMemHostAlloc) cuMemHostAlloc;
  decltype(&::cuMemFreeHost) cuMemFreeHost;
  decltype(&::cuMemAllocManaged) cuMemAllocManaged;
  decltype(&::cuMemFree) cuMemFree;
  decltype(&::cuMemHostRegister) cuMemHostRegister;
  decltype(&::cuMemHostUnregister) cuMemHostUnregister;
  decltype(&::cuMemHostGetDevicePointer) cuMemHostGetDevicePointer;
  decltype(&::cuPointerGetAttribute) cuPointerGetAttribute;
  decltype(&::cuPointerGetAttributes) cuPointerGetAttributes;
  // Streams, events, kernels.
  decltype(&::cuStreamQuery) cuStreamQuery;
  decltype(&::cuStreamIsCapturing) cuStreamIsCapturing;
  decltype(&::cuStreamGetCtx) cuStreamGetCtx;
  decltype(&::cuEventQuery) cuEventQuery;
  decltype(&::cuModuleGetLoadingMode) cuModuleGetLoadingMode;
  decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor) cuOccupancyMaxActiveBlocksPerMultiprocessor;
  decltype(&::cuLaunchCooperativeKernel) cuLaunchCooperativeKernel;
  // The runtime, which alone knows the thread's device before it has a context, the last error, and which kernel a host
  // function stands for.
  decltype(&::cudaGetDevice) cudaGetDevice;
  decltype(&::cudaPeekAtLastError) cudaPeekAtLastError;
  decltype(&::cudaGetLastError) cudaGetLastError;
  cudaError_t (*cudaFuncGetAttributes)(cudaFuncAttributes* attributes, void const* kernel);
  cudaError_t (*cudaGetFuncBySymbol)(cudaFunction_t* function, void const* kernel);
  // clang-format on
};

/// The driver, found at the first call and initialised; null where there is none, and `code` says why. Thread-safe.
driver const* find_driver(int& code) noexcept;
/// Puts another in its place, or, with null, the machine's; returns the one before. For tests.
driver const* exchange_driver(driver const* other) noexcept;

/// Calls the runtime. What fails there is reported to the caller of this library, and not to the program's next
/// cudaGetLastError; unless an error of the program was there before, which the runtime has replaced by this one: then
/// this one stays, since the program still has to find one.
template <class Call> int ask_runtime(driver const& d, Call call) noexcept {
  bool const program_s_own = d.cudaPeekAtLastError() != cudaSuccess;
  cudaError_t const code = call();
  if (code != cudaSuccess && !program_s_own) (void)d.cudaGetLastError();
  return code;
}

/// While this lives, the calling thread may allocate, free, register and query while streams are captured. In CUDA's other
/// modes such a call of any thread ends every capture of the process that is not relaxed: with an error, far from here.
class among_captures {
public:
  explicit among_captures(driver const& d) noexcept : driver_(d) { exchange(); }
  ~among_captures() { exchange(); }
  among_captures(among_captures const&) = delete;
  among_captures& operator=(among_captures const&) = delete;

private:
  void exchange() noexcept { (void)driver_.cuThreadExchangeStreamCaptureMode(&mode_); }

  driver const& driver_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

/// Calls the driver as a good neighbour of captures; returns why there is none, or what the call returned.
template <class Call> int with_driver(Call call) noexcept {
  int code = 0;
  driver const* const d = find_driver(code);
  if (!d) return code;
  among_captures const guard(*d);
  return call(*d);
}

} // namespace cudax::runtime
