// SPDX-License-Identifier: Apache-2.0
//
// cuda: CUDA's declarations (kernel launches, threadIdx, __syncthreads, cudaMalloc, ...), for the global module
// fragment of a program's own module unit:
//
//   module;
//   #include <cudax/cuda.hpp>
//   export module mine;
//
// clang includes these declarations before the first line of every CUDA source, but in a module unit no declaration may
// stand there. In plain C++ this header declares nothing, and CUDA's words for declarations mean nothing.
//
// cudax++, the configuration file and cudax_sync_cuda_sources() include this header in every other CUDA source, for the
// warning below.
#pragma once

#if defined(__CUDA__)
#include <__clang_cuda_runtime_wrapper.h>
// Once for each use, which an #ifdef of the word is, too, in the compilation for the host. clang 22 has the attribute
// for AMD's GPUs, checks it for NVIDIA's, and writes nothing of it into the PTX: the kernel is launched without
// clusters.
#if defined(__cluster_dims__) && !defined(__CUDA_ARCH__)
#pragma clang deprecated(__cluster_dims__,                                                                             \
                         "clang 22 ignores it, and the kernel is launched without clusters. Name the cluster at \
the launch: cudax::launch_cluster() of cudax::launch_coresident() and launch_dependent(), or cudaLaunchKernelEx()")
#endif
#else
#include "cuda_keywords.hpp"
#endif
