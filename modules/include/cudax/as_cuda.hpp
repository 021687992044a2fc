// SPDX-License-Identifier: Apache-2.0
//
// as_cuda: this library under libcu++'s names, for programs that were written for libcu++.
//
// The program includes this header before every header of libcu++, Thrust, CUB and cooperative groups, or is compiled
// with `-include cudax/as_cuda.hpp`. Its own `#include <cuda/atomic>` and the like may stay: they do nothing then. All
// else that libcu++ has (cuda::ptx, cuda::std::span and so on) is still libcu++'s.
//
// Namespace cuda gets the names that libcu++ has there: scopes and orders, fences, atomics, barriers, latches,
// semaphores, pipelines, copies, for_each_canceled_block. Namespace cuda::std gets those of <atomic>, <barrier>,
// <latch> and <semaphore>, at system scope; cuda::std::chrono is libcu++'s, or std::chrono if there is no libcu++.
// Namespace cuda::device gets the names of cudax::device, and its namespace experimental the bulk copies of arrays.
//
// Extensions of this library stay in namespace cudax, which the program may use beside namespace cuda.
//
// libcu++'s definitions must be absent: libcu++ declares its names in an inline namespace of cuda, so that every use of
// a name would be ambiguous. This header therefore defines the include guards of libcu++'s headers for synchronization.
// Headers that use libcu++'s atomics, such as cooperative groups and Thrust, then use those of this library.
#pragma once

#if defined(_CUDA_ATOMIC) || defined(_CUDA_STD_ATOMIC) || defined(_CUDA_BARRIER) || defined(_CUDA_STD_BARRIER) ||      \
    defined(_CUDA_LATCH) || defined(_CUDA_STD_LATCH) || defined(_CUDA_SEMAPHORE) || defined(_CUDA_STD_SEMAPHORE) ||    \
    defined(_CUDA_PIPELINE) || defined(__LIBCUDACXX___ATOMIC_SCOPES_H)
#error                                                                                                                 \
    "cudax/as_cuda.hpp: a header that was included earlier has included libcu++'s <cuda/atomic>, as cooperative_groups.h, Thrust and CUB do; include <cudax/as_cuda.hpp> before all of them, or compile with -include cudax/as_cuda.hpp"
#else

// The public headers; the last four are included by CUB and <cuda/annotated_ptr>.
#define _CUDA_ATOMIC
#define _CUDA_STD_ATOMIC
#define _CUDA_BARRIER
#define _CUDA_STD_BARRIER
#define _CUDA_LATCH
#define _CUDA_STD_LATCH
#define _CUDA_SEMAPHORE
#define _CUDA_STD_SEMAPHORE
#define _CUDA_PIPELINE
#define _CUDA_WORK_STEALING_
#define _CUDA___BARRIER_ALIGNED_SIZE_H
#define _CUDA___MEMORY_ALIGNED_SIZE_H
#define _CUDA_PTX__MEMCPY_ASYNC_MEMCPY_ASYNC_H_
#define _CUDA___MEMCPY_ASYNC_MEMCPY_ASYNC_H_

// Cooperative groups declare cluster_group and this_cluster() for nvcc, and for other compilers that have the
// intrinsics and define this macro. clang 22 has them.
#if !defined(_CG_CLUSTER_INTRINSICS_AVAILABLE)
#define _CG_CLUSTER_INTRINSICS_AVAILABLE
#endif

// libcu++ defines these in <cuda/std/atomic>.
#define LIBCUDACXX_ATOMIC_FLAG_INIT {false}
#define LIBCUDACXX_ATOMIC_VAR_INIT(value) {value}

import cudax.sync;

// Detects definitions of libcu++ whose include guard is not in the list above: unqualified look-up finds `absent` only
// where namespace cuda has no thread_scope of its own.
namespace cudax_as_cuda {
struct absent;
using thread_scope = absent;
} // namespace cudax_as_cuda
namespace cuda {
using namespace ::cudax_as_cuda;
static_assert(__is_same(thread_scope, absent),
              "cudax/as_cuda.hpp: a header that was included earlier has declared libcu++'s names for synchronization; "
              "include <cudax/as_cuda.hpp> before it, or compile with -include cudax/as_cuda.hpp");
} // namespace cuda

