// SPDX-License-Identifier: Apache-2.0
//
// machine: atomic operations on words, the same on host and device. The side being compiled does what it can in one
// operation (host.cppm, device.cppm); the rest are loops on compare_exchange. Thread scope is plain access: no other
// thread may touch the object, so there is nothing to order and nothing to make atomic.
module;
#include "macros.hpp"
export module cudax.sync:machine;
import :bits;
import :modify;
import :order;
import :scope;
#if CUDAX_ON_DEVICE
import :device;
#else
import :host;
#endif

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

#if CUDAX_ON_DEVICE
namespace side = device_machine;
#else
namespace side = host_machine;
#endif

[[noreturn]] inline void stop(char const* sentence, long long value) noexcept { side::stop(sentence, value); }

// --- plain access: thread scope ------------------------------------------------------------------------------------

template <class V>
V plain_load(void const* object) noexcept {
  typedef V __attribute__((may_alias)) word; // an atomic_ref<float> loads a u32
  return *(word const*)object;
}
template <class V>
void plain_store(void* object, V value) noexcept {
  typedef V __attribute__((may_alias)) word;
  *(word*)object = value;
}

// --- operations ----------------------------------------------------------------------------------------------------

template <thread_scope S, class U>
U load(void const* object, memory_order order) noexcept {
  if constexpr (S == thread_scope_thread) return plain_load<U>(object);
  else return side::template load<U>(object, order, S);
}

template <thread_scope S, class U>
void store(void* object, U value, memory_order order) noexcept {
  if constexpr (S == thread_scope_thread) plain_store(object, value);
  else side::template store<U>(object, value, order, S);
}

template <thread_scope S, class U>
U exchange(void* object, U value, memory_order order) noexcept {
  if constexpr (S == thread_scope_thread) {
    U const before = plain_load<U>(object);
    plain_store(object, value);
    return before;
  } else {
    return side::template exchange<U>(object, value, order, S);
  }
}

/// Strong: fails only where the object does not hold `expected`, which then receives what it holds.
template <thread_scope S, class U>
bool compare_exchange(void* object, U& expected, U desired, memory_order success, memory_order failure) noexcept {
  if constexpr (S == thread_scope_thread) {
    U const before = plain_load<U>(object);
    bool const exchanged = before == expected;
    if (exchanged) plain_store(object, desired);
    else expected = before;
    return exchanged;
  } else {
    return side::template compare_exchange<U>(object, expected, desired, success, failure, S);
  }
}

/// Replaces the value by modified<M>(value, operand) and returns the value before. The first look of the loop may be
/// relaxed: the round that succeeds reads the value again, with `order`.
template <modification M, thread_scope S, class V>
V fetch(void* object, V operand, memory_order order) noexcept {
  if constexpr (S == thread_scope_thread) {
    V const before = plain_load<V>(object);
    plain_store(object, modified<M>(before, operand));
    return before;
  } else if constexpr (side::template has_fetch<M, V>) {
    return side::template fetch<M, V>(object, operand, order, S);
  } else {
    using U = word_of<V>;
    U before = side::template load<U>(object, memory_order::relaxed, S);
    while (!side::template compare_exchange<U>(object, before, to_word(modified<M>(from_word<V>(before), operand)),
                                               order, memory_order::relaxed, S)) {}
    return from_word<V>(before);
  }
}

/// As fetch, without a result; the order is a store's.
template <modification M, thread_scope S, class V>
void reduce(void* object, V operand, memory_order order) noexcept {
  if (order == memory_order::consume || order == memory_order::acquire || order == memory_order::acq_rel)
    stop("cudax.sync: store_key: memory order %lld is not allowed; use relaxed, release or seq_cst [atomics.ref.int]\n",
         int(order));
  if constexpr (S != thread_scope_thread && side::template has_fetch<M, V>)
    side::template reduce<M, V>(object, operand, order, S);
  else fetch<M, S, V>(object, operand, order);
}

template <thread_scope S>
void fence(memory_order order) noexcept {
  if constexpr (S != thread_scope_thread) side::fence(order, S);
}

/// Orders memory for the compiler alone.
inline void signal_fence(memory_order order) noexcept { side::signal_fence(order); }

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
