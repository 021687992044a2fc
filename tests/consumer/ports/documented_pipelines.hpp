// SPDX-License-Identifier: Apache-2.0
//
// documented_pipelines: Guide, "Pipelines"; libcu++, cuda::pipeline.
#pragma once

#include "documented.hpp"

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

inline void run_pipelines(arrays const& a) {
  auto const& [in, in1, out, doubles, words, memory] = a;
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
}
