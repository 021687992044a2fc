// SPDX-License-Identifier: Apache-2.0
//
// documented: a program for each example that the documentation of libcu++ and the CUDA Programming Guide have for
// asynchronous barriers, copies that complete on a barrier, and pipelines. Each uses the calls of its example in the
// same way. copies.cu has more. The first include makes them programs for this library. With LIBCUXX they are
// compiled with libcu++, which checks that the programs are valid there.
#if !defined(LIBCUXX)
#include <cudax/as_cuda.hpp>
#endif

#include <cooperative_groups.h>
#include <cuda/annotated_ptr>
#include <cuda/barrier> // includes <cuda/ptx> and cuda::std::move, in libcu++
#include <cuda/pipeline>

#include <cstdint>
#include <cstdio>
#include <new>
#include <type_traits>

namespace cg = cooperative_groups;

#if defined(LIBCUXX)
// Only compiled: libcu++'s objects have constructors, and clang, unlike nvcc, then rejects __shared__.
#undef __shared__
#define __shared__
#endif

// The functions that count bytes need sm_90; so their kernels are empty before, and are not launched.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define COUNTS_BYTES 1
#else
#define COUNTS_BYTES 0
#endif
// Clusters of cooperative groups: with libcu++ alone, clang's have none.
#if COUNTS_BYTES && defined(_CG_HAS_CLUSTER_GROUP)
#define CLUSTERS 1
#else
#define CLUSTERS 0
#endif

constexpr int threads = 64;
constexpr int batches = 6;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// A group that is none of cooperative groups.
struct own_block {
  __device__ unsigned size() const { return blockDim.x; }
  __device__ unsigned thread_rank() const { return threadIdx.x; }
  __device__ void sync() const { __syncthreads(); }
};

// --- Guide, "Asynchronous Barriers"; libcu++, cuda::barrier ----------------------------------------------------------

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

// --- libcu++, cuda::memcpy_async, cuda::aligned_size_t; annotated pointers -------------------------------------------

