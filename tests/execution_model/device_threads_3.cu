// SPDX-License-Identifier: Apache-2.0
//
// device.threads.3: a device thread may be assumed to access a volatile object eventually, unless the object has
// automatic storage duration. As device.0, but with volatile flags: one in device memory and one in shared memory. The
// grid must end. The text names the clause and has no example of it; device.2 has the exception.
// C++ calls concurrent accesses to a volatile object a data race. PTX defines them: a volatile access has the semantics
// of a relaxed one at system scope.
#include "example.hpp"

using namespace execution_model;

static __global__ void poll(int volatile* in_memory) {
  __shared__ int volatile in_shared;
  if (threadIdx.x == 0) in_shared = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (in_memory[0] == 0) {}
    in_shared = 1;
  } else {
    in_memory[0] = 1;
    while (in_shared == 0) {}
    in_memory[1] = 1;
  }
}

static end run() {
  begin();
  int* objects = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&objects), 2 * sizeof(int)));
  CUDA_MUST(cudaMemset(objects, 0, 2 * sizeof(int)));
  poll<<<1, 2>>>(objects);
  CUDA_MUST(cudaDeviceSynchronize());
  int values[2] = {};
  CUDA_MUST(cudaMemcpy(values, objects, sizeof values, cudaMemcpyDeviceToHost));
  return values[0] == 1 && values[1] == 1 ? end::right : end::wrong;
}

static example const here("device.threads.3", outcome::ends,
                          "the volatile objects do not have automatic storage duration", run);