namespace cuda {

// Scopes, orders and fences
using ::cudax::thread_scope, ::cudax::thread_scope_block, ::cudax::thread_scope_cluster, ::cudax::thread_scope_device,
    ::cudax::thread_scope_system, ::cudax::thread_scope_thread, ::cudax::memory_order, ::cudax::memory_order_relaxed,
    ::cudax::memory_order_consume, ::cudax::memory_order_acquire, ::cudax::memory_order_release,
    ::cudax::memory_order_acq_rel, ::cudax::memory_order_seq_cst, ::cudax::atomic_thread_fence,
    ::cudax::atomic_signal_fence;

// Primitives
using ::cudax::atomic, ::cudax::atomic_ref, ::cudax::barrier, ::cudax::latch, ::cudax::counting_semaphore,
    ::cudax::binary_semaphore;

// Copies and pipelines
using ::cudax::aligned_size_t, ::cudax::async_contract_fulfillment, ::cudax::memcpy_async, ::cudax::pipeline,
    ::cudax::pipeline_shared_state, ::cudax::pipeline_role, ::cudax::make_pipeline,
    ::cudax::pipeline_consumer_wait_prior, ::cudax::pipeline_producer_commit;

// Work stealing
using ::cudax::device::for_each_canceled_block;

} // namespace cuda

namespace cuda::device {

using ::cudax::device::barrier_native_handle, ::cudax::device::barrier_expect_tx, ::cudax::device::barrier_arrive_tx,
    ::cudax::device::memcpy_async_tx, ::cudax::device::barrier_arrive_remote,
    ::cudax::device::barrier_wait_parity_cluster, ::cudax::device::for_each_canceled_block;

} // namespace cuda::device

// The bulk copies of arrays in libcu++'s <cuda/barrier>. Each copy is preceded by this library's proxy fence, which
// libcu++'s copies do not have; the program's own fences may stay. Copies of tensors: cudax::tensor_map.
#if defined(__CUDA__)
namespace cuda::device::experimental {

__device__ inline void cp_async_bulk_global_to_shared(void* to, void const* from, unsigned size,
                                                      barrier<thread_scope_block>& barrier) {
  ::cudax::device::memcpy_async_tx(to, from, aligned_size_t<16>(size), barrier);
}
__device__ inline void cp_async_bulk_shared_to_global(void* to, void const* from, unsigned size) {
  ::cudax::device::memcpy_async_bulk(to, from, aligned_size_t<16>(size));
}
__device__ inline void cp_async_bulk_commit_group() { ::cudax::device::bulk_commit(); }
template <int Pending>
__device__ void cp_async_bulk_wait_group_read() {
  static_assert(Pending >= 0, "cudax.sync: cp_async_bulk_wait_group_read: the number of groups is negative; use 0");
  ::cudax::device::bulk_wait_read<Pending>();
}
__device__ inline void fence_proxy_async_shared_cta() { ::cudax::fence_proxy_async_shared(); }

} // namespace cuda::device::experimental
#endif

