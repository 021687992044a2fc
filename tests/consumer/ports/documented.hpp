// SPDX-License-Identifier: Apache-2.0
//
// documented: what the ported examples share. The first include makes them programs for this library. With LIBCUXX they
// are compiled with libcu++, which checks that the programs are valid there.
#pragma once

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
constexpr int count = batches * threads;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// A group that is none of cooperative groups.
struct own_block {
  __device__ unsigned size() const { return blockDim.x; }
  __device__ unsigned thread_rank() const { return threadIdx.x; }
  __device__ void sync() const { __syncthreads(); }
};

inline int wrong = 0;
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

// What the examples read and write, in managed memory.
struct arrays {
  int* in = managed<int>(count);
  int* in1 = managed<int>(count);
  int* out = managed<int>(count + 1);
  double* doubles = managed<double>(threads);
  std::uint64_t* words = managed<std::uint64_t>(batches);
  char* memory = managed<char>(4096);

  bool allocated() const { return in && in1 && out && doubles && words && memory; }
  void fill() const {
    for (int i = 0; i < count; ++i) in[i] = i, in1[i] = 7 * i;
    for (int i = 0; i < threads; ++i) doubles[i] = 1000.0 * i;
    for (int i = 0; i < batches; ++i) words[i] = 10 + i;
  }
};
inline int turned(int i) { return i / threads * threads + threads - 1 - i % threads; }
// Of `batches` numbers of `in`, one from each row.
inline int column(int i) { return batches * (threads - 1 - i) + threads * batches * (batches - 1) / 2; }
inline int both(int i) { return threads - 1 - i + 1000 * i; }
