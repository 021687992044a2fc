// SPDX-License-Identifier: Apache-2.0
//
// cuda_keywords: the words that CUDA adds to declarations, without CUDA's declarations. cudax++ and
// cudax_sync_cuda_sources() include this header before the first line of a CUDA module unit, where no declaration may
// stand. In plain C++ the words mean nothing, even after CUDA's headers, so that a module unit may be compiled as both;
// only __forceinline__ means the same in both. There is no __noinline__, since a macro would break
// __attribute__((__noinline__)), which the C++ standard library uses: write [[gnu::noinline]] in both.
#pragma once

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#undef __host__
#undef __device__
#undef __global__
#undef __shared__
#undef __constant__
#undef __grid_constant__
#undef __launch_bounds__
#undef __managed__
#undef __cluster_dims__
#undef __maxnreg__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __managed__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#endif
#undef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
