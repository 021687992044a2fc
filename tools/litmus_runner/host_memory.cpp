// SPDX-License-Identifier: Apache-2.0
#include "host_memory.hpp"

#include <cstring>
#include <new>

#include "cuda_calls.hpp"

namespace litmus_runner {

namespace {

void* allocate_mapped(unsigned long long bytes) {
  void* memory = nullptr;
  must(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped), "cudaHostAlloc");
  std::memset(memory, 0, bytes);
  return memory;
}

} // namespace

memory_with_host::memory_with_host()
  : meeting_(new (allocate_mapped(sizeof(meeting_place))) meeting_place),
    results_(static_cast<unsigned*>(allocate_mapped(bytes_of_results))) {}

memory_with_host::~memory_with_host() {
  for (auto const& [kind, memory] : cells_) kind.first == 'm' ? cudaFreeHost(memory) : cudaFree(memory);
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

char* memory_with_host::cells(unsigned location, char memory) {
  char*& cells = cells_[{memory, location}];
  if (cells) return cells;
  if (memory == 'm') return cells = static_cast<char*>(allocate_mapped(bytes_with_host));
  void* there = nullptr;
  must(cudaMallocManaged(&there, bytes_with_host), "cudaMallocManaged");
  std::memset(there, 0, bytes_with_host);
  return cells = static_cast<char*>(there);
}

} // namespace litmus_runner