// Single bytes, which a barrier of system scope that is a local object awaits.
__global__ void single_bytes(char const* in, int* out) {
  __shared__ char bytes[4 * threads];
  char* const mine = bytes + 4 * threadIdx.x;
  cuda::barrier<cuda::thread_scope_system> bar;
  init(&bar, 1);
  cuda::memcpy_async(mine, in, 1, bar);
  cuda::memcpy_async(mine + 1, in + 8, 1, bar);
  cuda::memcpy_async(mine + 2, in + 16, 1, bar);
  cuda::memcpy_async(mine + 3, in + 24, 1, bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = mine[0] + mine[1] + mine[2] + mine[3];
}

// Two arrays of different types by a group, which is any type with the members of a group.
template <class Group>
__global__ void group_copies(int const* in1, double const* in2, int* out) {
  __shared__ alignas(16) int tile1[threads];
  __shared__ alignas(16) double tile2[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  Group const group = [] {
    if constexpr (std::is_same_v<Group, own_block>) return own_block();
    else return cg::this_thread_block();
  }();
  cuda::memcpy_async(group, tile1, in1, cuda::aligned_size_t<16>(sizeof(tile1)), bar);
  cuda::memcpy_async(group, tile2, in2, cuda::aligned_size_t<16>(sizeof(tile2)), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile1[threads - 1 - threadIdx.x] + int(tile2[threadIdx.x]);
}

// Pointers to void, with and without an alignment.
__global__ void untyped(void* to1, void* to2, void* from, std::size_t size) {
  static_assert(cuda::aligned_size_t<16>::align == 16);
  cuda::barrier<cuda::thread_scope_system> bar;
  init(&bar, 1);
  cuda::memcpy_async(to1, from, size, bar);
  cuda::memcpy_async(to2, from, cuda::aligned_size_t<16>(size), bar);
  bar.arrive_and_wait();
}

// Access properties, and copies from and to annotated pointers, which are libcu++'s.
__global__ void annotated(int* in, int* out) {
  cuda::access_property const persisting(cuda::access_property::persisting{});
  cuda::annotated_ptr<int, cuda::access_property> const from(in, persisting), to(out, persisting);
  cuda::apply_access_property(in + threadIdx.x, sizeof(int), cuda::access_property::persisting{});
  auto const streamed = cuda::associate_access_property(in, cuda::access_property::streaming{});
  cuda::barrier<cuda::thread_scope_system> bar;
  init(&bar, 1);
  if (threadIdx.x == 0) {
    cuda::memcpy_async(to, from, threads / 2 * sizeof(int), bar);
    cuda::memcpy_async(out + threads / 2, from, threads / 2 * sizeof(int), bar);
  }
  bar.arrive_and_wait();
  out[threads + threadIdx.x] = streamed[threadIdx.x];
}

// --- libcu++, cuda::device::memcpy_async_tx, barrier_arrive_tx, barrier_expect_tx ------------------------------------

// Every thread arrives with its bytes, which is none for all but one.
__global__ void arrive_with_bytes([[maybe_unused]] int const* in1, [[maybe_unused]] double const* in2,
                                  [[maybe_unused]] int* out) {
#if COUNTS_BYTES
  __shared__ alignas(16) int tile1[threads];
  __shared__ alignas(16) double tile2[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  bool const elected = threadIdx.x == 0;
  if (elected) {
    cuda::device::memcpy_async_tx(tile1, in1, cuda::aligned_size_t<16>(threads * sizeof(int)), bar);
    cuda::device::memcpy_async_tx(tile2, in2, cuda::aligned_size_t<16>(threads * sizeof(double)), bar);
  }
  int const bytes = elected ? threads * (sizeof(int) + sizeof(double)) : 0;
  auto token = cuda::device::barrier_arrive_tx(bar, 1, bytes);
  bar.wait(cuda::std::move(token));
  out[threadIdx.x] = tile1[threads - 1 - threadIdx.x] + int(tile2[threadIdx.x]);
#endif
}

// A phase that counts bytes, but expects none.
__global__ void arrive_without_bytes([[maybe_unused]] int* out) {
#if COUNTS_BYTES
  __shared__ block_barrier bar;
  __shared__ int values[threads];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  auto token = cuda::device::barrier_arrive_tx(bar, 1, 0);
  bar.wait(cuda::std::move(token));
  out[threadIdx.x] = values[threads - 1 - threadIdx.x];
#endif
}

// Only the leader arrives; the others wait for the parity.
__global__ void leader_arrives([[maybe_unused]] int const* in1, [[maybe_unused]] double const* in2,
                               [[maybe_unused]] int* out) {
#if COUNTS_BYTES
  __shared__ alignas(16) int tile1[threads];
  __shared__ alignas(16) double tile2[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    cuda::device::memcpy_async_tx(tile1, in1, cuda::aligned_size_t<16>(threads * sizeof(int)), bar);
    cuda::device::memcpy_async_tx(tile2, in2, cuda::aligned_size_t<16>(threads * sizeof(double)), bar);
    (void)cuda::device::barrier_arrive_tx(bar, 1, threads * (sizeof(int) + sizeof(double)));
  }
  __syncthreads();
  bar.wait_parity(0);
  out[threadIdx.x] = tile1[threads - 1 - threadIdx.x] + int(tile2[threadIdx.x]);
#endif
}

// The bytes are expected after the copy has begun, and the arrival is separate.
__device__ alignas(16) int global_numbers[threads];
__global__ void expect_then_arrive(int const* in, [[maybe_unused]] int* out) {
  global_numbers[threadIdx.x] = in[threadIdx.x];
  __threadfence();
#if COUNTS_BYTES
  __shared__ alignas(16) int tile[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  cuda::ptx::fence_proxy_async(); // the threads have written what the copy reads
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, global_numbers, cuda::aligned_size_t<16>(sizeof(tile)), bar);
    cuda::device::barrier_expect_tx(bar, sizeof(tile));
  }
  auto token = bar.arrive(1);
  bar.wait(cuda::std::move(token));
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x] + 1;
#endif
}

// Guide, "Using TMA to transfer one-dimensional arrays": a bulk copy in, a change, a bulk copy out by cuda::ptx.
__global__ void bulk_in_and_out([[maybe_unused]] int const* in, [[maybe_unused]] int* out) {
#if COUNTS_BYTES
  namespace ptx = cuda::ptx;
  __shared__ alignas(128) int tile[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), bar);
    token = bar.arrive();
  } else {
    token = bar.arrive();
  }
  bar.wait(cuda::std::move(token));
  tile[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof(tile));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
#endif
}

