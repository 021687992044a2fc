// SPDX-License-Identifier: Apache-2.0
//
// ported: the code of the page "Porting from libcu++". It is a program for libcu++ with one more line.
// [line]
#include <cudax/as_cuda.hpp> // the only new line; before all other headers

#include <cuda/atomic>
#include <cuda/barrier>
// [/line]

// [kernel]
__global__ void rotate(int* values, cuda::atomic<int, cuda::thread_scope_device>* rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  if (threadIdx.x == 0) init(&all, blockDim.x);
  __syncthreads();
  int const mine = values[threadIdx.x];
  all.arrive_and_wait();
  values[(threadIdx.x + 1) % blockDim.x] = mine;
  if (threadIdx.x == 0) rounds->fetch_add(1, cuda::memory_order_relaxed);
}
// [/kernel]

bool run_ported() {
  struct {
    int* values;
    cuda::atomic<int, cuda::thread_scope_device>* rounds;
  } on_device;
  if (cudaMallocManaged(&on_device.values, 32 * sizeof(int)) != cudaSuccess) return false;
  if (cudaMallocManaged(&on_device.rounds, sizeof *on_device.rounds) != cudaSuccess) return false;
  for (int i = 0; i < 32; ++i) on_device.values[i] = i;
  new (on_device.rounds) cuda::atomic<int, cuda::thread_scope_device>(0);
  rotate<<<1, 32>>>(on_device.values, on_device.rounds);
  return cudaDeviceSynchronize() == cudaSuccess && on_device.values[0] == 31 && on_device.rounds->load() == 1;
}
