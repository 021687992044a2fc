// SPDX-License-Identifier: Apache-2.0
//
// reductions: the kernels of sections 3.3 and 3.4. Each block adds up its part of the data in place and writes the sum to
// partial[block]; who launches adds up the partial sums.
//
// What is mended, in every kernel: `if (idx >= n) return;` in front of a barrier leaves out threads that the others wait for, which
// is undefined, so conditions stand around the additions instead; and no kernel reads beyond n, nor beyond its own part, which
// another block changes, so n may be any number, and the block of any size that a kernel does not name. Each kernel says what
// else.
#pragma once

#include "lanes.hpp"

namespace chapter_3 {

/// The recursive reduction of section 3.3.1, on the host. Mended: the text drops the last element of an odd size, and does not
/// end for size 0.
inline int recursive_reduce(int* data, unsigned size) {
  if (size == 0) return 0;
  if (size == 1) return data[0];
  unsigned const stride = (size + 1) / 2;
  for (unsigned i = 0; i + stride < size; ++i) data[i] += data[i + stride];
  return recursive_reduce(data, stride);
}

#if defined(__CUDA__)

/// A block's part of the data: `parts` times as many elements as it has threads, fewer at the end.
struct part {
  int* data;
  unsigned count; // of all its elements
};
__device__ inline part part_of(int* data, unsigned n, unsigned parts) {
  unsigned const begin = blockIdx.x * blockDim.x * parts, most = blockDim.x * parts;
  unsigned const left = begin < n ? n - begin : 0;
  return {data + begin, left < most ? left : most};
}

/// Smallest power of two that is at least the block's size.
__device__ inline unsigned rounded_block() { return blockDim.x <= 1 ? 1 : 1u << (32 - __clz(int(blockDim.x - 1))); }

__device__ inline void write_result(part const& own, int* partial) {
  if (threadIdx.x == 0) partial[blockIdx.x] = own.count == 0 ? 0 : own.data[0];
}

/// Section 3.3.2: neighbours, every 2 stride-th thread.
template <class Branch> __global__ void reduce_neighbored(int* data, int* partial, unsigned n, Branch branch) {
  unsigned const tid = threadIdx.x;
  part const own = part_of(data, n, 1);
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (branch(0, tid % (2 * stride) == 0 && tid + stride < own.count)) own.data[tid] += own.data[tid + stride];
    __syncthreads();
  }
  write_result(own, partial);
}

/// Section 3.3.3: neighbours, by the first threads. Mended: the text never writes the result.
template <class Branch> __global__ void reduce_neighbored_less(int* data, int* partial, unsigned n, Branch branch) {
  unsigned const tid = threadIdx.x;
  part const own = part_of(data, n, 1);
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    unsigned const index = 2 * stride * tid;
    if (branch(0, index < blockDim.x && index + stride < own.count)) own.data[index] += own.data[index + stride];
    __syncthreads();
  }
  write_result(own, partial);
}

/// The second half of several kernels: halves of what is left are added. Mended: a block whose size is no power of two loses
/// elements where it is halved; the strides come from the next power.
template <class Branch> __device__ void add_halves(part const& own, unsigned down_to, Branch const& branch, int which) {
  unsigned const tid = threadIdx.x, count = own.count < blockDim.x ? own.count : blockDim.x;
  for (unsigned stride = rounded_block() / 2; stride > down_to; stride >>= 1) {
    if (branch(which, tid < stride && tid + stride < count)) own.data[tid] += own.data[tid + stride];
    __syncthreads();
  }
}

/// Section 3.3.4: interleaved pairs.
template <class Branch> __global__ void reduce_interleaved(int* data, int* partial, unsigned n, Branch branch) {
  part const own = part_of(data, n, 1);
  add_halves(own, 0, branch, 0);
  write_result(own, partial);
}

