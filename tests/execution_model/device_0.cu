// SPDX-License-Identifier: Apache-2.0
//
// Execution.Model.Device.0: two threads of one block, even of one warp; one waits for the other's store. The example
// must end. The object does not have automatic storage duration, so a thread may be assumed to make progress with the
// loop's reads (device.threads.4), and all threads of a block that has begun make progress.
// The text passes an atomic_ref to a variable that it does not show; here the variable is in device memory.
#include "example.hpp"
import cudax.sync;

using namespace execution_model;

static __global__ void ex0(cudax::atomic_ref<int, cudax::thread_scope_device> atom) {
  if (threadIdx.x == 0) {
    while (atom.load(cudax::memory_order_relaxed) == 0) {}
  } else if (threadIdx.x == 1) {
    atom.store(1, cudax::memory_order_relaxed);
  }
}

static end run() {
  begin();
  int* object = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&object), sizeof(int)));
  CUDA_MUST(cudaMemset(object, 0, sizeof(int)));
  ex0<<<1, 2>>>(cudax::atomic_ref<int, cudax::thread_scope_device>(*object));
  CUDA_MUST(cudaDeviceSynchronize());
  int value = 0;
  CUDA_MUST(cudaMemcpy(&value, object, sizeof(int), cudaMemcpyDeviceToHost));
  return value == 1 ? end::right : end::wrong;
}

static example const here("device.0", outcome::ends, "the atomic object does not have automatic storage duration", run);
