// SPDX-License-Identifier: Apache-2.0
//
// series: the kernels of the chapter as lists, for the example, which checks them, and for tools/execution-model, which
// measures them. CUDA alone.
#pragma once

#include "divergence.hpp"
#include "reductions.hpp"
#include <cuda_runtime.h>

namespace chapter_3 {

inline constexpr unsigned usual_block = 512;

struct math_kernel {
  char const* name;
  char const* says;
  float (*expected)(unsigned thread);
  void const* symbol;
  void (*run)(unsigned blocks, unsigned threads, float* c, unsigned n);
  void (*count)(unsigned blocks, unsigned threads, float* c, unsigned n, lane_counts*);
};

struct reduction {
  char const* name;
  char const* says;
  unsigned parts;     ///< how many blocks' data a block adds up
  unsigned one_block; ///< the only size of its blocks; 0: any
  void const* symbol;
  void (*run)(unsigned blocks, unsigned threads, int* data, int* partial, unsigned n);
  void (*count)(unsigned blocks, unsigned threads, int* data, int* partial, unsigned n, lane_counts*);

  unsigned blocks_for(unsigned n, unsigned threads) const {
    unsigned const each = threads * parts;
    return n == 0 ? 1 : (n + each - 1) / each;
  }
};

#define CHAPTER_3_MATH(name, says, expected)                                                                           \
  {#name,                                                                                                              \
   says,                                                                                                               \
   expected,                                                                                                           \
   reinterpret_cast<void const*>(name<uncounted>),                                                                     \
   [](unsigned blocks, unsigned threads, float* c, unsigned n) { name<<<blocks, threads>>>(c, n, uncounted{}); },      \
   [](unsigned blocks, unsigned threads, float* c, unsigned n, lane_counts* counts) {                                  \
     name<<<blocks, threads>>>(c, n, counted{counts});                                                                 \
   }}
inline math_kernel const math_kernels[] = {
    CHAPTER_3_MATH(math_kernel_1, "even and odd threads", by_thread),
    CHAPTER_3_MATH(math_kernel_2, "even and odd warps", by_warp),
    CHAPTER_3_MATH(math_kernel_3, "even and odd threads, predicate", by_thread),
    CHAPTER_3_MATH(math_kernel_4, "even and odd warps, shift", by_warp),
};

// `...` is the kernel for a Branch.
#define CHAPTER_3_REDUCTION(name, says, parts, one_block, ...)                                                         \
  {name,                                                                                                               \
   says,                                                                                                               \
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
    CHAPTER_3_REDUCTION("neighbored", "neighbours, every second thread", 1, 0, reduce_neighbored<Branch>),
    CHAPTER_3_REDUCTION("neighbored_less", "neighbours, the first threads", 1, 0, reduce_neighbored_less<Branch>),
    CHAPTER_3_REDUCTION("interleaved", "halves", 1, 0, reduce_interleaved<Branch>),
    CHAPTER_3_REDUCTION("unrolling_2", "2 blocks by one", 2, 0, reduce_unrolling<2, Branch>),
    CHAPTER_3_REDUCTION("unrolling_4", "4 blocks by one", 4, 0, reduce_unrolling<4, Branch>),
    CHAPTER_3_REDUCTION("unrolling_8", "8 blocks by one", 8, 0, reduce_unrolling<8, Branch>),
    CHAPTER_3_REDUCTION("unroll_warps_8", "and the last warp unrolled", 8, 0, reduce_unroll_warps_8<Branch>),
    CHAPTER_3_REDUCTION("complete_unroll_warps_8", "and the loop unrolled", 8, 0,
                        reduce_complete_unroll_warps_8<Branch>),
    CHAPTER_3_REDUCTION("complete_unroll", "and the block's size a constant", 8, usual_block,
                        reduce_complete_unroll<usual_block, Branch>),
};

} // namespace chapter_3
