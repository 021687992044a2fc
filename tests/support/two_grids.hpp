// SPDX-License-Identifier: Apache-2.0
//
// two_grids: two grids that run at once and share an object: on two devices where there are two, else on the only one.
#pragma once

#include "device_report.hpp"

#include <cstdio>

namespace cudax_test {

/// Two grids at once, on two devices where there are two, else on the only one.
class two_grids {
  cudaStream_t streams_[2];
  int devices_;

public:
  two_grids() {
    int count = 0;
    CUDA_MUST(cudaGetDeviceCount(&count));
    devices_ = count < 2 ? 1 : 2;
    for (int i : {0, 1}) {
      CUDA_MUST(cudaSetDevice(device(i)));
      CUDA_MUST(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking));
    }
    CUDA_MUST(cudaSetDevice(0));
  }
  ~two_grids() {
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  }
  two_grids(two_grids const&) = delete;
  two_grids& operator=(two_grids const&) = delete;

  int devices() const { return devices_; }
  int device(int grid) const { return devices_ == 1 ? 0 : grid; }

  /// Whether the devices modify each other's memory atomically; makes it so that they reach it.
  bool share_memory() const {
    if (devices_ == 1) return true;
    for (int i : {0, 1}) {
      int native = 0;
      CUDA_MUST(cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported, i, 1 - i));
      if (!native) return false;
      CUDA_MUST(cudaSetDevice(i));
      cudaError_t const error = cudaDeviceEnablePeerAccess(1 - i, 0);
      if (error != cudaErrorPeerAccessAlreadyEnabled) CUDA_MUST(error);
      (void)cudaGetLastError();
    }
    CUDA_MUST(cudaSetDevice(0));
    return true;
  }

  /// Loads the kernel everywhere first: a load may wait until a device is idle.
  template <auto Kernel, class State>
  void launch(unsigned blocks, unsigned threads, State* state, report* found, unsigned first_rank, unsigned size) {
    cudaFuncAttributes loaded;
    for (int i : {0, 1}) {
      CUDA_MUST(cudaSetDevice(device(i)));
      CUDA_MUST(cudaFuncGetAttributes(&loaded, Kernel));
    }
    for (int i : {0, 1}) {
      CUDA_MUST(cudaSetDevice(device(i)));
      Kernel<<<blocks, threads, 0, streams_[i]>>>(state, found, first_rank + i * blocks * threads, size);
      CUDA_MUST(cudaGetLastError());
    }
    CUDA_MUST(cudaSetDevice(0));
  }

  /// Waits for the second grid; the first one's device is the current one.
  cudaError_t finish() const { return cudaStreamSynchronize(streams_[1]); }
};

} // namespace cudax_test
