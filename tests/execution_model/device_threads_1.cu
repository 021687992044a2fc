// SPDX-License-Identifier: Apache-2.0
//
// device.threads.1: a device thread may be assumed to terminate. The loops here access only automatic objects and call
// nothing, so the threads make progress only because they terminate, each after another number of steps. The grid must
// end, with the number of steps of each thread. The text names the clause and has no example of it.
#include "example.hpp"

using namespace execution_model;

/// Returns the number of Collatz steps from n to 1.
static __host__ __device__ int steps_from(unsigned n) {
  int steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

constexpr int blocks = 3, threads = 64;

static __global__ void count_steps(int* steps) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  steps[i] = steps_from(unsigned(i) + 1);
}

static end run() {
  begin();
  int* on_device = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&on_device), sizeof(int) * blocks * threads));
  CUDA_MUST(cudaMemset(on_device, 0xff, sizeof(int) * blocks * threads));
  count_steps<<<blocks, threads>>>(on_device);
  CUDA_MUST(cudaDeviceSynchronize());
  int found[blocks * threads];
  CUDA_MUST(cudaMemcpy(found, on_device, sizeof found, cudaMemcpyDeviceToHost));
  for (int i = 0; i < blocks * threads; ++i)
    if (found[i] != steps_from(unsigned(i) + 1)) return end::wrong;
  return end::right;
}

static example const here("device.threads.1", outcome::ends, "the threads terminate", run);
