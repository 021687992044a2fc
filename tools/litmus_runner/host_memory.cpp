// SPDX-License-Identifier: Apache-2.0
#include "host_memory.hpp"

#include <new>

#include "cuda_calls.hpp"

namespace litmus_runner {

memory_with_host::memory_with_host()
  : meeting_(new (allocate_mapped(sizeof(meeting_place))) meeting_place),
    results_(static_cast<unsigned*>(allocate_mapped(bytes_of_results))) {}

memory_with_host::~memory_with_host() {
  cudaFree(second_.arrived);
  cudaFree(second_.scratch);
  cudaFreeHost(results_);
  cudaFreeHost(meeting_);
}

memory_with_host::of_grid const& memory_with_host::second_device() {
  if (second_.arrived) return second_;
  int devices = 0, reaches = 0;
  must(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (devices < 2) throw device_lacks("the machine has one device");
  must(cudaDeviceCanAccessPeer(&reaches, 1, 0), "cudaDeviceCanAccessPeer");
  if (!reaches) throw device_lacks("device 1 cannot access the memory of device 0");
  must(cudaSetDevice(1), "cudaSetDevice");
  must(cudaDeviceEnablePeerAccess(0, 0), "cudaDeviceEnablePeerAccess");
  second_ = {allocate<unsigned>(128), allocate<unsigned>(words_of_scratch * sizeof(unsigned))};
  must(cudaSetDevice(0), "cudaSetDevice");
  return second_;
}

} // namespace litmus_runner
