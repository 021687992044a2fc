// SPDX-License-Identifier: Apache-2.0
//
// divergence: the kernels of section 3.2.2, mathKernel1 to mathKernel4. They select a value by even and odd threads, by
// even and odd warps, with the predicate in a variable, and with the warp index. Corrected in all kernels: the array is
// a parameter (the second kernel of the text writes to an array that is not declared), and threads beyond its end write
// nothing.
#pragma once

#include "lanes.hpp"

namespace textbook_kernels {

inline constexpr float even = 100.0f, odd = 200.0f;

/// Returns what the kernels write for a thread: by_thread for kernels 1 and 3, by_warp for kernels 2 and 4.
inline float by_thread(unsigned thread) { return thread % 2 == 0 ? even : odd; }
inline float by_warp(unsigned thread) { return thread / 32 % 2 == 0 ? even : odd; }

#if defined(__CUDA__)

/// Takes both branches in each warp.
template <class Branch> __global__ void math_kernel_1(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  bool const is_even = tid % 2 == 0;
  if (branch(0, is_even)) a = even;
  if (branch(1, !is_even)) b = odd; // the text's `else`, written as a branch of its own so that its lanes are counted
  if (tid < n) c[tid] = a + b;
}

/// Takes one branch in each warp.
template <class Branch> __global__ void math_kernel_2(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  bool const is_even = (tid / warpSize) % 2 == 0;
  if (branch(0, is_even)) a = even;
  if (branch(1, !is_even)) b = odd;
  if (tid < n) c[tid] = a + b;
}

/// Holds the condition in a variable and uses two ifs without an else. The lanes of each branch are those of kernel 1.
template <class Branch> __global__ void math_kernel_3(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  bool const predicate = tid % 2 == 0;
  if (branch(0, predicate)) a = even;
  if (branch(1, !predicate)) b = odd;
  if (tid < n) c[tid] = a + b;
}

/// Computes the warp index by a shift. Corrected: `itid & 0x01 == 0`, as it is often printed, means `itid & (0x01 ==
/// 0)`, which is never true.
template <class Branch> __global__ void math_kernel_4(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  unsigned const warp = tid >> 5;
  if (branch(0, (warp & 0x01) == 0)) a = even;
  if (branch(1, (warp & 0x01) != 0)) b = odd;
  if (tid < n) c[tid] = a + b;
}

#endif

} // namespace textbook_kernels
