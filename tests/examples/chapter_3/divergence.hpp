// SPDX-License-Identifier: Apache-2.0
//
// divergence: the kernels of section 3.2.2, mathKernel1 to 4: one result by even and odd threads, by even and odd warps, with
// the predicate in a variable, and with the warp's number. Mended in all: the array comes as a parameter (the second kernel of the
// text writes to one that nobody declares), and threads beyond its end write nothing.
#pragma once

#include "lanes.hpp"

namespace chapter_3 {

inline constexpr float even = 100.0f, odd = 200.0f;

/// What each kernel writes for a thread.
inline float by_thread(unsigned thread) { return thread % 2 == 0 ? even : odd; }
inline float by_warp(unsigned thread) { return thread / 32 % 2 == 0 ? even : odd; }

#if defined(__CUDA__)

/// Both ways in each warp.
template <class Branch> __global__ void math_kernel_1(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  bool const is_even = tid % 2 == 0;
  if (branch(0, is_even)) a = even;
  if (branch(1, !is_even)) b = odd; // `else`, asked for its own lanes
  if (tid < n) c[tid] = a + b;
}

/// One way in each warp.
template <class Branch> __global__ void math_kernel_2(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  bool const is_even = (tid / warpSize) % 2 == 0;
  if (branch(0, is_even)) a = even;
  if (branch(1, !is_even)) b = odd;
  if (tid < n) c[tid] = a + b;
}

/// The condition in a variable, and two ifs without an else: the lanes are those of the first kernel.
template <class Branch> __global__ void math_kernel_3(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  bool const predicate = tid % 2 == 0;
  if (branch(0, predicate)) a = even;
  if (branch(1, !predicate)) b = odd;
  if (tid < n) c[tid] = a + b;
}

/// The warp's number by a shift. Mended: `itid & 0x01 == 0`, as it is often printed, is `itid & (0x01 == 0)`, which is never true.
template <class Branch> __global__ void math_kernel_4(float* c, unsigned n, Branch branch) {
  unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.0f, b = 0.0f;
  unsigned const warp = tid >> 5;
  if (branch(0, (warp & 0x01) == 0)) a = even;
  if (branch(1, (warp & 0x01) != 0)) b = odd;
  if (tid < n) c[tid] = a + b;
}

#endif

} // namespace chapter_3
