// SPDX-License-Identifier: Apache-2.0
//
// message: what the examples of message passing share: where the message lies, and two blocks that run at once. The text does
// not say how the blocks are launched: here cooperatively, since otherwise block 1 may poll before block 0 has begun, and needs
// not let it.
#pragma once

#include "example.hpp"
import cudax.sync;

namespace execution_model {

struct places {
  int x;
  int f;
  int seen;
};

/// What block 1 saw of the message that block 0 wrote.
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
