// SPDX-License-Identifier: Apache-2.0
//
// tensor_kernel: the kernel of tensor.cu: one tensor copy, in inline PTX.
// It fills a window of shared memory with known bytes, issues one copy between this window and the tensor, waits for
// it, and writes the whole window to global memory.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace tensor {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class kind {
  load,
  load_cta,
  load_hint,
  store,
  store_hint,
  add,
  min,
  max,
  inc,
  dec,
  bit_and,
  bit_or,
  bit_xor,
  prefetch,
  im2col,
  im2col_store,
  im2col_add
};

inline __host__ __device__ u64 hash(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

enum : u32 { window = 24 * 1024, threads = 128 }; ///< bytes of shared memory; its address is a multiple of 1024

struct copy {
  kind what;
  u32 rank;
  int at[5];               ///< coordinates
  u32 offset;              ///< in the window, bytes
  u32 bytes;               ///< that the barrier expects
  unsigned short pixel[3]; ///< offsets of im2col
};

#define TENSOR_COORDINATES_1 "{%2}"
#define TENSOR_COORDINATES_2 "{%2, %3}"
#define TENSOR_COORDINATES_3 "{%2, %3, %4}"
#define TENSOR_COORDINATES_4 "{%2, %3, %4, %5}"
#define TENSOR_COORDINATES_5 "{%2, %3, %4, %5, %6}"
/// Operands: 0 the map, 1 the address in shared memory, 2 to 6 the coordinates, 7 the barrier, 8 the cache policy, 9 to 11 offsets.
#define TENSOR_ASM(text)                                                                                               \
  asm volatile(text ::"l"(map), "r"(at), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]),         \
               "r"(barrier), "l"(policy), "h"(c.pixel[0]), "h"(c.pixel[1]), "h"(c.pixel[2])                            \
               : "memory")
