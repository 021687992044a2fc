// SPDX-License-Identifier: Apache-2.0
//
// locks: every lock of the library, and the locks that programs write on its atomics.
#pragma once

#include "lanes.hpp"

namespace lanes::subjects {

using cudax::memory_order_acquire, cudax::memory_order_relaxed, cudax::memory_order_release;

struct made {
  static __device__ void make(auto& object) { init(&object); }
};
struct locked_by_member : made {
  static __device__ void lock(auto& object) { object.lock(); }
  static __device__ void unlock(auto& object) { object.unlock(); }
};

struct mutex : locked_by_member {
  static constexpr char const* name = "mutex";
  template <thread_scope S> using object = cudax::mutex<S>;
};
struct mutex_try : mutex {
  static constexpr char const* name = "mutex_try";
  static __device__ void lock(auto& object) {
    while (!object.try_lock()) {}
  }
};
struct mutex_try_for : mutex {
  static constexpr char const* name = "mutex_try_for";
  static __device__ void lock(auto& object) {
    while (!object.try_lock_for(cudax::nanoseconds(1000))) {}
  }
};
struct mutex_guard : mutex { // by the guard's constructor and destructor
  static constexpr char const* name = "unique_lock";
  static __device__ void lock(auto& object) { (void)cudax::unique_lock(object).release(); }
  static __device__ void unlock(auto& object) { cudax::unique_lock const holds(object, cudax::adopt_lock); }
};
struct ticket_mutex : locked_by_member {
  static constexpr char const* name = "ticket_mutex";
  template <thread_scope S> using object = cudax::ticket_mutex<S>;
};
struct shared_mutex : locked_by_member {
  static constexpr char const* name = "shared_mutex";
  template <thread_scope S> using object = cudax::shared_mutex<S>;
};

/// The block's part of a cohort_mutex, with the outer mutex beside it.
struct cohort_mutex {
  static constexpr char const* name = "cohort_mutex";
  template <thread_scope S> struct object {
    cudax::mutex<S> outer;
    cudax::cohort_mutex<cudax::mutex<S>, S> part;
  };
  static __device__ void make(auto& o) {
    init(&o.outer);
    init(&o.part, o.outer, 3); // the lock leaves the cohort every third time
  }
  static __device__ void lock(auto& o) { o.part.lock(); }
  static __device__ void unlock(auto& o) { o.part.unlock(); }
};

struct semaphore_lock {
  static __device__ void make(auto& object) { init(&object, 1); }
  static __device__ void lock(auto& object) { object.acquire(); }
  static __device__ void unlock(auto& object) { object.release(); }
};
struct binary_semaphore : semaphore_lock {
  static constexpr char const* name = "binary_semaphore";
  template <thread_scope S> using object = cudax::binary_semaphore<S>;
};
struct binary_semaphore_try : binary_semaphore {
  static constexpr char const* name = "binary_semaphore_try";
  static __device__ void lock(auto& object) {
    while (!object.try_acquire()) {}
  }
};
struct counting_semaphore : semaphore_lock {
  static constexpr char const* name = "counting_semaphore";
  template <thread_scope S> using object = cudax::counting_semaphore<S, 8>;
};
struct fair_semaphore : semaphore_lock {
  static constexpr char const* name = "fair_semaphore";
  template <thread_scope S> using object = cudax::fair_semaphore<S>;
};

// --- the program's own ---

template <class T> struct word_lock {
  template <thread_scope S> using object = cudax::atomic<T, S>;
  static __device__ void make(auto& object) { init(&object, 0); }
  static __device__ void unlock(auto& object) { object.store(0, memory_order_release); }
};
template <class T> struct by_compare_exchange : word_lock<T> {
  static __device__ void lock(auto& object) {
    T free = 0;
    while (!object.compare_exchange_weak(free, T(1), memory_order_acquire, memory_order_relaxed)) free = 0;
  }
};
struct compare_exchange : by_compare_exchange<unsigned> {
  static constexpr char const* name = "compare_exchange";
};
struct compare_exchange_u8 : by_compare_exchange<unsigned char> {
  static constexpr char const* name = "compare_exchange_u8";
};
struct compare_exchange_u16 : by_compare_exchange<unsigned short> {
  static constexpr char const* name = "compare_exchange_u16";
};
struct compare_exchange_u64 : by_compare_exchange<unsigned long long> {
  static constexpr char const* name = "compare_exchange_u64";
};
struct exchange : word_lock<unsigned> {
  static constexpr char const* name = "exchange";
  static __device__ void lock(auto& object) {
    while (object.exchange(1, memory_order_acquire)) {}
  }
};
struct exchange_seq_cst : exchange {
  static constexpr char const* name = "exchange_seq_cst";
  static __device__ void unlock(auto& object) { object.store(0); }
};
struct exchange_fence : exchange { // released by a fence and a relaxed store
  static constexpr char const* name = "exchange_fence";
  static __device__ void unlock(auto& object) {
    cudax::atomic_thread_fence(memory_order_release, cudax::thread_scope_system);
    object.store(0, memory_order_relaxed);
  }
};
struct exchange_wait : exchange {
  static constexpr char const* name = "exchange_wait";
  static __device__ void lock(auto& object) {
    while (object.exchange(1, memory_order_acquire)) object.wait(1, memory_order_relaxed);
  }
  static __device__ void unlock(auto& object) {
    object.store(0, memory_order_release);
    object.notify_one();
  }
};
struct flag : made {
  static constexpr char const* name = "atomic_flag";
  template <thread_scope S> using object = cudax::basic_atomic_flag<S>;
  static __device__ void lock(auto& object) {
    while (object.test_and_set(memory_order_acquire)) {}
  }
  static __device__ void unlock(auto& object) { object.clear(memory_order_release); }
};

using all_locks =
    list<mutex, mutex_try, mutex_try_for, mutex_guard, ticket_mutex, shared_mutex, cohort_mutex, binary_semaphore,
         binary_semaphore_try, counting_semaphore, fair_semaphore, compare_exchange, compare_exchange_u8,
         compare_exchange_u16, compare_exchange_u64, exchange, exchange_seq_cst, exchange_fence, exchange_wait, flag>;

} // namespace lanes::subjects
