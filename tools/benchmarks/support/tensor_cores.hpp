// SPDX-License-Identifier: Apache-2.0
//
// tensor_cores: multiplications by a warpgroup, whose operands are tiles of bf16 in shared memory.  PTX ISA,
// "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions"
// A tile has rows of 64 elements, which are 128 bytes, and the swizzle of 128 bytes. It is aligned to 1,024 bytes.
#pragma once

#include <cuda_runtime.h>

namespace CUDAX_BENCH_SIDE {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

/// What a thread has of 64 * 128 sums. In each of 16 groups of 8 columns: two neighbours in its row, and the same 8
/// rows below.
struct warpgroup_sums {
  float at[64];
};

#define CUDAX_BENCH_SUMS_8(s, i)                                                                                       \
  "+f"(s.at[i]), "+f"(s.at[i + 1]), "+f"(s.at[i + 2]), "+f"(s.at[i + 3]), "+f"(s.at[i + 4]), "+f"(s.at[i + 5]),        \
      "+f"(s.at[i + 6]), "+f"(s.at[i + 7])
#define CUDAX_BENCH_SUMS(s)                                                                                            \
  CUDAX_BENCH_SUMS_8(s, 0), CUDAX_BENCH_SUMS_8(s, 8), CUDAX_BENCH_SUMS_8(s, 16), CUDAX_BENCH_SUMS_8(s, 24),            \
      CUDAX_BENCH_SUMS_8(s, 32), CUDAX_BENCH_SUMS_8(s, 40), CUDAX_BENCH_SUMS_8(s, 48), CUDAX_BENCH_SUMS_8(s, 56)

/// The lower word of PTX ISA's "Matrix descriptor", for the 16 columns of a tile that begin at a place in shared
/// memory, in units of 16 bytes. The upper word is constant: 1,024 bytes from one group of 8 rows to the next, and the
/// swizzle. The offset in the lower word is not used with this swizzle.
__device__ inline unsigned describe(void const* place) {
  return 1u << 16 | unsigned(__cvta_generic_to_shared(place)) / 16;
}

/// wgmma.fence.sync.aligned, PTX ISA 8.0, sm_90a: before the first multiplication that uses registers written since.
__device__ inline void begin_multiplications() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16, PTX ISA 8.0, sm_90a: adds the product of 64 rows of a with
/// 128 rows of b.
__device__ inline void multiply(warpgroup_sums& s, unsigned a, unsigned b) {
  asm volatile("{ .reg .pred adds;\n"
               ".reg .b64 a, b;\n"
               "setp.ne.b32 adds, %66, 0;\n"
               "mov.b64 a, {%64, 0x40000040};\n"
               "mov.b64 b, {%65, 0x40000040};\n"
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
               "a, b, adds, 1, 1, 0, 0; }"
               : CUDAX_BENCH_SUMS(s)
               : "r"(a), "r"(b), "r"(1));
}

/// wgmma.commit_group.sync.aligned, PTX ISA 8.0, sm_90a.
__device__ inline void commit_multiplications() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/// wgmma.wait_group.sync.aligned, PTX ISA 8.0, sm_90a: waits for all groups but the last one.
__device__ inline void wait_for_multiplications_before() {
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
}

/// The same for all groups; afterwards the sums may be read. They are operands, so that no read is moved before it.
__device__ inline void wait_for_multiplications(warpgroup_sums& low, warpgroup_sums& high) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : CUDAX_BENCH_SUMS(low), CUDAX_BENCH_SUMS(high)::"memory");
}

#undef CUDAX_BENCH_SUMS
#undef CUDAX_BENCH_SUMS_8

#endif

} // namespace CUDAX_BENCH_SIDE
