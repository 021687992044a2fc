// SPDX-License-Identifier: Apache-2.0
//
// late_stores: atomic operations in a memory whose stores other threads see late, as [atomics.order] allows.
//
// The thread sanitizer takes seq_cst for acq_rel, and on x86-64 a read-modify-write is sequentially consistent whatever
// its order. So a protocol in which one thread writes a and reads b, and another one writes b and reads a, passes every
// test with an order that is too weak. In this memory it does not: a store is in the memory at once, but for a random
// time up to thirty milliseconds a load of another thread may return an older value. It may not if
//   - the thread has read this store or a later one of the object (coherence);
//   - the store happens before the load;
//   - the total order S requires it: of the store, or a seq_cst fence after it, and the load, or a seq_cst fence before
//   it.
// A read-modify-write reads the newest value.
//
// The memory is stronger than the standard's in two respects: the modification orders, and S, are those of time; and no
// operation is early. So what fails here fails by the standard, too, and some failures are missed.
//
// Values that are written by plain stores, or by code without the sanitizer's calls, are seen at once. What a new
// thread reads, and what a thread wrote that ended, is not late. Locks of the C library order nothing here: what a
// program orders by them alone is not for this memory.
#pragma once

#include "orders.hpp"

#include <cstdint>
#include <cstring>

namespace cudax_sweep::late_stores {

/// Whether operations go through this memory: after turn_on(), or with the environment variable CUDAX_SWEEP_LATE.
bool on() noexcept;
void turn_on() noexcept;

void fence(int order) noexcept;

// --- the parts of an operation
// -----------------------------------------------------------------------------------------

/// One operation at a time.
class turn {
public:
  turn() noexcept;
  ~turn();
};

/// The value that a load returns, for an object that holds `newest`.
std::uint64_t read(void const volatile* object, std::uint64_t newest, int order) noexcept;
/// A store that replaced `before`. `continues`: it is a read-modify-write, which has read `before` with `order`.
void written(void const volatile* object, std::uint64_t before, std::uint64_t value, int order,
             bool continues) noexcept;
/// A load that returns the newest value.
void read_newest(void const volatile* object, std::uint64_t newest, int order) noexcept;

// --- operations
// --------------------------------------------------------------------------------------------------------

// Objects of 16 bytes are not late.
template <class T> constexpr bool is_late = sizeof(T) <= 8;

template <class T> T load(T const volatile* object, int order) noexcept {
  turn const mine;
  T const newest = __atomic_load_n(object, __ATOMIC_SEQ_CST);
  if constexpr (is_late<T>) return static_cast<T>(read(object, newest, order));
  else return newest;
}

template <class T> void store(T volatile* object, T value, int order) noexcept {
  turn const mine;
  T const before = __atomic_exchange_n(object, value, __ATOMIC_SEQ_CST);
  if constexpr (is_late<T>) written(object, before, value, order, false);
}

template <class T, class Modify> T modify(T volatile* object, int order, Modify act) noexcept {
  turn const mine;
  T const before = act(object);
  if constexpr (is_late<T>) written(object, before, __atomic_load_n(object, __ATOMIC_SEQ_CST), order, true);
  return before;
}

template <class T> bool compare_exchange(T volatile* object, T& expected, T desired, orders of) noexcept {
  turn const mine;
  T const wanted = expected;
  bool const done = __atomic_compare_exchange_n(object, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if constexpr (is_late<T>) {
    if (done) written(object, wanted, desired, of.success, true);
    // One that fails is a load. An older value may be the one that it compares with: then it has read the newest one.
    else if (T const seen = static_cast<T>(read(object, expected, of.failure)); seen != wanted) expected = seen;
    else read_newest(object, expected, of.failure);
  }
  return done;
}

} // namespace cudax_sweep::late_stores
