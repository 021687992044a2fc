// SPDX-License-Identifier: Apache-2.0
//
// library: the one place where the compared sides differ. CMake compiles every problem once for each of its sides, with
// one of these macros. Problems write `library::`, and are in the namespace CUDAX_BENCH_SIDE so that all versions can
// be linked into one program.
//
//   CUDAX_BENCH_CUDAX    cudax.sync
//   CUDAX_BENCH_PROMISED the same with CUDAX_NO_AUTOMATIC_ATOMICS
//   CUDAX_BENCH_LIBCUXX  libcu++ of the toolkit, by the same clang
//   CUDAX_BENCH_NVCC     the same by nvcc
//   CUDAX_BENCH_NEWEST, CUDAX_BENCH_NEWEST_NVCC  libcu++ of a newer toolkit, by the same clang and by that toolkit's
//   nvcc CUDAX_BENCH_CUDA     what CUDA itself offers, by nvcc: atomicAdd and its kin, __syncthreads, cooperative
//   groups CUDAX_BENCH_PTX      PTX by hand: what the machine allows CUDAX_BENCH_CUCOLLECTIONS  cuCollections, by nvcc
#pragma once

// Sides that differ from another one by the flags of the compilation only.
#if defined(CUDAX_BENCH_PROMISED)
#define CUDAX_BENCH_CUDAX
#define CUDAX_BENCH_SIDE promised_side
#elif defined(CUDAX_BENCH_NEWEST)
#define CUDAX_BENCH_LIBCUXX
#define CUDAX_BENCH_SIDE newest_side
#elif defined(CUDAX_BENCH_NEWEST_NVCC)
#define CUDAX_BENCH_NVCC
#define CUDAX_BENCH_SIDE newest_nvcc_side
#elif defined(CUDAX_BENCH_CUDAX)
#define CUDAX_BENCH_SIDE cudax_side
#elif defined(CUDAX_BENCH_LIBCUXX)
#define CUDAX_BENCH_SIDE libcuxx_side
#elif defined(CUDAX_BENCH_NVCC)
#define CUDAX_BENCH_SIDE nvcc_side
#endif

#if defined(CUDAX_BENCH_CUDAX)

import cudax.sync;
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

#elif defined(CUDAX_BENCH_LIBCUXX) || defined(CUDAX_BENCH_NVCC)

#include <cuda/atomic>
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

#elif defined(CUDAX_BENCH_CUDA)

#include "cuda_atomics.hpp"
#define CUDAX_BENCH_SIDE cuda_side
#define CUDAX_BENCH_NO_LIBRARY
namespace CUDAX_BENCH_SIDE {
namespace library = cuda_atomics;

template <library::memory_order Order, class Ref, class T>
__device__ auto store_add(Ref ref, T operand) -> decltype(void(ref.fetch_add(operand, Order))) {
  (void)ref.fetch_add(operand, Order);
}
} // namespace CUDAX_BENCH_SIDE

#elif defined(CUDAX_BENCH_PTX)

#include "by_hand.hpp"
#define CUDAX_BENCH_SIDE ptx_side
#define CUDAX_BENCH_NO_LIBRARY
namespace CUDAX_BENCH_SIDE {
namespace library = by_hand;

template <library::memory_order Order, class Ref, class T>
__device__ auto store_add(Ref ref, T operand) -> decltype(ref.store_add(operand, Order)) {
  ref.store_add(operand, Order);
}
template <library::memory_order Order, class Ref, class T>
__device__ auto store_max(Ref ref, T operand) -> decltype(ref.store_max(operand, Order)) {
  ref.store_max(operand, Order);
}
} // namespace CUDAX_BENCH_SIDE

#elif defined(CUDAX_BENCH_CUCOLLECTIONS)

#include <cuda/atomic>
#define CUDAX_BENCH_SIDE cucollections_side
namespace CUDAX_BENCH_SIDE {
namespace library = cuda; // cuCollections takes its scopes and orders from libcu++
} // namespace CUDAX_BENCH_SIDE

#else
#error "define the macro of a side, like CUDAX_BENCH_CUDAX: tools/benchmarks/CMakeLists.txt does"
#endif

namespace CUDAX_BENCH_SIDE {

inline constexpr auto relaxed = library::memory_order_relaxed;
inline constexpr auto acquire = library::memory_order_acquire;
inline constexpr auto release = library::memory_order_release;
inline constexpr auto acq_rel = library::memory_order_acq_rel;
inline constexpr auto seq_cst = library::memory_order_seq_cst;

template <class T> using device_ref = library::atomic_ref<T, library::thread_scope_device>;
template <class T> using block_ref = library::atomic_ref<T, library::thread_scope_block>;
/// To an object in shared memory.
#if defined(CUDAX_BENCH_PTX)
template <class T> using shared_ref = library::atomic_ref<T, library::thread_scope_block, library::space::shared>;
#else
template <class T> using shared_ref = block_ref<T>;
#endif

} // namespace CUDAX_BENCH_SIDE
