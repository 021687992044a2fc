// SPDX-License-Identifier: Apache-2.0
//
// generated: what the generated sources use.
#pragma once

#include "host_kernel.hpp"
#include "kernel.hpp"

import cudax.sync;

// Before sm_90 there is no fence of acquires or of releases alone.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define CUDAX_LITMUS_FENCE(order, scope) "fence.acq_rel" scope ";"
#else
#define CUDAX_LITMUS_FENCE(order, scope) "fence" order scope ";"
#endif

namespace litmus_runner {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
using u128 = unsigned __int128;

template <class T>
__host__ __device__ T& object(char* at) {
  return *reinterpret_cast<T*>(at);
}

/// The elements of a vector access. The first one has the lowest bits.
template <class T, unsigned n>
struct alignas(sizeof(T) * n) vector_of {
  T part[n];
};
template <class T, class E, unsigned n>
__host__ __device__ T joined(E const (&part)[n]) {
  T whole = 0;
  for (unsigned i = 0; i < n; ++i) whole |= T(part[i]) << (8 * sizeof(E) * i);
  return whole;
}
template <class T, class E, unsigned n>
__host__ __device__ void split(T whole, E (&part)[n]) {
  for (unsigned i = 0; i < n; ++i) part[i] = E(whole >> (8 * sizeof(E) * i));
}

/// Accesses of 16 bytes by one instruction of the host's processor. It is atomic towards other processors, not towards
/// a device.
inline u128 load_by_vector(char const* at) {
#if defined(__x86_64__)
  using vector = long long __attribute__((vector_size(16)));
  vector seen;
  asm volatile("movdqa %1, %0" : "=x"(seen) : "m"(*reinterpret_cast<vector const*>(at)) : "memory");
  return __builtin_bit_cast(u128, seen);
#else
  return *reinterpret_cast<u128 const volatile*>(at);
#endif
}
inline void store_by_vector(char* at, u128 value) {
#if defined(__x86_64__)
  using vector = long long __attribute__((vector_size(16)));
  asm volatile("movdqa %1, %0"
               : "=m"(*reinterpret_cast<vector*>(at))
               : "x"(__builtin_bit_cast(vector, value))
               : "memory");
#else
  *reinterpret_cast<u128 volatile*>(at) = value;
#endif
}

/// The barriers of an instance's threads are those of all threads of the grid that run a test.
__device__ inline void meet_in_warp(layout const& l) {
  unsigned const lanes = l.units[lane_level] * l.slots[lane_level];
  asm volatile("bar.warp.sync %0;" ::"r"(lanes == 32 ? ~0u : (1u << lanes) - 1) : "memory");
}
__device__ inline void meet_in_block(layout const& l) {
  asm volatile("barrier.sync 1, %0;" ::"r"(l.units[warp_level] * l.slots[warp_level] * 32) : "memory");
}
__device__ inline void meet_in_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
#endif
}

/// A cohort_mutex of one cohort, with its outer mutex.
template <cudax::thread_scope scope>
struct cohort_with_outer {
  cudax::mutex<scope> outer;
  cudax::cohort_mutex<cudax::mutex<scope>, scope> part;
};
/// The memory of a map. It is empty if it is 0.
template <cudax::thread_scope scope>
struct alignas(32) slots_of_map {
  typename cudax::insert_only_map<u32, u32, scope>::slot all[4] = {};
};
template <class T>
__host__ __device__ T&& std_move(T& object) {
  return static_cast<T&&>(object);
}

/// Values before and after a run of an instance, when no other thread accesses its locations. They bypass the L1 cache.
template <class T>
__host__ __device__ void initial_value(char* at, T value) {
  if constexpr (sizeof(T) == 16) {
    reinterpret_cast<u64 volatile*>(at)[0] = static_cast<u64>(value);
    reinterpret_cast<u64 volatile*>(at)[1] = static_cast<u64>(value >> 64);
  } else {
    *reinterpret_cast<T volatile*>(at) = value;
  }
}
template <class T>
__host__ __device__ T final_value(char const* at) {
  if constexpr (sizeof(T) == 16) {
    auto const* const words = reinterpret_cast<u64 const volatile*>(at);
    T const high = words[1];
    return high << 64 | words[0];
  } else {
    return *reinterpret_cast<T const volatile*>(at);
  }
}

} // namespace litmus_runner
