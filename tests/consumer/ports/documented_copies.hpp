// SPDX-License-Identifier: Apache-2.0
//
// documented_copies: libcu++, cuda::memcpy_async, cuda::aligned_size_t; annotated pointers.
#pragma once

#include "documented.hpp"

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

inline void run_copies(arrays const& a) {
  auto const& [in, in1, out, doubles, words, memory] = a;
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
}
