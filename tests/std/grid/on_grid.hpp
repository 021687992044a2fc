// SPDX-License-Identifier: Apache-2.0
//
// on_grid: what the tests of reductions by a grid share: objects in device memory, initialized by zeros alone, and
// objects in managed memory. Include after `import cudax.sync;`.
#pragma once

#include "reducing.hpp"
#include "stealing.hpp"

namespace cudax_test {

inline constexpr unsigned most_grid_threads = 3000;

template <class T> class device_object {
  void* at_ = nullptr;

public:
  device_object() {
    CUDA_MUST(cudaMalloc(&at_, sizeof(T)));
    CUDA_MUST(cudaMemset(at_, 0, sizeof(T)));
  }
  ~device_object() { cudaFree(at_); }
  device_object(device_object const&) = delete;
  device_object& operator=(device_object const&) = delete;
  T* get() const { return static_cast<T*>(at_); }
};

template <class T> class managed {
  void* at_ = nullptr;

public:
  explicit managed(unsigned long long count = 1) { CUDA_MUST(cudaMallocManaged(&at_, sizeof(T) * count)); }
  ~managed() { cudaFree(at_); }
  managed(managed const&) = delete;
  managed& operator=(managed const&) = delete;
  T* get() const { return static_cast<T*>(at_); }
  T* operator->() const { return get(); }
};

} // namespace cudax_test