namespace cuda::std {

// Scopes, orders and fences
using ::cudax::thread_scope, ::cudax::thread_scope_block, ::cudax::thread_scope_cluster, ::cudax::thread_scope_device,
    ::cudax::thread_scope_system, ::cudax::thread_scope_thread, ::cudax::memory_order, ::cudax::memory_order_relaxed,
    ::cudax::memory_order_consume, ::cudax::memory_order_acquire, ::cudax::memory_order_release,
    ::cudax::memory_order_acq_rel, ::cudax::memory_order_seq_cst, ::cudax::kill_dependency,
    ::cudax::atomic_thread_fence, ::cudax::atomic_signal_fence;

// Primitives of system scope
template <class T>
using atomic = ::cudax::atomic<T, ::cudax::thread_scope_system>;
template <class T>
using atomic_ref = ::cudax::atomic_ref<T, ::cudax::thread_scope_system>;
template <class... Completion>
using barrier = ::cudax::barrier<::cudax::thread_scope_system, Completion...>;
using latch = ::cudax::latch<::cudax::thread_scope_system>;
template <decltype(sizeof(0)) LeastMax = 0x7fff'ffff>
using counting_semaphore = ::cudax::counting_semaphore<::cudax::thread_scope_system, LeastMax>;
using binary_semaphore = ::cudax::binary_semaphore<::cudax::thread_scope_system>;
using ::cudax::atomic_flag;

// The aliases of atomics
using ::cudax::atomic_bool, ::cudax::atomic_char, ::cudax::atomic_schar, ::cudax::atomic_uchar, ::cudax::atomic_short,
    ::cudax::atomic_ushort, ::cudax::atomic_int, ::cudax::atomic_uint, ::cudax::atomic_long, ::cudax::atomic_ulong,
    ::cudax::atomic_llong, ::cudax::atomic_ullong, ::cudax::atomic_char8_t, ::cudax::atomic_char16_t,
    ::cudax::atomic_char32_t, ::cudax::atomic_wchar_t, ::cudax::atomic_int8_t, ::cudax::atomic_uint8_t,
    ::cudax::atomic_int_least8_t, ::cudax::atomic_uint_least8_t, ::cudax::atomic_int_fast8_t,
    ::cudax::atomic_uint_fast8_t, ::cudax::atomic_int16_t, ::cudax::atomic_uint16_t, ::cudax::atomic_int_least16_t,
    ::cudax::atomic_uint_least16_t, ::cudax::atomic_int_fast16_t, ::cudax::atomic_uint_fast16_t,
    ::cudax::atomic_int32_t, ::cudax::atomic_uint32_t, ::cudax::atomic_int_least32_t, ::cudax::atomic_uint_least32_t,
    ::cudax::atomic_int_fast32_t, ::cudax::atomic_uint_fast32_t, ::cudax::atomic_int64_t, ::cudax::atomic_uint64_t,
    ::cudax::atomic_int_least64_t, ::cudax::atomic_uint_least64_t, ::cudax::atomic_int_fast64_t,
    ::cudax::atomic_uint_fast64_t, ::cudax::atomic_intptr_t, ::cudax::atomic_uintptr_t, ::cudax::atomic_size_t,
    ::cudax::atomic_ptrdiff_t, ::cudax::atomic_intmax_t, ::cudax::atomic_uintmax_t, ::cudax::atomic_signed_lock_free,
    ::cudax::atomic_unsigned_lock_free;

// The free functions for atomics
using ::cudax::atomic_init, ::cudax::atomic_load, ::cudax::atomic_load_explicit, ::cudax::atomic_store,
    ::cudax::atomic_store_explicit, ::cudax::atomic_exchange, ::cudax::atomic_exchange_explicit,
    ::cudax::atomic_compare_exchange_weak, ::cudax::atomic_compare_exchange_weak_explicit,
    ::cudax::atomic_compare_exchange_strong, ::cudax::atomic_compare_exchange_strong_explicit, ::cudax::atomic_wait,
    ::cudax::atomic_wait_explicit, ::cudax::atomic_fetch_add, ::cudax::atomic_fetch_add_explicit,
    ::cudax::atomic_fetch_sub, ::cudax::atomic_fetch_sub_explicit, ::cudax::atomic_fetch_and,
    ::cudax::atomic_fetch_and_explicit, ::cudax::atomic_fetch_or, ::cudax::atomic_fetch_or_explicit,
    ::cudax::atomic_fetch_xor, ::cudax::atomic_fetch_xor_explicit, ::cudax::atomic_fetch_max,
    ::cudax::atomic_fetch_max_explicit, ::cudax::atomic_fetch_min, ::cudax::atomic_fetch_min_explicit,
    ::cudax::atomic_fetch_fmaximum, ::cudax::atomic_fetch_fmaximum_explicit, ::cudax::atomic_fetch_fminimum,
    ::cudax::atomic_fetch_fminimum_explicit, ::cudax::atomic_fetch_fmaximum_num,
    ::cudax::atomic_fetch_fmaximum_num_explicit, ::cudax::atomic_fetch_fminimum_num,
    ::cudax::atomic_fetch_fminimum_num_explicit, ::cudax::atomic_store_add, ::cudax::atomic_store_add_explicit,
    ::cudax::atomic_store_sub, ::cudax::atomic_store_sub_explicit, ::cudax::atomic_store_and,
    ::cudax::atomic_store_and_explicit, ::cudax::atomic_store_or, ::cudax::atomic_store_or_explicit,
    ::cudax::atomic_store_xor, ::cudax::atomic_store_xor_explicit, ::cudax::atomic_store_max,
    ::cudax::atomic_store_max_explicit, ::cudax::atomic_store_min, ::cudax::atomic_store_min_explicit,
    ::cudax::atomic_store_fmaximum, ::cudax::atomic_store_fmaximum_explicit, ::cudax::atomic_store_fminimum,
    ::cudax::atomic_store_fminimum_explicit, ::cudax::atomic_store_fmaximum_num,
    ::cudax::atomic_store_fmaximum_num_explicit, ::cudax::atomic_store_fminimum_num,
    ::cudax::atomic_store_fminimum_num_explicit, ::cudax::atomic_flag_test, ::cudax::atomic_flag_test_explicit,
    ::cudax::atomic_flag_test_and_set, ::cudax::atomic_flag_test_and_set_explicit, ::cudax::atomic_flag_clear,
    ::cudax::atomic_flag_clear_explicit, ::cudax::atomic_flag_wait, ::cudax::atomic_flag_wait_explicit,
    ::cudax::atomic_is_lock_free, ::cudax::atomic_notify_one, ::cudax::atomic_notify_all,
    ::cudax::atomic_flag_notify_one, ::cudax::atomic_flag_notify_all;

} // namespace cuda::std

// libcu++'s <cuda/barrier> includes <cuda/ptx>, and programs rely on it.
#if defined(__CUDA__) && __has_include(<cuda/ptx>)
#include <cuda/ptx>
#endif

// cuda::std::chrono. libcu++'s header comes after the names that it may use.
#if __has_include(<cuda/std/chrono>)
#include <cuda/std/chrono>
#else
#include <chrono>
namespace cuda::std::chrono {
using namespace ::std::chrono;
}
#endif

#endif
