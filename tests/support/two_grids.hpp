// SPDX-License-Identifier: Apache-2.0
//
// two_grids: two grids that run at the same time and share an object: on two devices if there are two, otherwise on
// one.
#pragma once

#include "device_report.hpp"

#include <cstdio>

namespace cudax_test {

/// Launches two grids that run at the same time: on two devices if there are two, otherwise on one.
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

  /// Enables peer access between the devices; returns whether their read-modify-writes in each other's memory are
  /// atomic.
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

  /// Launches the kernel twice. Loads it on all devices first, because loading may wait until a device is idle.
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

  /// Waits for the second grid. The current device is the first grid's.
  cudaError_t finish() const { return cudaStreamSynchronize(streams_[1]); }
};

} // namespace cudax_test