/// The first step of section 3.4: each thread adds up its elements of `Parts` blocks. Mended: the text adds all of them or, where one
/// is beyond n, none.
template <int Parts> __device__ void add_parts(part const& own) {
  unsigned const tid = threadIdx.x;
  if (tid >= own.count) return; // of this function: the barrier is behind it
  int sum = own.data[tid];
#pragma unroll
  for (int k = 1; k < Parts; ++k)
    if (unsigned const at = tid + unsigned(k) * blockDim.x; at < own.count) sum += own.data[at];
  own.data[tid] = sum;
}

/// Section 3.4: 2, 4 and 8 blocks' data by one.
template <int Parts, class Branch>
__global__ void reduce_unrolling(int* data, int* partial, unsigned n, Branch branch) {
  part const own = part_of(data, n, Parts);
  add_parts<Parts>(own);
  __syncthreads();
  add_halves(own, 0, branch, 0);
  write_result(own, partial);
}

/// The last 64 elements by one warp, without barriers of the block. Mended: this was written with a volatile pointer and the
/// belief that a warp's lanes go in step. They need not, since sm_70: a lane reads before its neighbour writes only where
/// __syncwarp stands between, which also orders memory.
template <class Branch> __device__ void add_last_warp(part const& own, Branch const& branch, int which) {
  unsigned const tid = threadIdx.x, count = own.count < blockDim.x ? own.count : blockDim.x;
  if (tid >= 32) return;
  unsigned const lanes = blockDim.x < 32 ? ~0u >> (32 - blockDim.x) : ~0u;
#pragma unroll
  for (unsigned stride = 32; stride > 0; stride >>= 1) {
    bool const adds = branch(which, tid < stride && tid + stride < count);
    int const sum = adds ? own.data[tid] + own.data[tid + stride] : 0;
    __syncwarp(lanes);
    if (adds) own.data[tid] = sum;
    __syncwarp(lanes);
  }
}

/// 8 blocks' data by one, and the last warp unrolled.
template <class Branch> __global__ void reduce_unroll_warps_8(int* data, int* partial, unsigned n, Branch branch) {
  part const own = part_of(data, n, 8);
  add_parts<8>(own);
  __syncthreads();
  add_halves(own, 32, branch, 0);
  add_last_warp(own, branch, 1);
  write_result(own, partial);
}

/// The loop unrolled by hand, for blocks of up to 1024 threads, whose size is asked at each step.
template <class Branch> __global__ void reduce_complete_unroll_warps_8(int* data, int* partial, unsigned n,
                                                                       Branch branch) {
  unsigned const tid = threadIdx.x;
  part const own = part_of(data, n, 8);
  add_parts<8>(own);
  __syncthreads();
  unsigned const count = own.count < blockDim.x ? own.count : blockDim.x;
  auto const step = [&](unsigned stride) {
    if (blockDim.x <= stride) return; // the whole block takes it
    if (branch(0, tid < stride && tid + stride < count)) own.data[tid] += own.data[tid + stride];
    __syncthreads();
  };
  step(512);
  step(256);
  step(128);
  step(64);
  add_last_warp(own, branch, 1);
  write_result(own, partial);
}

/// The same with the block's size as a parameter of the template: what it does not need is not there.
template <unsigned Block, class Branch>
__global__ void reduce_complete_unroll(int* data, int* partial, unsigned n, Branch branch) {
  static_assert(Block <= 1024);
  unsigned const tid = threadIdx.x;
  part const own = part_of(data, n, 8);
  add_parts<8>(own);
  __syncthreads();
  unsigned const count = own.count < Block ? own.count : Block;
  auto const step = [&](unsigned stride) {
    if (branch(0, tid < stride && tid + stride < count)) own.data[tid] += own.data[tid + stride];
    __syncthreads();
  };
  if constexpr (Block > 512) step(512);
  if constexpr (Block > 256) step(256);
  if constexpr (Block > 128) step(128);
  if constexpr (Block > 64) step(64);
  add_last_warp(own, branch, 1);
  write_result(own, partial);
}

#endif

} // namespace chapter_3
