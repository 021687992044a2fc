// SPDX-License-Identifier: Apache-2.0
//
// documented_barriers: Guide, "Asynchronous Barriers"; libcu++, cuda::barrier.
#pragma once

#include "documented.hpp"

// Phases by token; no cooperative groups.
__global__ void phases(int const* in, int* out) {
  __shared__ int shared[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < batches; ++i) {
    shared[threadIdx.x] = in[i * threads + threadIdx.x];
    block_barrier::arrival_token token = bar.arrive();
    sum += i;
    bar.wait(cuda::std::move(token));
    sum += shared[threads - 1 - threadIdx.x];
    bar.wait(bar.arrive(1));
  }
  out[threadIdx.x] = sum;
}

// The parity of the phase instead of a token: by the barrier, and by cuda::ptx with the native handle.
__global__ void explicit_parity(int const* in, int* out) {
  __shared__ int shared[threads];
  __shared__ block_barrier bar;
  auto const block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  bool parity = false;
  int sum = 0;
  for (int i = 0; i < batches; ++i) {
    shared[threadIdx.x] = in[i * threads + threadIdx.x];
    (void)bar.arrive();
    if (i % 2 == 0) {
      bar.wait_parity(parity);
    } else {
#if COUNTS_BYTES
      while (!cuda::ptx::mbarrier_try_wait_parity(cuda::device::barrier_native_handle(bar), parity)) {}
#else
      while (!bar.try_wait_parity_for(parity, cuda::std::chrono::nanoseconds(1000))) {}
#endif
    }
    parity = !parity;
    sum += shared[threads - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Threads leave one after the other; the barrier expects fewer. Each counts the rounds that it has passed together with
// all threads that remain.
__global__ void early_exit(int* out) {
  __shared__ block_barrier bar;
  __shared__ int round[threads];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int passed = 0;
  for (int remain = threads; remain > 0; --remain) {
    if (threadIdx.x == unsigned(remain - 1)) {
      (void)bar.arrive_and_drop();
      break;
    }
    round[threadIdx.x] = remain;
    bar.arrive_and_wait();
    bool together = true;
    for (int i = 0; i < remain - 1; ++i) together &= round[i] == remain;
    passed += together;
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = passed;
}

// A completion with references to the block's variables, constructed in raw storage.
template <bool ByInit>
__global__ void completion_function(int const* in, int* out) {
  __shared__ int partial[threads], total;
  auto const block = cg::this_thread_block();
  auto add_up = [&] {
    int sum = 0;
    for (int each : partial) sum += each;
    total = sum;
  };
  using barrier_t = cuda::barrier<cuda::thread_scope_block, decltype(add_up)>;
  __shared__ std::aligned_storage_t<sizeof(barrier_t), alignof(barrier_t)> storage; // without _t it would be empty
  barrier_t* const bar = (barrier_t*)&storage;
  if (block.thread_rank() == 0) {
    if constexpr (ByInit) init(bar, block.size(), add_up);
    else new (bar) barrier_t{block.size(), add_up};
  }
  block.sync();
  for (int i = 0; i < batches; ++i) {
    partial[threadIdx.x] = in[i * threads + threadIdx.x];
    auto token = bar->arrive();
    bar->wait(cuda::std::move(token));
    out[i * threads + threadIdx.x] = total;
  }
}

// One warp fills two buffers, the others empty them. The guide's barriers are an array: two of each kind.
template <class Barrier>
__device__ void produce(Barrier* ready, Barrier* filled, int (*buffer)[threads], int const* in) {
  for (int i = 0; i < batches; ++i) {
    ready[i % 2].arrive_and_wait();
    for (int k = threadIdx.x; k < threads; k += 32) buffer[i % 2][k] = in[i * threads + k];
    (void)filled[i % 2].arrive();
  }
}
template <class Barrier>
__device__ void consume(Barrier* ready, Barrier* filled, int (*buffer)[threads], int* out) {
  (void)ready[0].arrive();
  (void)ready[1].arrive();
  for (int i = 0; i < batches; ++i) {
    filled[i % 2].arrive_and_wait();
    for (int k = threadIdx.x - 32; k < threads; k += blockDim.x - 32)
      out[i * threads + k] = buffer[i % 2][threads - 1 - k];
    (void)ready[i % 2].arrive();
  }
}
__global__ void producers_and_consumers(int const* in, int* out) {
  __shared__ int buffer[2][threads];
  __shared__ block_barrier bar[4];
  if (threadIdx.x < 4) init(bar + threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32) produce(bar, bar + 2, buffer, in);
  else consume(bar, bar + 2, buffer, out);
}

// Barriers of every scope, as local objects and in global memory: one of device scope makes two blocks meet.
__device__ cuda::barrier<cuda::thread_scope_device>* of_grid;
__global__ void make_barrier(void* memory) {
  of_grid = new (memory) cuda::barrier<cuda::thread_scope_device>(2 * threads);
}
__global__ void scopes(int* out) {
  cuda::barrier<cuda::thread_scope_system> a(1);
  cuda::std::barrier<> b(1);
  cuda::barrier<cuda::thread_scope_thread> c(1);
  a.arrive_and_wait(), b.arrive_and_wait(), c.arrive_and_wait();
  out[threads + blockIdx.x * threads + threadIdx.x] = int(blockIdx.x) + 1;
  of_grid->arrive_and_wait();
  out[(1 - blockIdx.x) * threads * 3 + threadIdx.x] = out[threads + (1 - blockIdx.x) * threads + threadIdx.x];
}

// The native handle, for PTX.
__global__ void native_handle(int* out) {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, 2 * blockDim.x);
  __syncthreads();
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  auto const handle = cuda::device::barrier_native_handle(bar);
  asm volatile("mbarrier.arrive.b64 _, [%0];" : : "l"(handle) : "memory");
#else
  (void)bar.arrive(); // no mbarrier
#endif
  bar.arrive_and_wait();
  out[threadIdx.x] = 1;
}

inline void run_barriers(arrays const& a) {
  auto const& [in, in1, out, doubles, words, memory] = a;
  phases<<<1, threads>>>(in, out);
  check("phases", out, threads, [=](int i) { return column(i) + batches * (batches - 1) / 2; });
  explicit_parity<<<1, threads>>>(in, out);
  check("explicit_parity", out, threads, column);
  early_exit<<<1, threads>>>(out);
  check("early_exit", out, threads, [](int i) { return threads - 1 - i; });
  auto const row = [](int i) { return threads * (threads - 1) / 2 + i / threads * threads * threads; };
  completion_function<false><<<1, threads>>>(in, out);
  check("completion_function", out, count, row);
  completion_function<true><<<1, threads>>>(in, out);
  check("completion_function by init", out, count, row);
  producers_and_consumers<<<1, 3 * 32>>>(in, out);
  check("producers_and_consumers", out, count, turned);
  make_barrier<<<1, 1>>>(memory);
  scopes<<<2, threads>>>(out);
  check("scopes", out, 4 * threads, [](int i) { return i < threads ? 1 : i / threads == 3 ? 2 : i / threads; });
  native_handle<<<1, threads>>>(out);
  check("native_handle", out, threads, [](int) { return 1; });
}
