// SPDX-License-Identifier: Apache-2.0
//
// flags: what one lane waits for and another one ends: stores of every order and size, and the primitives.
#pragma once

#include "locks.hpp"

namespace lanes::subjects {

template <class T> struct word_flag {
  template <thread_scope S> using object = cudax::atomic<T, S>;
  static __device__ void make(auto& object) { init(&object, T(0)); }
  static __device__ void await(auto& object) {
    while (object.load(memory_order_acquire) == T(0)) {}
  }
  static __device__ void pass(auto& object) { object.store(T(1), memory_order_release); }
};
struct store_release : word_flag<unsigned> {
  static constexpr char const* name = "store_release";
};
struct store_relaxed : word_flag<unsigned> {
  static constexpr char const* name = "store_relaxed";
  static __device__ void await(auto& object) {
    while (object.load(memory_order_relaxed) == 0) {}
  }
  static __device__ void pass(auto& object) { object.store(1, memory_order_relaxed); }
};
struct store_seq_cst : word_flag<unsigned> {
  static constexpr char const* name = "store_seq_cst";
  static __device__ void await(auto& object) {
    while (object.load() == 0) {}
  }
  static __device__ void pass(auto& object) { object.store(1); }
};
struct store_u8 : word_flag<unsigned char> {
  static constexpr char const* name = "store_u8";
};
struct store_u16 : word_flag<unsigned short> {
  static constexpr char const* name = "store_u16";
};
struct store_u64 : word_flag<unsigned long long> {
  static constexpr char const* name = "store_u64";
};
struct store_float : word_flag<float> {
  static constexpr char const* name = "store_float";
};
struct store_wait : word_flag<unsigned> {
  static constexpr char const* name = "store_wait";
  static __device__ void await(auto& object) { object.wait(0, memory_order_acquire); }
  static __device__ void pass(auto& object) {
    object.store(1, memory_order_release);
    object.notify_all();
  }
};
struct store_fence : word_flag<unsigned> { // both sides with fences
  static constexpr char const* name = "store_fence";
  static __device__ void await(auto& object) {
    while (object.load(memory_order_relaxed) == 0) {}
    cudax::atomic_thread_fence(memory_order_acquire, cudax::thread_scope_device);
  }
  static __device__ void pass(auto& object) {
    cudax::atomic_thread_fence(memory_order_release, cudax::thread_scope_device);
    object.store(1, memory_order_relaxed);
  }
};
/// 16 bytes: the only store that is inline PTX.
struct store_wide {
  static constexpr char const* name = "store_wide";
  struct alignas(16) pair {
    unsigned long long a, b;
  };
  template <thread_scope S> struct object {
    alignas(16) pair value;
  };
  template <thread_scope S> static __device__ auto reference(object<S>& o) {
    return cudax::atomic_ref<pair, S>(o.value);
  }
  static __device__ void make(auto& o) { o.value = {}; }
  static __device__ void await(auto& o) {
    while (reference(o).load(memory_order_acquire).b == 0) {}
  }
  static __device__ void pass(auto& o) { reference(o).store({1, 1}, memory_order_release); }
};
struct fetch_add : word_flag<unsigned> {
  static constexpr char const* name = "fetch_add";
  static __device__ void pass(auto& object) { (void)object.fetch_add(1, memory_order_release); }
};
struct reduction : word_flag<unsigned> {
  static constexpr char const* name = "store_add";
  static __device__ void pass(auto& object) { object.store_add(1, memory_order_release); }
};
struct flag_wait : flag {
  static constexpr char const* name = "flag_wait";
  static __device__ void await(auto& object) { object.wait(false, memory_order_acquire); }
  static __device__ void pass(auto& object) {
    (void)object.test_and_set(memory_order_release);
    object.notify_all();
  }
};

template <class Semaphore> struct semaphore_flag : Semaphore {
  static __device__ void make(auto& object) { init(&object, 0); }
  static __device__ void await(auto& object) { object.acquire(); }
  static __device__ void pass(auto& object) { object.release(); }
};
using binary_semaphore_flag = semaphore_flag<binary_semaphore>;
using counting_semaphore_flag = semaphore_flag<counting_semaphore>;
using fair_semaphore_flag = semaphore_flag<fair_semaphore>;

struct latch {
  static constexpr char const* name = "latch";
  template <thread_scope S> using object = cudax::latch<S>;
  static __device__ void make(auto& object) { init(&object, 1); }
  static __device__ void await(auto& object) { object.wait(); }
  static __device__ void pass(auto& object) { object.count_down(); }
};
struct latch_try : latch {
  static constexpr char const* name = "latch_try";
  static __device__ void await(auto& object) {
    while (!object.try_wait()) {}
  }
};
/// A barrier of one thread: the waiting lanes only poll its parity.
struct barrier {
  static constexpr char const* name = "barrier";
  template <thread_scope S> using object = cudax::barrier<S>;
  static __device__ void make(auto& object) { init(&object, 1); }
  static __device__ void await(auto& object) { object.wait_parity(false); }
  static __device__ void pass(auto& object) { (void)object.arrive(); }
};
struct barrier_try : barrier {
  static constexpr char const* name = "barrier_try";
  static __device__ void await(auto& object) {
    while (!object.try_wait_parity(false)) {}
  }
};
struct stop_token : made {
  static constexpr char const* name = "stop_token";
  template <thread_scope S> using object = cudax::stop_state<S>;
  static __device__ void await(auto& object) {
    auto const token = cudax::stop_source(object).get_token();
    while (!token.stop_requested()) {}
  }
  static __device__ void pass(auto& object) { (void)cudax::stop_source(object).request_stop(); }
};
struct stop_callback : stop_token {
  static constexpr char const* name = "stop_callback";
  static __device__ void await(auto& object) {
    unsigned called = 0;
    auto const call = [&called] { called = 1; };
    cudax::stop_callback on_stop(cudax::stop_source(object).get_token(), call);
    while (!on_stop.poll()) {}
    if (!called) __trap();
  }
};
/// A turn that lanes take in order, under a mutex.
struct condition {
  static constexpr char const* name = "condition";
  template <thread_scope S> struct object {
    cudax::mutex<S> access;
    cudax::condition_variable_any<S> changed;
    unsigned raised;
  };
  static __device__ void make(auto& o) {
    init(&o.access);
    init(&o.changed);
    o.raised = 0;
  }
  static __device__ void await(auto& o) {
    cudax::unique_lock lock(o.access);
    o.changed.wait(lock, [&o] { return o.raised != 0; });
  }
  static __device__ void pass(auto& o) {
    {
      cudax::unique_lock const lock(o.access);
      o.raised = 1;
    }
    o.changed.notify_all();
  }
};

using flags_of_many = list<store_relaxed, store_release, store_seq_cst, store_u8, store_u16, store_u64, store_float,
                           store_wide, store_wait, store_fence, fetch_add, reduction, flag_wait, latch, latch_try,
                           barrier, barrier_try, stop_token, stop_callback, condition>;
using flags_of_one = list<binary_semaphore_flag, counting_semaphore_flag, fair_semaphore_flag>; // one thread waits

// --- operations in which lanes wait for each other ---

/// A value that takes a lock.
struct locked_value {
  static constexpr char const* name = "locked_value";
  struct large {
    unsigned a, b, c;
  };
  template <thread_scope S> using object = cudax::atomic<large, S>;
  static __device__ void make(auto& object) { init(&object, large{}); }
  static __device__ void run(auto& object, unsigned& count, unsigned) {
    large seen = object.load();
    while (!object.compare_exchange_weak(seen, {seen.a + 1, seen.b + 2, seen.c + 3})) {}
    if (seen.b != seen.a * 2 || seen.c != seen.a * 3) __trap();
    cudax::atomic_ref<unsigned, cudax::thread_scope_device>(count).store_add(1, memory_order_relaxed);
  }
};
/// Each lane counts: the call of one of them is seen by all others.
struct once : made {
  static constexpr char const* name = "once";
  template <thread_scope S> struct object {
    cudax::basic_once_flag<S> flag;
    unsigned value;
  };
  static __device__ void make(auto& o) {
    init(&o.flag);
    o.value = 0;
  }
  static __device__ void run(auto& o, unsigned& count, unsigned) {
    call_once(o.flag, [&o] { ++o.value; });
    if (o.value != 1) __trap();
    cudax::atomic_ref<unsigned, cudax::thread_scope_device>(count).store_add(1, memory_order_relaxed);
  }
};
/// Lanes insert one key: in separate slots all but one wait for the one that writes it.
template <unsigned long long PackedBytes> struct map_of {
  template <thread_scope S> struct object {
    using map =
        cudax::insert_only_map<unsigned long long, unsigned, S, cudax::value_hash, cudax::value_equal, PackedBytes>;
    typename map::slot slots[4];
  };
  static __device__ void make(auto& o) { __builtin_memset(&o, 0, sizeof o); }
  template <class Object> static __device__ void run(Object& o, unsigned& count, unsigned rank) {
    typename Object::map const map(o.slots, 4);
    auto const [value, inserted] = map.try_insert(rank % 2 + 1, 7u);
    if (!value || *value != 7) __trap();
    cudax::atomic_ref<unsigned, cudax::thread_scope_device>(count).store_add(1, memory_order_relaxed);
  }
};
struct map_separate : map_of<0> {
  static constexpr char const* name = "map_separate";
};
/// A barrier at which the lanes of the subject arrive one by one, before the place.
struct barrier_of_all {
  static constexpr char const* name = "barrier_of_all";
  template <thread_scope S> using object = cudax::barrier<S>;
  static __device__ void make(auto& object) { init(&object, blockDim.x); } // one object for all threads
  static __device__ void run(auto& object, unsigned& count, unsigned) {
    object.arrive_and_wait();
    cudax::atomic_ref<unsigned, cudax::thread_scope_device>(count).store_add(1, memory_order_relaxed);
  }
};
struct latch_of_all : barrier_of_all {
  static constexpr char const* name = "latch_of_all";
  template <thread_scope S> using object = cudax::latch<S>;
};

using operations = list<locked_value, once, map_separate>;
using operations_of_all = list<barrier_of_all, latch_of_all>;

} // namespace lanes::subjects