// As above, by the functions that the guide of CUDA 12 uses.
__global__ void bulk_experimental([[maybe_unused]] int const* in, [[maybe_unused]] int* out) {
#if COUNTS_BYTES
  namespace cde = cuda::device::experimental;
  __shared__ alignas(128) int tile[threads];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(tile, in, sizeof(tile), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(cuda::std::move(token));
  tile[threadIdx.x] += 2;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(out, tile, sizeof(tile));
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
    (&bar)->~barrier();
  }
#endif
}

// As above, but the copy in is of cuda::ptx, too, and completes at the native handle of the barrier.
__global__ void bulk_in_by_ptx([[maybe_unused]] int const* in, [[maybe_unused]] int* out) {
#if COUNTS_BYTES
  namespace ptx = cuda::ptx;
  __shared__ alignas(128) int tile[threads];
  __shared__ block_barrier bar;
  auto const handle = cuda::device::barrier_native_handle(bar);
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  std::uint64_t token;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof(tile), handle);
    token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, handle, sizeof(tile));
  } else {
    token = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, handle);
  }
  while (!ptx::mbarrier_try_wait(handle, token)) {}
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
#endif
}

// libcu++, "st.async": the blocks of a pair store to each other's shared memory, and complete at its barrier.
__global__ void remote_stores([[maybe_unused]] int* out) {
#if CLUSTERS
  using namespace cuda::ptx;
  cg::cluster_group const cluster = cg::this_cluster();
  __shared__ alignas(16) int received[4];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  cluster.sync();
  unsigned const other = cluster.block_rank() ^ 1;
  std::uint64_t* const handle = cuda::device::barrier_native_handle(bar);
  std::uint64_t* const remote_bar = cluster.map_shared_rank(handle, other);
  int* const remote = cluster.map_shared_rank(&received[0], other);
  std::uint64_t token;
  if (threadIdx.x == 0)
    token = mbarrier_arrive_expect_tx(sem_release, scope_cluster, space_shared, handle, sizeof(received));
  else token = mbarrier_arrive(sem_release, scope_cluster, space_shared, handle);
  if (threadIdx.x == 0) st_async(remote, {int(cluster.block_rank()), 2, 3, 4}, remote_bar);
  while (!mbarrier_try_wait(sem_acquire, scope_cluster, handle, token)) {}
  out[blockIdx.x * threads + threadIdx.x] = received[0] * 1000 + received[1] + received[2] + received[3];
  cluster.sync(); // neither block exits before its stores are complete
#endif
}

// Guide, "Distributed Shared Memory": each block adds to counters in all blocks of its cluster.
__global__ void cluster_counters([[maybe_unused]] int* out) {
#if CLUSTERS
  __shared__ int counter;
  cg::cluster_group const cluster = cg::this_cluster();
  if (threadIdx.x == 0) counter = 0;
  cluster.sync();
  for (unsigned i = 0; i < cluster.num_blocks(); ++i) atomicAdd(cluster.map_shared_rank(&counter, i), 1);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = counter;
#endif
}

// --- Guide, "Pipelines"; libcu++, cuda::pipeline ---------------------------------------------------------------------

