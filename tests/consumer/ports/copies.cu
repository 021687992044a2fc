// SPDX-License-Identifier: Apache-2.0
//
// copies: kernels for libcu++ that use its barriers, pipelines and copies, with the calls of the CUDA Programming
// Guide ("Asynchronous Barriers", "Pipelines", "Asynchronous Data Copies") and of cuda-samples, beside cooperative
// groups, Thrust, CUB and cuRAND. The first two lines make it a program for this library. With LIBCUXX it is compiled
// with libcu++, which checks that the program is valid there.
#if !defined(LIBCUXX)
#include <cudax/as_cuda.hpp>
#endif

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>
#include <cuda/std/span>

#include <cub/block/block_reduce.cuh>
#include <curand_kernel.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstdio>
#include <thread>
#include <utility>

namespace cg = cooperative_groups;

#if defined(LIBCUXX)
// Only compiled: libcu++'s objects have constructors, and clang, unlike nvcc, then rejects __shared__.
#undef __shared__
#define __shared__
#endif

constexpr int threads = 64;
constexpr int batches = 8;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// --- barriers --------------------------------------------------------------------------------------------------------

// Arriving and waiting are two steps, between which a thread works on its own data.
__global__ void split_arrival(int const* in, int* out) {
  __shared__ block_barrier bar;
  __shared__ int partial[threads / 32];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();

  auto const warp = cg::tiled_partition<32>(block);
  int const sum = cg::reduce(warp, in[block.thread_rank()], cg::plus<int>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  block_barrier::arrival_token token = bar.arrive();
  int own = in[block.thread_rank()] * 2;
  bar.wait(std::move(token));
  for (int each : partial) own += each;
  out[block.thread_rank()] = own;
}

// One warp fills two buffers in turn, the other reads them. Each buffer has a barrier for "ready to fill" and one for
// "filled".
__global__ void specialised_warps(int const* in, int* out) {
  __shared__ int buffer[2][32];
  __shared__ block_barrier ready[2], filled[2];
  if (threadIdx.x < 2) {
    init(ready + threadIdx.x, blockDim.x);
    init(filled + threadIdx.x, blockDim.x);
  }
  __syncthreads();
  int const lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < batches; ++i) {
      ready[i % 2].arrive_and_wait();
      buffer[i % 2][lane] = in[i * 32 + lane];
      block_barrier::arrival_token token = filled[i % 2].arrive();
      (void)token;
    }
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    int sum = 0;
    for (int i = 0; i < batches; ++i) {
      filled[i % 2].arrive_and_wait();
      sum += buffer[i % 2][lane];
      (void)ready[i % 2].arrive();
    }
    out[lane] = sum;
  }
}

