// SPDX-License-Identifier: Apache-2.0
//
// documented_transactions: libcu++, cuda::device::memcpy_async_tx, barrier_arrive_tx, barrier_expect_tx.
#pragma once

#include "documented.hpp"

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

// The examples have __cluster_dims__, which clang 22 accepts and ignores.
inline cudaError_t launch_pair(void (*kernel)(int*), int* out) {
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

inline void run_transactions(arrays const& a) {
  auto const& [in, in1, out, doubles, words, memory] = a;
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
