// SPDX-License-Identifier: Apache-2.0
//
// message: what the message passing examples share: the memory of the message, and two blocks that run at the same
// time. The text does not say how the blocks are launched. Here the launch is cooperative. Otherwise block 1 may poll
// before block 0 has begun, and block 0 is then not guaranteed to begin.
#pragma once

#include "example.hpp"
import cudax.sync;

namespace execution_model {

struct places {
  int x;
  int f;
  int seen;
};

/// Runs `pass_message` in two blocks; returns the value that block 1 read from the message of block 0.
inline int seen_by(void (*pass_message)(places*)) {
  begin();
  places* on_device = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&on_device), sizeof(places)));
  CUDA_MUST(cudaMemset(on_device, 0, sizeof(places)));
  void* arguments[] = {&on_device};
  CUDA_MUST(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(pass_message), dim3(2), dim3(1), arguments));
  CUDA_MUST(cudaDeviceSynchronize());
  places found{};
  CUDA_MUST(cudaMemcpy(&found, on_device, sizeof(places), cudaMemcpyDeviceToHost));
  std::printf("x is %d\n", found.seen);
  return found.seen;
}

} // namespace execution_model
