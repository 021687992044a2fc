// SPDX-License-Identifier: Apache-2.0
//
// series: the kernels of the chapter as lists. The example program checks them and tools/execution-model measures them.
// Only for CUDA.
#pragma once

#include "divergence.hpp"
#include "reductions.hpp"
#include <cuda_runtime.h>

namespace textbook_kernels {

inline constexpr unsigned usual_block = 512;

struct math_kernel {
  char const* name;
  char const* description;
  float (*expected)(unsigned thread);
  void const* symbol;
  void (*run)(unsigned blocks, unsigned threads, float* c, unsigned n);
  void (*count)(unsigned blocks, unsigned threads, float* c, unsigned n, lane_counts*);
};

struct reduction {
  char const* name;
  char const* description;
  unsigned parts;     ///< the number of blocks whose data one block adds up
  unsigned one_block; ///< the only block size that the kernel takes; 0: any
  void const* symbol;
  void (*run)(unsigned blocks, unsigned threads, int* data, int* partial, unsigned n);
  void (*count)(unsigned blocks, unsigned threads, int* data, int* partial, unsigned n, lane_counts*);

  unsigned blocks_for(unsigned n, unsigned threads) const {
    unsigned const each = threads * parts;
    return n == 0 ? 1 : (n + each - 1) / each;
  }
};

#define TEXTBOOK_MATH(name, description, expected)                                                                     \
  {#name,                                                                                                              \
   description,                                                                                                        \
   expected,                                                                                                           \
   reinterpret_cast<void const*>(name<uncounted>),                                                                     \
   [](unsigned blocks, unsigned threads, float* c, unsigned n) { name<<<blocks, threads>>>(c, n, uncounted{}); },      \
   [](unsigned blocks, unsigned threads, float* c, unsigned n, lane_counts* counts) {                                  \
     name<<<blocks, threads>>>(c, n, counted{counts});                                                                 \
   }}
inline math_kernel const math_kernels[] = {
    TEXTBOOK_MATH(math_kernel_1, "even and odd threads", by_thread),
    TEXTBOOK_MATH(math_kernel_2, "even and odd warps", by_warp),
    TEXTBOOK_MATH(math_kernel_3, "even and odd threads, predicate", by_thread),
    TEXTBOOK_MATH(math_kernel_4, "even and odd warps, shift", by_warp),
};

// `...` is the kernel, instantiated for the type Branch.
#define TEXTBOOK_REDUCTION(name, description, parts, one_block, ...)                                                   \
  {name,                                                                                                               \
   description,                                                                                                        \
   parts,                                                                                                              \
   one_block,                                                                                                          \
   [] {                                                                                                                \
     using Branch = uncounted;                                                                                         \
     return reinterpret_cast<void const*>(__VA_ARGS__);                                                                \
   }(),                                                                                                                \
   [](unsigned blocks, unsigned threads, int* data, int* partial, unsigned n) {                                        \
     using Branch = uncounted;                                                                                         \
     __VA_ARGS__<<<blocks, threads>>>(data, partial, n, Branch{});                                                     \
   },                                                                                                                  \
   [](unsigned blocks, unsigned threads, int* data, int* partial, unsigned n, lane_counts* counts) {                   \
     using Branch = counted;                                                                                           \
     __VA_ARGS__<<<blocks, threads>>>(data, partial, n, Branch{counts});                                               \
   }}
inline reduction const reductions[] = {
    TEXTBOOK_REDUCTION("neighbored", "neighbours, every second thread", 1, 0, reduce_neighbored<Branch>),
    TEXTBOOK_REDUCTION("neighbored_less", "neighbours, the first threads", 1, 0, reduce_neighbored_less<Branch>),
    TEXTBOOK_REDUCTION("interleaved", "halves", 1, 0, reduce_interleaved<Branch>),
    TEXTBOOK_REDUCTION("unrolling_2", "2 blocks by one", 2, 0, reduce_unrolling<2, Branch>),
    TEXTBOOK_REDUCTION("unrolling_4", "4 blocks by one", 4, 0, reduce_unrolling<4, Branch>),
    TEXTBOOK_REDUCTION("unrolling_8", "8 blocks by one", 8, 0, reduce_unrolling<8, Branch>),
    TEXTBOOK_REDUCTION("unroll_warps_8", "and the last warp unrolled", 8, 0, reduce_unroll_warps_8<Branch>),
    TEXTBOOK_REDUCTION("complete_unroll_warps_8", "and the loop unrolled", 8, 0,
                       reduce_complete_unroll_warps_8<Branch>),
    TEXTBOOK_REDUCTION("complete_unroll", "and the block's size a constant", 8, usual_block,
                       reduce_complete_unroll<usual_block, Branch>),
};

} // namespace textbook_kernels
