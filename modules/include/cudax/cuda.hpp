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
#pragma once

#if defined(__CUDA__)
#include <__clang_cuda_runtime_wrapper.h>
#else
#include "cuda_keywords.hpp"
#endif
