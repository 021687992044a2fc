// SPDX-License-Identifier: Apache-2.0
//
// library: the one place where the two compared libraries differ. CMake compiles every problem twice with the same
// compiler and the same flags, once with CUDAX_BENCH_CUDAX and once with CUDAX_BENCH_LIBCUXX. Problems write
// `library::`, and are in the namespace CUDAX_BENCH_SIDE so that both versions can be linked into one program.
#pragma once

#if defined(CUDAX_BENCH_CUDAX)

import cudax.sync;
#define CUDAX_BENCH_SIDE cudax_side
namespace CUDAX_BENCH_SIDE {
namespace library = cudax;

/// 128-bit compare-and-swap requires sm_90. Below, the device link would fail with an undefined symbol whose name gives
/// the reason.
inline constexpr unsigned wide_minimum_sm = 90;

// Operations without a result.
template <library::memory_order Order, class Ref, class T> __device__ void store_add(Ref ref, T operand) {
  ref.store_add(operand, Order);
}
template <library::memory_order Order, class Ref, class T> __device__ void store_max(Ref ref, T operand) {
  ref.store_max(operand, Order);
}
} // namespace CUDAX_BENCH_SIDE

#elif defined(CUDAX_BENCH_LIBCUXX)

#include <cuda/atomic>
#define CUDAX_BENCH_SIDE libcuxx_side
namespace CUDAX_BENCH_SIDE {
namespace library = cuda;

/// For 16 bytes, atomic<T> contains a lock beside the value. (atomic_ref<T> is declared, but its compare_exchange does
/// not compile in 3.0.1, with clang or nvcc, so the row is measured on atomic<T> for both libraries.)
inline constexpr unsigned wide_minimum_sm = 0;

// libcu++ has no operations without a result: its users call fetch_add and drop the result.
template <library::memory_order Order, class Ref, class T> __device__ void store_add(Ref ref, T operand) {
  (void)ref.fetch_add(operand, Order);
}
template <library::memory_order Order, class Ref, class T> __device__ void store_max(Ref ref, T operand) {
  (void)ref.fetch_max(operand, Order);
}
} // namespace CUDAX_BENCH_SIDE

#else
#error "define CUDAX_BENCH_CUDAX or CUDAX_BENCH_LIBCUXX: tools/benchmarks/CMakeLists.txt does"
#endif

namespace CUDAX_BENCH_SIDE {

inline constexpr auto relaxed = library::memory_order_relaxed;
inline constexpr auto acquire = library::memory_order_acquire;
inline constexpr auto release = library::memory_order_release;
inline constexpr auto acq_rel = library::memory_order_acq_rel;
inline constexpr auto seq_cst = library::memory_order_seq_cst;

template <class T> using device_ref = library::atomic_ref<T, library::thread_scope_device>;
template <class T> using block_ref = library::atomic_ref<T, library::thread_scope_block>;

} // namespace CUDAX_BENCH_SIDE