// A completion that adds up what the threads have stored, and threads that leave early.
struct add_up {
  int* values;
  int* total;
  __host__ __device__ void operator()() {
    int sum = 0;
    for (int i = 0; i < threads; ++i) sum += values[i];
    *total += sum;
  }
};
using adding_barrier = cuda::barrier<cuda::thread_scope_block, add_up>;
__global__ void completion(int const* in, int* out) {
  __shared__ alignas(adding_barrier) unsigned char storage[sizeof(adding_barrier)];
  __shared__ int values[threads], total;
  auto& bar = *reinterpret_cast<adding_barrier*>(storage);
  if (threadIdx.x == 0) {
    total = 0;
    init(&bar, blockDim.x, add_up{values, &total});
  }
  values[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < batches; ++i) {
    if (i == 4 && threadIdx.x == 1) {
      bar.arrive_and_drop();
      return;
    }
    values[threadIdx.x] = in[threadIdx.x] + i;
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = total;
}

// Waiting by parity, for a limited time, and through the native handle.
__global__ void limited_waits(int* out) {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  (void)bar.arrive();
  bar.wait_parity(false);
  auto token = bar.arrive();
  while (!bar.try_wait_for(std::move(token), cuda::std::chrono::microseconds(10))) {}
  (void)bar.arrive();
  while (!bar.try_wait_parity_for(false, cuda::std::chrono::microseconds(10))) {}
  out[threadIdx.x] = cuda::device::barrier_native_handle(bar) != nullptr;
}

// --- copies that a barrier awaits ------------------------------------------------------------------------------------

__global__ void collective_copy(int const* in, int* out) {
  __shared__ int tile[threads];
  __shared__ block_barrier bar;
  auto const block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  for (int i = 0; i < batches; ++i) {
    cuda::memcpy_async(block, tile, in + i * threads, cuda::aligned_size_t<4>(sizeof(int) * block.size()), bar);
    bar.arrive_and_wait();
    out[i * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x];
    bar.arrive_and_wait();
  }
}

__global__ void copies_by_each_thread(int const* in, int* out) {
  __shared__ int tile[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % threads];
}

// A bulk copy: one thread copies, and the barrier awaits its bytes.
__global__ void bulk_copy(int const* in, int* out) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(16) int tile[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[(threadIdx.x + 1) % threads];
#else
  out[threadIdx.x] = in[(threadIdx.x + 1) % threads];
#endif
}

// --- pipelines -------------------------------------------------------------------------------------------------------

// All threads produce and consume; Stages copies are in flight.
template <int Stages>
__global__ void staged(int const* in, int* out) {
  __shared__ int tile[Stages][threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  auto const block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int i = 0; i < batches; ++i) {
    for (; fetched < batches && fetched < i + Stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % Stages], in + fetched * threads, sizeof(int) * threads, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    block.sync();
    out[i * threads + threadIdx.x] = tile[i % Stages][threads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

// Half of the threads produce, half consume.
__global__ void roles(int const* in, int* out) {
  __shared__ int tile[2][threads / 2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto const block = cg::this_thread_block();
  bool const produces = block.thread_rank() < threads / 2;
  auto pipe =
      cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int const rank = threadIdx.x % (threads / 2);
  if (produces) {
    for (int i = 0; i < batches; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % 2][rank], &in[i * threads / 2 + rank], sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < batches; ++i) {
      pipe.consumer_wait();
      out[i * threads / 2 + rank] = tile[i % 2][threads / 2 - 1 - rank];
      pipe.consumer_release();
    }
  }
}

// A thread's own pipeline; the first copy is awaited while the second is in flight.
__global__ void own_pipeline(int const* in, int* out) {
  __shared__ int tile[2][threads];
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 2; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[i][threadIdx.x], &in[i * threads + threadIdx.x], cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  int const first = tile[0][threadIdx.x];
  pipe.consumer_release();
  pipe.consumer_wait();
  out[threadIdx.x] = first * 1000 + tile[1][threadIdx.x];
  pipe.consumer_release();
}

// --- atomics, latches, semaphores; other libraries that use them -----------------------------------------------------

struct shared_by_grid {
  cuda::atomic<int, cuda::thread_scope_device> device{0};
  cuda::std::atomic<int> system{0};
  cuda::std::atomic_flag flag = LIBCUDACXX_ATOMIC_FLAG_INIT;
  cuda::latch<cuda::thread_scope_device> begun{2};
  cuda::counting_semaphore<cuda::thread_scope_device, 4> permits{1};
  cuda::std::binary_semaphore binary{1};
  int guarded = 0, twice = 0, reduced = 0;
  int random_are_different = 0;
};

__global__ void others(int const* in, shared_by_grid* s) {
  if (threadIdx.x == 0) s->begun.arrive_and_wait();
  auto const block = cg::this_thread_block();
  auto const warp = cg::tiled_partition<32>(block);
  // Cooperative groups update an atomic of namespace cuda.
  cg::reduce_update_async(warp, s->device, in[threadIdx.x], cg::plus<int>());
  cuda::std::atomic_fetch_add_explicit(&s->system, 1, cuda::std::memory_order_relaxed);
  if (s->flag.test_and_set(cuda::std::memory_order_relaxed)) cuda::std::atomic_ref<int>(s->twice).fetch_add(1);
  if (threadIdx.x == 0) {
    s->permits.acquire();
    ++s->guarded;
    s->permits.release();
    s->binary.acquire();
    ++s->guarded;
    s->binary.release();
  }
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  cuda::std::atomic_thread_fence(cuda::std::memory_order_seq_cst);

  using reduce = cub::BlockReduce<int, threads>;
  __shared__ typename reduce::TempStorage storage;
  int const sum = reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0 && sum == thrust::reduce(thrust::seq, in, in + threads))
    cuda::atomic_ref<int, cuda::thread_scope_device>(s->reduced)++;
  curandStatePhilox4_32_10_t random;
  curand_init(1234, threadIdx.x, 0, &random);
  if (curand(&random) != curand(&random)) cuda::std::atomic_ref<int>(s->random_are_different).fetch_or(1);
}

// --- the host --------------------------------------------------------------------------------------------------------

bool right_on_host() {
  int sum = 0, payload = 0;
  cuda::std::atomic_int count = 0;
  cuda::std::latch done(2);
  cuda::std::counting_semaphore<10> available(0);
  cuda::std::barrier<> phase(2);
  cuda::atomic<bool, cuda::thread_scope_system> ready{false};
  auto const work = [&](int value) {
    count.fetch_add(value, cuda::std::memory_order_relaxed);
    phase.arrive_and_wait();
    done.count_down();
  };
  std::thread first(work, 1), second(work, 2), third([&] {
    payload = 7;
    ready.store(true, cuda::std::memory_order_release);
    ready.notify_all();
    available.release(3);
  });
  done.wait();
  for (int i = 0; i < 3; ++i) available.acquire();
  ready.wait(false, cuda::memory_order_acquire);
  sum = payload + count.load();
  first.join(), second.join(), third.join();
  cuda::std::span<int> const view(&sum, 1);
  return view[0] == 10;
}

int wrong = 0;
template <class Expected>
void check(char const* what, int const* out, int size, Expected expected) {
  if (cudaError_t const error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    ++wrong;
    return;
  }
  for (int i = 0; i < size; ++i)
    if (out[i] != expected(i)) {
      std::printf("%s: out[%d] is %d, not %d\n", what, i, out[i], expected(i));
      ++wrong;
      return;
    }
}

int main() {
  if (!right_on_host()) {
    std::printf("wrong on the host\n");
    return 1;
  }
  int devices = 0;
  if (cudaError_t const error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
    std::printf("skipped: the kernels: %s\n", cudaGetErrorString(error));
    return 0;
  }
  int *in = nullptr, *out = nullptr;
  shared_by_grid* s = nullptr;
  if (cudaMallocManaged(&in, batches * threads * sizeof(int)) != cudaSuccess ||
      cudaMallocManaged(&out, batches * threads * sizeof(int)) != cudaSuccess ||
      cudaMallocManaged(&s, sizeof *s) != cudaSuccess)
    return 1;
  new (s) shared_by_grid;
  for (int i = 0; i < batches * threads; ++i) in[i] = i;
  int const sum = threads * (threads - 1) / 2;

  split_arrival<<<1, threads>>>(in, out);
  check("split_arrival", out, threads, [=](int i) { return i * 2 + sum; });
  specialised_warps<<<1, threads>>>(in, out);
  check("specialised_warps", out, 32, [](int i) { return batches * i + 32 * batches * (batches - 1) / 2; });
  completion<<<1, threads>>>(in, out);
  // Thread 1 leaves in phase 4, and its value of phase 3 stays.
  int total = 0;
  for (int i = 0; i < batches; ++i) total += sum - 1 + (threads - 1) * i + 1 + (i < 4 ? i : 3);
  check("completion", out, 1, [=](int) { return total; });
  limited_waits<<<1, threads>>>(out);
  check("limited_waits", out, threads, [](int) { return 1; });
  collective_copy<<<1, threads>>>(in, out);
  auto const turned = [](int i) { return i / threads * threads + threads - 1 - i % threads; };
  check("collective_copy", out, batches * threads, turned);
  copies_by_each_thread<<<1, threads>>>(in, out);
  auto const next = [](int i) { return (i + 1) % threads; };
  check("copies_by_each_thread", out, threads, next);
  bulk_copy<<<1, threads>>>(in, out);
  check("bulk_copy", out, threads, next);
  staged<1><<<1, threads>>>(in, out);
  check("staged<1>", out, batches * threads, turned);
  staged<3><<<1, threads>>>(in, out);
  check("staged<3>", out, batches * threads, turned);
  roles<<<1, threads>>>(in, out);
  constexpr int half = threads / 2;
  check("roles", out, batches * half, [](int i) { return i / half * half + half - 1 - i % half; });
  own_pipeline<<<1, threads>>>(in, out);
  check("own_pipeline", out, threads, [](int i) { return i * 1000 + threads + i; });
  others<<<2, threads>>>(in, s);
  check("others", &s->guarded, 1, [](int) { return 4; });
  check("others: reduce_update_async", s->device.load() == 2 * sum ? &s->guarded : &wrong, 1, [](int) { return 4; });
  check("others: atomics", &s->twice, 1, [](int) { return 2 * threads - 1; });
  check("others: libraries", &s->reduced, 1, [](int) { return 2; });
  if (s->system.load() != 2 * threads || s->random_are_different != 1) ++wrong;
  std::printf("the ported kernels are %s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
