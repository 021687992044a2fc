// SPDX-License-Identifier: Apache-2.0
//
// device_report: the report of a test body that runs on a device, and calls of CUDA that must not fail.
#pragma once

#include "test.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace cudax_test {

/// Ends the program if a CUDA call has failed, since no later result could be trusted.
inline void must(cudaError_t error, check_location at) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", below_tests(at.file), at.line, at.expression, cudaGetErrorString(error));
  std::exit(2);
}
#define CUDA_MUST(...) ::cudax_test::must(__VA_ARGS__, TEST_PLACE_(#__VA_ARGS__))

/// The report of a device run. It is in mapped memory, so that the host can read it after a kernel has trapped.
struct device_report {
  report* host;

  device_report() {
    CUDA_MUST(
        cudaHostAlloc(reinterpret_cast<void**>(&host), sizeof(report), cudaHostAllocMapped | cudaHostAllocPortable));
    std::memset(static_cast<void*>(host), 0, sizeof(report));
  }
  ~device_report() { cudaFreeHost(host); }
  device_report(device_report const&) = delete;
  device_report& operator=(device_report const&) = delete;

  report* on_device() const {
    void* pointer = nullptr;
    CUDA_MUST(cudaHostGetDevicePointer(&pointer, host, 0));
    return static_cast<report*>(pointer);
  }
  /// Waits for the current device and adds the report to `result`, which keeps what it has: a body may launch several
  /// kernels. `before` is the result of an earlier wait for another device.
  void finish(report& result, cudaError_t before = cudaSuccess) const {
    cudaError_t const error = before == cudaSuccess ? cudaDeviceSynchronize() : before;
    if (host->checked) result.checked = 1;
    for (int i = 0; i < host->failures && i < report::kept && result.failures + i < report::kept; ++i)
      result.first[result.failures + i] = host->first[i];
    result.failures += host->failures;
    if (error != cudaSuccess)
      check(context{&result, nullptr, nullptr}, check_location{__FILE__, __LINE__, cudaGetErrorString(error)}, false);
  }
};

} // namespace cudax_test
