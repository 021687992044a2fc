// SPDX-License-Identifier: Apache-2.0
//
// access: how an instruction reaches memory in a fast and in a checked run.
// An instruction on memory is written once, as a struct with `template <class Access> static void run(...)`. Access is
// a policy: `fast` accesses memory of the host, `checked` tells the observer, which does it. The decoder selects one of
// the two when it decodes (access_handler), so a fast run pays nothing for the other. After an instruction of a checked
// run another thread may have its turn.
#pragma once

#include "atomic.hpp"
#include "memory_observer.hpp"

namespace emulator {

inline ordering ordering_of(operation const& o) { return std::bit_cast<ordering>(o.extra); }

struct fast {
  template <int Order, class T>
  static T load(thread&, operation const&, std::byte const* where, u32 /*vector_size*/ = 0) {
    return read<Order, T>(where);
  }
  template <int Order, class T>
  static void store(thread&, operation const&, std::byte* where, T value, u32 /*vector_size*/ = 0) {
    write<Order, T>(where, value);
  }
  /// Operation: one of atomic.hpp. Returns: the value before
  template <class Operation, bool Returns>
  static typename Operation::type update(thread&, operation const&, std::byte* where,
                                         typename Operation::type operand) {
    return Operation::apply(where, operand);
  }
  /// Stores `desired` where `expected` was found. Returns: what was found
  template <class T>
  static T compare_and_swap(thread&, operation const&, std::byte* where, T expected, T desired) {
    if constexpr (sizeof(T) == 16) {
      expected = compare_exchange_128(reinterpret_cast<u128*>(where), expected, desired);
    } else {
      __atomic_compare_exchange_n(reinterpret_cast<T*>(where), &expected, desired, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE);
    }
    return expected;
  }
  template <int Order>
  static void fence(thread&, operation const&) {
    __atomic_thread_fence(Order);
  }
  static void proxy_fence(thread&, bool, bool) {}
};

struct checked {
  template <int, class T>
  static T load(thread& t, operation const& o, std::byte const* where, u32 vector_size = 0) {
    T value;
    the_memory_observer().load(t, where, sizeof(T), ordering_of(o), &value, vector_size);
    return value;
  }
  template <int, class T>
  static void store(thread& t, operation const& o, std::byte* where, T value, u32 vector_size = 0) {
    the_memory_observer().store(t, where, sizeof(T), ordering_of(o), &value, vector_size);
  }
  template <class Operation, bool Returns>
  static typename Operation::type update(thread& t, operation const& o, std::byte* where,
                                         typename Operation::type operand) {
    typename Operation::type old;
    the_memory_observer().update(
        t, where, sizeof(old), ordering_of(o), &old,
        [operand](void* value) { return Operation::apply(static_cast<std::byte*>(value), operand), true; },
        Returns ? update_kind::returns : update_kind::reduction);
    return old;
  }
  template <class T>
  static T compare_and_swap(thread& t, operation const& o, std::byte* where, T expected, T desired) {
    T found;
    the_memory_observer().update(
        t, where, sizeof(T), ordering_of(o), &found,
        [&](void* value) {
          T old;
          std::memcpy(&old, value, sizeof(T));
          if (old == expected) std::memcpy(value, &desired, sizeof(T));
          return old == expected;
        },
        update_kind::comparison);
    return found;
  }
  /// a: whether it is .sc; b: whether it is restricted to shared memory
  template <int>
  static void fence(thread& t, operation const& o) {
    the_memory_observer().fence(t, ordering_of(o).semantics, ordering_of(o).scope, o.a != 0, o.b != 0);
  }
  static void proxy_fence(thread& t, bool global, bool shared) { the_memory_observer().proxy_fence(t, global, shared); }
};

/// The end of a handler of the returns_next shape: the next operation, unless the thread's turn is over.
inline operation const* next_unless_turn_is_over(thread& t, operation const* o) {
  if (--t.budget >= 0) return o + 1;
  t.pc = o + 1;
  return nullptr;
}

/// A handler of the accesses shape as one after which another thread may have its turn.
template <void (*F)(thread&, std::uint64_t*, operation const&)>
operation const* interruptible(thread& t, operation const* o, std::uint64_t* registers) {
  F(t, registers, *o);
  return next_unless_turn_is_over(t, o);
}

/// The handler for F, which itself tells the observer what it does.
template <void (*F)(thread&, std::uint64_t*, operation const&)>
handler interruptible_handler() {
  return is_checked_run() ? returns_next<interruptible<F>> : accesses<F>;
}

/// The handler for an instruction that is written for both policies.
template <class Instruction>
handler access_handler(bool is_checked) {
  return is_checked ? returns_next<interruptible<Instruction::template run<checked>>>
                    : accesses<Instruction::template run<fast>>;
}

} // namespace emulator
