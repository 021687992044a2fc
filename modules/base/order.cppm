// SPDX-License-Identifier: Apache-2.0
//
// order: memory orders.  [atomics.order]
// The enumeration is this library's own, because no interface unit includes a standard header. Its values are those of
// std::memory_order. Functions take an order as any_order, load_order or store_order. Both enumerations convert to
// these types, and each type accepts only the orders that the operation allows.
module;
#include "macros.hpp"
export module cudax.sync:order;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Selects how an atomic operation orders the memory operations around it.
/// Source:   [atomics.order]; consume is implemented as acquire
/// Example:
///     void publish(int& datum, cudax::atomic<bool>& ready) {
///       datum = 42;
///       ready.store(true, cudax::memory_order_release); // pairs with an acquire load of `ready`
///     }
enum class memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };

/// The enumerators of memory_order under the names of the standard.
/// Source:   [atomics.order]
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

/// Returns `value`. Consume is implemented as acquire, so there is no dependency to end.
/// Source:   [depr.atomics.order]; deprecated in C++26
template <class T>
constexpr T kill_dependency(T value) noexcept {
  return static_cast<T&&>(value);
}

} // namespace cudax

namespace cudax {

/// An enumeration with the enumerators and values of std::memory_order.
template <class E>
concept standard_memory_order =
    __is_enum(E) && !__is_same(E, memory_order) && int(E::relaxed) == 0 && int(E::consume) == 1 &&
    int(E::acquire) == 2 && int(E::release) == 3 && int(E::acq_rel) == 4 && int(E::seq_cst) == 5;

constexpr bool exists(memory_order order) noexcept {
  return int(order) >= int(memory_order::relaxed) && int(order) <= int(memory_order::seq_cst);
}
/// Returns whether a load cannot have this order.
constexpr bool forbidden_in_load(int order) noexcept {
  return order == int(memory_order::release) || order == int(memory_order::acq_rel);
}
/// Returns whether a store cannot have this order.
constexpr bool forbidden_in_store(int order) noexcept {
  return order == int(memory_order::consume) || order == int(memory_order::acquire) ||
         order == int(memory_order::acq_rel);
}
constexpr bool allowed_in_load(memory_order order) noexcept { return exists(order) && !forbidden_in_load(int(order)); }
constexpr bool allowed_in_store(memory_order order) noexcept {
  return exists(order) && !forbidden_in_store(int(order));
}

/// The parameter type of operations that allow every memory order. At compile time, this type, load_order and
/// store_order reject a constant order that the operation does not allow. The machine's operations check an order that
/// is known only at run time.
struct any_order {
  memory_order value;

  constexpr any_order(memory_order order) noexcept
      CUDAX_REFUSE(!exists(order), "this memory order does not exist; use an enumerator of cudax::memory_order")
    : value(order) {}
  template <standard_memory_order E>
  constexpr any_order(E order) noexcept : value(memory_order(int(order))) {}
};

/// The parameter type of loads, of waits, and of the failure order of compare_exchange, which is a load.
struct load_order {
  memory_order value;

  constexpr load_order(memory_order order) noexcept
      CUDAX_REFUSE(!exists(order), "this memory order does not exist; use an enumerator of cudax::memory_order")
          CUDAX_REFUSE(forbidden_in_load(int(order)), "a load, a wait or a failed compare_exchange cannot release; use "
                                                      "relaxed, acquire or seq_cst [atomics.types.operations]")
    : value(order) {}
  template <standard_memory_order E>
  constexpr load_order(E order) noexcept
      CUDAX_REFUSE(forbidden_in_load(int(order)), "a load, a wait or a failed compare_exchange cannot release; use "
                                                  "relaxed, acquire or seq_cst [atomics.types.operations]")
    : value(memory_order(int(order))) {}
};

/// The parameter type of stores and reductions.
struct store_order {
  memory_order value;

  constexpr store_order(memory_order order) noexcept
      CUDAX_REFUSE(!exists(order), "this memory order does not exist; use an enumerator of cudax::memory_order")
          CUDAX_REFUSE(forbidden_in_store(int(order)),
                       "a store or a reduction cannot acquire; use relaxed, release or seq_cst "
                       "[atomics.types.operations]")
    : value(order) {}
  template <standard_memory_order E>
  constexpr store_order(E order) noexcept
      CUDAX_REFUSE(forbidden_in_store(int(order)),
                   "a store or a reduction cannot acquire; use relaxed, release or seq_cst "
                   "[atomics.types.operations]")
    : value(memory_order(int(order))) {}
};

/// Returns the part of an order that applies if the operation only reads, as a failed compare_exchange does.
/// Source:   [atomics.types.operations], compare_exchange with one order
constexpr memory_order load_part(memory_order order) noexcept {
  switch (order) {
  case memory_order::acq_rel: return memory_order::acquire;
  case memory_order::release: return memory_order::relaxed;
  default: return order;
  }
}

/// Returns the weakest order that is at least as strong as both: the order of one instruction that implements a success
/// order and a failure order.
constexpr memory_order join(memory_order success, memory_order failure) noexcept {
  if (success == memory_order::seq_cst || failure == memory_order::seq_cst) return memory_order::seq_cst;
  bool const acquires = failure == memory_order::acquire || failure == memory_order::consume;
  if (!acquires) return success;
  switch (success) {
  case memory_order::relaxed: return memory_order::acquire;
  case memory_order::release: return memory_order::acq_rel;
  default: return success;
  }
}

} // namespace cudax

CUDAX_EVERYWHERE_END