// Two arrays, two stages in dynamic shared memory; priming, a loop, and draining.
template <class Group>
__device__ void two_arrays(Group const& group, int* in0, int* in1, int* out) {
  extern __attribute__((shared)) int dynamic[]; // __shared__, also with LIBCUXX
  int* const shared[2] = {dynamic, dynamic + 2 * group.size()};
  auto const compute = [&](int const* from, int i) {
    group.sync();
    out[i * threads + threadIdx.x] = from[threads - 1 - threadIdx.x] + 1000 * from[threads + threadIdx.x];
    group.sync();
  };
  constexpr auto scope = cuda::thread_scope_block;
  constexpr auto stages_count = 2;
  __shared__ cuda::pipeline_shared_state<scope, stages_count> state;
  auto pipeline = cuda::make_pipeline(group, &state);
  pipeline.producer_acquire();
  cuda::memcpy_async(group, shared[0], &in0[0], sizeof(int) * group.size(), pipeline);
  cuda::memcpy_async(group, shared[0] + group.size(), &in1[0], sizeof(int) * group.size(), pipeline);
  pipeline.producer_commit();
  for (int i = 1; i < batches; ++i) {
    pipeline.producer_acquire();
    cuda::memcpy_async(group, shared[i % 2], &in0[i * group.size()], sizeof(int) * group.size(), pipeline);
    cuda::memcpy_async(group, shared[i % 2] + group.size(), &in1[i * group.size()], sizeof(int) * group.size(),
                       pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    compute(shared[(i - 1) % 2], i - 1);
    pipeline.consumer_release();
  }
  pipeline.consumer_wait();
  compute(shared[(batches - 1) % 2], batches - 1);
  pipeline.consumer_release();
}
__global__ void two_arrays_of_cooperative_groups(int* in0, int* in1, int* out) {
  two_arrays(cg::this_thread_block(), in0, in1, out);
}
__global__ void two_arrays_of_own_group(int* in0, int* in1, int* out) { two_arrays(own_block(), in0, in1, out); }

// Roles by count, and by the parity of the rank within each warp. The threads end by quit().
template <bool ByCount>
__global__ void partitioned(int const* in, int* out) {
  constexpr int half = threads / 2, stages = 2;
  __shared__ int tile[stages][half];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int released;
  auto const block = cg::this_thread_block();
  if (threadIdx.x == 0) released = 0;
  unsigned const rank = ByCount ? block.thread_rank() % half : block.thread_rank() / 2;
  bool const produces = ByCount ? block.thread_rank() < half : block.thread_rank() % 2 != 0;
  auto const make = [&] {
    if constexpr (ByCount) {
      cuda::std::size_t const producers = block.size() / 2;
      return cuda::make_pipeline(block, &state, producers);
    } else {
      return cuda::make_pipeline(block, &state,
                                 produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    }
  };
  cuda::pipeline<cuda::thread_scope_block> pipe = make();
  if (produces) {
    for (int i = 0; i < batches; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % stages][rank], &in[i * half + rank], cuda::aligned_size_t<4>(sizeof(int)), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < batches; ++i) {
      while (!pipe.consumer_wait_for(cuda::std::chrono::microseconds(50))) {}
      out[i * half + rank] = tile[i % stages][half - 1 - rank];
      pipe.consumer_release();
    }
  }
  // True for one thread.
  if (pipe.quit()) atomicAdd(&released, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[batches * half] = released;
}

// A thread's own pipeline: all stages but the newest, then all.
__global__ void wait_prior(std::uint64_t const* in, int* out) {
  __shared__ std::uint64_t shared[threads * batches];
  std::uint64_t* const mine = shared + threadIdx.x * batches;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int i = 0; i < batches; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(mine + i, in + i, sizeof(*in), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  int sum = 0;
  for (int i = 0; i < batches - 1; ++i) sum += int(mine[i]);
  pipe.consumer_release();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[threadIdx.x] = sum + int(mine[batches - 1]);
  pipe.consumer_release();
}

// Guide, "Batching loads", "Prefetching": a window of stages, the oldest of which is waited for; empty commits at the
// end keep the count.
__global__ void prefetching(int const* in, int* out) {
  constexpr int stages = 4;
  __shared__ int window[stages][threads];
  auto pipe = cuda::make_pipeline();
  auto const fetch = [&](int i) {
    pipe.producer_acquire();
    if (i < batches)
      cuda::memcpy_async(&window[i % stages][threadIdx.x], &in[i * threads + threadIdx.x],
                         cuda::aligned_size_t<4>(sizeof(int)), pipe);
    pipe.producer_commit();
  };
  for (int i = 0; i < stages; ++i) fetch(i);
  for (int i = 0; i < batches; ++i) {
    cuda::pipeline_consumer_wait_prior<stages - 1>(pipe);
    __syncthreads();
    out[i * threads + threadIdx.x] = window[i % stages][threads - 1 - threadIdx.x];
    pipe.consumer_release();
    __syncthreads();
    fetch(i + stages);
  }
}

// Guide, "Tracking Asynchronous Memory Operations": stages of one and two copies, each waited for in turn.
__global__ void oldest_stage(int const* in, int* out) {
  __shared__ __align__(sizeof(int)) int buffer[4 * threads];
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  int* const to = buffer + threadIdx.x;
  in += threadIdx.x;
  pipeline.producer_acquire();
  cuda::memcpy_async(to, in, sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.producer_acquire();
  cuda::memcpy_async(to + threads, in + threads, sizeof(int), pipeline);
  cuda::memcpy_async(to + 2 * threads, in + 2 * threads, sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.producer_acquire();
  cuda::memcpy_async(to + 3 * threads, in + 3 * threads, sizeof(int), pipeline);
  pipeline.producer_commit();
  int const stage_of_row[] = {0, 1, 1, 2};
  for (int stage = 0; stage < 3; ++stage) {
    pipeline.consumer_wait();
    pipeline.consumer_release();
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      if (stage_of_row[i] == stage) out[i * threads + threadIdx.x] = buffer[(i + 1) * threads - 1 - threadIdx.x];
  }
}

// A barrier awaits the copies of a thread's own pipeline. The call is found by its arguments.
__global__ void commit_to_barrier(std::uint64_t const* in, int* out) {
  __shared__ std::uint64_t shared[batches];
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    for (int i = 0; i < batches; ++i) cuda::memcpy_async(shared + i, in + i, sizeof(*in), pipe);
    pipeline_producer_commit(pipe, barrier);
    barrier.arrive_and_wait();
    pipe.consumer_release();
  }
  __syncthreads();
  out[threadIdx.x] = int(shared[threadIdx.x % batches]);
}

// Shared states in shared memory, and of device and system scope in global memory.
template <class State>
__device__ int through(State* state, int const* in, int i) {
  __shared__ int tile[threads];
  auto const block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile, in, sizeof(tile), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  block.sync();
  int const value = tile[i];
  block.sync();
  pipe.consumer_release();
  block.sync();
  return value;
}
__global__ void shared_states(char* device_buffer, char* system_buffer, int const* in, int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> in_block;
  using of_device = cuda::pipeline_shared_state<cuda::thread_scope_device, 2>;
  using of_system = cuda::pipeline_shared_state<cuda::thread_scope_system, 2>;
  if (threadIdx.x == 0) {
    new (device_buffer) of_device;
    new (system_buffer) of_system;
  }
  __syncthreads();
  int const i = threads - 1 - threadIdx.x;
  out[threadIdx.x] = through(&in_block, in, i) + through(reinterpret_cast<of_device*>(device_buffer), in, i) +
                     through(reinterpret_cast<of_system*>(system_buffer), in, i);
}

// --- the host --------------------------------------------------------------------------------------------------------

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

template <class T>
T* managed(std::size_t count) {
  T* memory = nullptr;
  if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess) return nullptr;
  return memory;
}

// The examples have __cluster_dims__, which clang 22 accepts and ignores.
cudaError_t launch_pair(void (*kernel)(int*), int* out) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = threads;
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 2;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, out);
}

int main() {
  int devices = 0, major = 0;
  if (cudaError_t const error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
    std::printf("skipped: the kernels: %s\n", cudaGetErrorString(error));
    return 0;
  }
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess) return 1;
  constexpr int count = batches * threads;
  int *const in = managed<int>(count), *const in1 = managed<int>(count), *const out = managed<int>(count + 1);
  double* const doubles = managed<double>(threads);
  auto* const words = managed<std::uint64_t>(batches);
  char* const memory = managed<char>(4096);
  if (!in || !in1 || !out || !doubles || !words || !memory) return 1;
  for (int i = 0; i < count; ++i) in[i] = i, in1[i] = 7 * i;
  for (int i = 0; i < threads; ++i) doubles[i] = 1000.0 * i;
  for (int i = 0; i < batches; ++i) words[i] = 10 + i;
  auto const turned = [](int i) { return i / threads * threads + threads - 1 - i % threads; };
  // Of `batches` numbers of `in`, one from each row.
  auto const column = [](int i) { return batches * (threads - 1 - i) + threads * batches * (batches - 1) / 2; };
  auto const both = [](int i) { return threads - 1 - i + 1000 * i; };

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

  for (int i = 0; i < 32; ++i) memory[i] = char(i);
  single_bytes<<<1, threads>>>(memory, out);
  check("single_bytes", out, threads, [](int) { return 48; });
  group_copies<cg::thread_block><<<1, threads>>>(in, doubles, out);
  check("group_copies<thread_block>", out, threads, both);
  group_copies<own_block><<<1, threads>>>(in, doubles, out);
  check("group_copies<own_block>", out, threads, both);
  untyped<<<1, 1>>>(out, out + threads, in, threads * sizeof(int));
  check("untyped", out, 2 * threads, [](int i) { return i % threads; });
  annotated<<<1, threads>>>(in, out);
  check("annotated", out, 2 * threads, [](int i) { return i < threads ? i % (threads / 2) : i - threads; });

  two_arrays_of_cooperative_groups<<<1, threads, 4 * threads * sizeof(int)>>>(in, in1, out);
  auto const two = [=](int i) { return turned(i) + 7000 * i; };
  check("two_arrays_of_cooperative_groups", out, count, two);
  two_arrays_of_own_group<<<1, threads, 4 * threads * sizeof(int)>>>(in, in1, out);
  check("two_arrays_of_own_group", out, count, two);
  constexpr int half = threads / 2;
  auto const halves = [](int i) { return i == batches * half ? 1 : i / half * half + half - 1 - i % half; };
  partitioned<true><<<1, threads>>>(in, out);
  check("partitioned by count", out, batches * half + 1, halves);
  partitioned<false><<<1, threads>>>(in, out);
  check("partitioned by rank", out, batches * half + 1, halves);
  wait_prior<<<1, threads>>>(words, out);
  check("wait_prior", out, threads, [](int) { return 10 * batches + batches * (batches - 1) / 2; });
  prefetching<<<1, threads>>>(in, out);
  check("prefetching", out, count, turned);
  oldest_stage<<<1, threads>>>(in, out);
  check("oldest_stage", out, 4 * threads, turned);
  commit_to_barrier<<<1, threads>>>(words, out);
  check("commit_to_barrier", out, threads, [](int i) { return 10 + i % batches; });
  shared_states<<<1, threads>>>(memory, memory + 2048, in, out);
  check("shared_states", out, threads, [](int i) { return 3 * (threads - 1 - i); });

  if (major >= 9) {
    arrive_with_bytes<<<1, threads>>>(in, doubles, out);
    check("arrive_with_bytes", out, threads, both);
    arrive_without_bytes<<<1, threads>>>(out);
    check("arrive_without_bytes", out, threads, [](int i) { return threads - 1 - i; });
    leader_arrives<<<1, threads>>>(in, doubles, out);
    check("leader_arrives", out, threads, [=](int i) { return both(i); });
    expect_then_arrive<<<1, threads>>>(in, out);
    check("expect_then_arrive", out, threads, [](int i) { return threads - i; });
    bulk_in_and_out<<<1, threads>>>(in, out);
    check("bulk_in_and_out", out, threads, [](int i) { return i + 1; });
    bulk_experimental<<<1, threads>>>(in, out);
    check("bulk_experimental", out, threads, [](int i) { return i + 2; });
    bulk_in_by_ptx<<<1, threads>>>(in, out);
    check("bulk_in_by_ptx", out, threads, [](int i) { return threads - 1 - i; });
    if (launch_pair(remote_stores, out) != cudaSuccess) ++wrong;
    check("remote_stores", out, 2 * threads, [](int i) { return 1000 * (1 - i / threads) + 9; });
    if (launch_pair(cluster_counters, out) != cudaSuccess) ++wrong;
    check("cluster_counters", out, 2, [](int) { return 2 * threads; });
  }
  std::printf("the documented examples are %s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
