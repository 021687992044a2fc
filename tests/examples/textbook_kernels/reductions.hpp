// SPDX-License-Identifier: Apache-2.0
//
// reductions: the kernels of sections 3.3 and 3.4. Each block adds up its part of the data in place and writes the sum
// to partial[block]. The host adds up the partial sums.
//
// Corrected in every kernel. In the text, `if (idx >= n) return;` before a barrier makes threads exit that the others
// wait for, which is undefined behavior; here the conditions are around the additions instead. No kernel reads beyond
// n, or beyond its own part, which another block changes. So n may be any number, and a block may have any size, unless
// the kernel states a size. Further corrections are stated at the kernels.
#pragma once

#include "lanes.hpp"

namespace textbook_kernels {

/// The recursive reduction of section 3.3.1, on the host. Corrected: the text drops the last element of an odd size,
/// and does not end for size 0.
inline int recursive_reduce(int* data, unsigned size) {
  if (size == 0) return 0;
  if (size == 1) return data[0];
  unsigned const stride = (size + 1) / 2;
  for (unsigned i = 0; i + stride < size; ++i) data[i] += data[i + stride];
  return recursive_reduce(data, stride);
}

#if defined(__CUDA__)

/// A block's part of the data: `parts` times as many elements as the block has threads; fewer at the end of the data.
struct part {
  int* data;
  unsigned count; // elements
};
__device__ inline part part_of(int* data, unsigned n, unsigned parts) {
  unsigned const begin = blockIdx.x * blockDim.x * parts, most = blockDim.x * parts;
  unsigned const left = begin < n ? n - begin : 0;
  return {data + begin, left < most ? left : most};
}

/// Returns the smallest power of two that is at least the block size.
__device__ inline unsigned rounded_block() { return blockDim.x <= 1 ? 1 : 1u << (32 - __clz(int(blockDim.x - 1))); }

__device__ inline void write_result(part const& own, int* partial) {
  if (threadIdx.x == 0) partial[blockIdx.x] = own.count == 0 ? 0 : own.data[0];
}

/// Section 3.3.2: neighbored pairs; every thread whose index is a multiple of 2 stride adds.
template <class Branch> __global__ void reduce_neighbored(int* data, int* partial, unsigned n, Branch branch) {
  unsigned const tid = threadIdx.x;
  part const own = part_of(data, n, 1);
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (branch(0, tid % (2 * stride) == 0 && tid + stride < own.count)) own.data[tid] += own.data[tid + stride];
    __syncthreads();
  }
  write_result(own, partial);
}

/// Section 3.3.3: neighbored pairs, added by the first threads. Corrected: the text never writes the result.
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

/// The second part of several kernels: adds the upper half of the remaining elements to the lower half, repeatedly.
/// Corrected: in the text a block whose size is not a power of two loses elements when it is halved; here the strides
///            are derived from
/// the next power of two.
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

/// The first step of section 3.4: each thread adds up its elements of the data of `Parts` blocks. Corrected: the text
/// adds either all of them or, if one is beyond n, none.
template <int Parts> __device__ void add_parts(part const& own) {
  unsigned const tid = threadIdx.x;
  if (tid >= own.count) return; // only from this function: the barrier comes after the call
  int sum = own.data[tid];
#pragma unroll
  for (int k = 1; k < Parts; ++k)
    if (unsigned const at = tid + unsigned(k) * blockDim.x; at < own.count) sum += own.data[at];
  own.data[tid] = sum;
}

/// Section 3.4: the data of 2, 4 and 8 blocks by one block.
template <int Parts, class Branch>
__global__ void reduce_unrolling(int* data, int* partial, unsigned n, Branch branch) {
  part const own = part_of(data, n, Parts);
  add_parts<Parts>(own);
  __syncthreads();
  add_halves(own, 0, branch, 0);
  write_result(own, partial);
}

/// Adds the last 64 elements by one warp, without barriers of the block. Corrected: the text uses a volatile pointer
/// and assumes that the lanes of a warp run in lockstep, which is not guaranteed since sm_70. A lane's read precedes
/// its neighbor's write only if a __syncwarp is between them, which also orders memory.
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

/// Section 3.4: the data of 8 blocks by one block, and the last warp unrolled.
template <class Branch> __global__ void reduce_unroll_warps_8(int* data, int* partial, unsigned n, Branch branch) {
  part const own = part_of(data, n, 8);
  add_parts<8>(own);
  __syncthreads();
  add_halves(own, 32, branch, 0);
  add_last_warp(own, branch, 1);
  write_result(own, partial);
}

/// Section 3.4: the loop unrolled by hand, for blocks of up to 1024 threads; each step tests the block size.
template <class Branch> __global__ void reduce_complete_unroll_warps_8(int* data, int* partial, unsigned n,
                                                                       Branch branch) {
  unsigned const tid = threadIdx.x;
  part const own = part_of(data, n, 8);
  add_parts<8>(own);
  __syncthreads();
  unsigned const count = own.count < blockDim.x ? own.count : blockDim.x;
  auto const step = [&](unsigned stride) {
    if (blockDim.x <= stride) return; // uniform in the block
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

/// The same with the block size as a template parameter: steps that the size does not need are not compiled.
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

} // namespace textbook_kernels
