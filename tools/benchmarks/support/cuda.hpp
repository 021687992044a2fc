// SPDX-License-Identifier: Apache-2.0
//
// cuda: CUDA calls that throw. A kernel's failure appears in the call that waits for the kernel, and every later call
// of the program fails, too. So only main.cpp catches it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace bench {

inline void must(cudaError_t error, char const* call) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}
#define CUDA_MUST(...) ::bench::must(__VA_ARGS__, #__VA_ARGS__)

class device_memory {
  void* pointer_ = nullptr;

public:
  explicit device_memory(std::size_t size) { CUDA_MUST(cudaMalloc(&pointer_, size)); }
  ~device_memory() { cudaFree(pointer_); }
  device_memory(device_memory const&) = delete;
  device_memory& operator=(device_memory const&) = delete;
  void* get() const { return pointer_; }
};

class event {
  cudaEvent_t event_ = nullptr;

public:
  event() { CUDA_MUST(cudaEventCreate(&event_)); }
  ~event() { cudaEventDestroy(event_); }
  event(event const&) = delete;
  event& operator=(event const&) = delete;

  void record() { CUDA_MUST(cudaEventRecord(event_, nullptr)); }
  /// Returns the milliseconds from `start` to this event; waits until this event has occurred.
  double since(event const& start) const {
    float milliseconds = 0;
    CUDA_MUST(cudaEventSynchronize(event_));
    CUDA_MUST(cudaEventElapsedTime(&milliseconds, start.event_, event_));
    return milliseconds;
  }
};

} // namespace bench