#define TENSOR_REDUCTION(name, op, R)                                                                                  \
  case kind::name:                                                                                                     \
    TENSOR_ASM("cp.reduce.async.bulk.tensor." #R "d.global.shared::cta." op                                            \
               ".tile.bulk_group [%0, " TENSOR_COORDINATES_##R "], [%1];");                                            \
    break;
#define TENSOR_RANK(R)                                                                                                 \
  case R:                                                                                                              \
    switch (c.what) {                                                                                                  \
    case kind::load:                                                                                                   \
      TENSOR_ASM("cp.async.bulk.tensor." #R "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%1], "        \
                 "[%0, " TENSOR_COORDINATES_##R "], [%7];");                                                           \
      break;                                                                                                           \
    case kind::load_cta:                                                                                               \
      TENSOR_ASM("cp.async.bulk.tensor." #R "d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%1], "            \
                 "[%0, " TENSOR_COORDINATES_##R "], [%7];");                                                           \
      break;                                                                                                           \
    case kind::load_hint:                                                                                              \
      TENSOR_ASM("cp.async.bulk.tensor." #R                                                                            \
                 "d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%1], "                         \
                 "[%0, " TENSOR_COORDINATES_##R "], [%7], %8;");                                                       \
      break;                                                                                                           \
    case kind::store:                                                                                                  \
      TENSOR_ASM("cp.async.bulk.tensor." #R "d.global.shared::cta.tile.bulk_group [%0, " TENSOR_COORDINATES_##R        \
                 "], [%1];");                                                                                          \
      break;                                                                                                           \
    case kind::store_hint:                                                                                             \
      TENSOR_ASM("cp.async.bulk.tensor." #R                                                                            \
                 "d.global.shared::cta.bulk_group.L2::cache_hint [%0, " TENSOR_COORDINATES_##R "], [%1], %8;");        \
      break;                                                                                                           \
    case kind::prefetch:                                                                                               \
      TENSOR_ASM("cp.async.bulk.prefetch.tensor." #R "d.L2.global.tile [%0, " TENSOR_COORDINATES_##R "];");            \
      break;                                                                                                           \
      TENSOR_REDUCTION(add, "add", R)                                                                                  \
      TENSOR_REDUCTION(min, "min", R)                                                                                  \
      TENSOR_REDUCTION(max, "max", R)                                                                                  \
      TENSOR_REDUCTION(inc, "inc", R)                                                                                  \
      TENSOR_REDUCTION(dec, "dec", R)                                                                                  \
      TENSOR_REDUCTION(bit_and, "and", R)                                                                              \
      TENSOR_REDUCTION(bit_or, "or", R)                                                                                \
      TENSOR_REDUCTION(bit_xor, "xor", R)                                                                              \
    default: break;                                                                                                    \
    }                                                                                                                  \
    break;

#define TENSOR_OFFSETS_3 "{%9}"
#define TENSOR_OFFSETS_4 "{%9, %10}"
#define TENSOR_OFFSETS_5 "{%9, %10, %11}"
#define TENSOR_IM2COL(R)                                                                                               \
  case R:                                                                                                              \
    if (c.what == kind::im2col)                                                                                        \
      TENSOR_ASM("cp.async.bulk.tensor." #R "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%1], "      \
                 "[%0, " TENSOR_COORDINATES_##R "], [%7], " TENSOR_OFFSETS_##R ";");                                   \
    else if (c.what == kind::im2col_store)                                                                             \
      TENSOR_ASM("cp.async.bulk.tensor." #R                                                                            \
                 "d.global.shared::cta.im2col_no_offs.bulk_group [%0, " TENSOR_COORDINATES_##R "], [%1];");            \
    else                                                                                                               \
      TENSOR_ASM("cp.reduce.async.bulk.tensor." #R                                                                     \
                 "d.global.shared::cta.add.im2col_no_offs.bulk_group [%0, " TENSOR_COORDINATES_##R "], [%1];");        \
    return;

__device__ inline void issue(CUtensorMap const* map, copy const& c, u32 at, u32 barrier) {
  u64 policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  if (c.what >= kind::im2col) switch (c.rank) {
      TENSOR_IM2COL(3)
      TENSOR_IM2COL(4)
      TENSOR_IM2COL(5)
    }
  switch (c.rank) {
    TENSOR_RANK(1)
    TENSOR_RANK(2)
    TENSOR_RANK(3)
    TENSOR_RANK(4)
    TENSOR_RANK(5)
  }
}

__device__ inline u32 waits(u32 barrier, u32 parity) {
  u32 is_over = 0;
  for (int i = 0; i < 20000 && !is_over; ++i)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(is_over)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  return is_over;
}

/// `content`: the window's bytes. `out`: the window after the copy. `done`: becomes 1 if the copy completes.
__device__ inline void run_copy(CUtensorMap const* map, copy const& c, u32 const* content, u32* out, u32* done) {
  extern __shared__ __align__(1024) u32 shared[];
  __shared__ u64 barrier_word;
  u32 const base = u32(__cvta_generic_to_shared(shared)), barrier = u32(__cvta_generic_to_shared(&barrier_word));
  for (u32 i = threadIdx.x; i < window / 4; i += threads) shared[i] = content[i];
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  bool const loads =
      c.what == kind::load || c.what == kind::load_cta || c.what == kind::load_hint || c.what == kind::im2col;
  if (threadIdx.x == 0) {
    u32 is_over = c.what == kind::prefetch;
    if (loads)
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(c.bytes) : "memory");
    issue(map, c, base + c.offset, barrier);
    if (loads) {
      is_over = waits(barrier, 0);
      if (is_over) { // the next phase ends at once, unless the copy tells of more bytes than are expected
        asm volatile("nanosleep.u32 20000;\nmbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
        is_over = waits(barrier, 1);
      }
    } else if (!is_over) {
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
      is_over = 1;
    }
    *done = is_over;
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < window / 4; i += threads) out[i] = shared[i];
}

} // namespace tensor
