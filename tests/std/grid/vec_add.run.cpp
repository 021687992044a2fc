// SPDX-License-Identifier: Apache-2.0
//
// The vector addition from libcu++'s documentation of for_each_canceled_block, written as a program would write it:
// with cancelled blocks, and with a work_queue on a chosen number of blocks.
#include "support/test.hpp"
import cudax.sync;
#include "stealing.hpp"

using namespace cudax_test;

#if defined(__CUDA__)

static __global__ void add_canceled(int const* a, int const* b, int* c, int n) {
  cudax::device::for_each_canceled_block<1>([=](dim3 block) {
    int const i = threadIdx.x + block.x * blockDim.x;
    if (i < n) c[i] += a[i] + b[i];
  });
}

static __global__ void add_queued(cudax::work_queue<1> queue, int const* a, int const* b, int* c, int n) {
  for_each(queue, [=](dim3 block) {
    int const i = threadIdx.x + block.x * blockDim.x;
    if (i < n) c[i] += a[i] + b[i];
  });
}

template <class T>
static T* managed(int count) {
  void* at = nullptr;
  CUDA_MUST(cudaMallocManaged(&at, count * sizeof(T)));
  return static_cast<T*>(at);
}

static void check_sums(bool queued, context& test_) {
  constexpr int n = 10'000, threads = 256, blocks = (n + threads - 1) / threads;
  int *const a = managed<int>(n), *const b = managed<int>(n), *const c = managed<int>(n);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 1, c[i] = 0;
  auto* const taken = managed<unsigned long long>(1);
  *taken = 0;
  if (queued) add_queued<<<3, threads>>>(cudax::work_queue(taken, blocks), a, b, c, n);
  else add_canceled<<<blocks, threads>>>(a, b, c, n);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != 1 + i;
  CHECK_EQUAL(wrong, 0);
  for (void* at : {(void*)a, (void*)b, (void*)c, (void*)taken}) cudaFree(at);
}

DEVICE_TEST("vectors are added by cancelled blocks") { check_sums(false, test_); }
DEVICE_TEST("vectors are added by a queue") { check_sums(true, test_); }

#endif

HOST_TEST("vectors are added on the host") {
  constexpr int n = 1000, threads = 256, blocks = (n + threads - 1) / threads;
  int c[n];
  for (int i = 0; i < n; ++i) c[i] = 0;
  unsigned long long taken = 0;
  for_each(cudax::work_queue(&taken, blocks), [&](cudax::block_index block) {
    for (int thread = 0; thread < threads; ++thread)
      if (int const i = thread + int(block.x) * threads; i < n) c[i] += i + 1;
  });
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != i + 1;
  CHECK_EQUAL(wrong, 0);
}
