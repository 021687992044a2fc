// SPDX-License-Identifier: Apache-2.0
//
// cuda_atomics: CUDA's own atomic functions with the interface of an atomic_ref. They are relaxed, so operations of
// other orders do not exist here, and problems have no rows for them.
#pragma once

#include <concepts>
#include <type_traits>

namespace cuda_atomics {

enum memory_order {
  memory_order_relaxed,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
enum thread_scope { thread_scope_block, thread_scope_device, thread_scope_system };

/// Defines a function that calls CUDA's `name` of the scope, if there is one for T.
#define CUDAX_BENCH_ATOMIC(member, name)                                                                               \
  __device__ T member(T operand, memory_order) const                                                                   \
    requires requires(T* object) { name(object, operand); }                                                            \
  {                                                                                                                    \
    if constexpr (Scope == thread_scope_block) return name##_block(object_, operand);                                  \
    else if constexpr (Scope == thread_scope_system) return name##_system(object_, operand);                           \
    else return name(object_, operand);                                                                                \
  }

template <class T, thread_scope Scope> class atomic_ref {
  T* object_;

public:
  __device__ explicit atomic_ref(T& object) : object_(&object) {}
  CUDAX_BENCH_ATOMIC(fetch_add, atomicAdd)
  CUDAX_BENCH_ATOMIC(fetch_or, atomicOr)
  CUDAX_BENCH_ATOMIC(exchange, atomicExch)

  __device__ bool compare_exchange_strong(T& expected, T desired, memory_order, memory_order) const
    requires requires(T* object) {
      atomicCAS(object, expected, desired);
      requires Scope == thread_scope_device || requires { atomicCAS_block(object, expected, desired); };
    }
  {
    T before;
    if constexpr (Scope == thread_scope_block) before = atomicCAS_block(object_, expected, desired);
    else if constexpr (Scope == thread_scope_system) before = atomicCAS_system(object_, expected, desired);
    else before = atomicCAS(object_, expected, desired);
    bool const done = before == expected;
    expected = before;
    return done;
  }
};

#undef CUDAX_BENCH_ATOMIC

/// Stands for the object of __syncthreads and grid.sync, which have none.
template <thread_scope Scope> struct barrier {
  static constexpr thread_scope scope = Scope;
  __device__ explicit barrier(unsigned) {}
};
template <thread_scope Scope> __device__ void init(barrier<Scope>*, unsigned) {}

} // namespace cuda_atomics
