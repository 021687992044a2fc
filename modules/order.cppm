// SPDX-License-Identifier: Apache-2.0
//
// order: memory orders.  [atomics.order]
// The enumeration is this library's own, because no interface unit includes a standard header; its values are the
// standard's. Functions take an `order_argument`, to which both this enumeration and std::memory_order convert.
module;
#include "macros.hpp"
export module cudax.sync:order;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// How an atomic operation orders the memory operations around it.
/// Source:   [atomics.order]; consume is as strong as acquire
enum class memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };

inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

} // namespace cudax

namespace cudax {

/// An enumeration with the enumerators and values of std::memory_order.
template <class E>
concept standard_memory_order =
  __is_enum(E) && !__is_same(E, memory_order) && int(E::relaxed) == 0 && int(E::consume) == 1 &&
  int(E::acquire) == 2 && int(E::release) == 3 && int(E::acq_rel) == 4 && int(E::seq_cst) == 5;

/// The parameter type of every memory order.
struct order_argument {
  memory_order value;

  constexpr order_argument(memory_order order) noexcept : value(order) {}
  template <standard_memory_order E>
  constexpr order_argument(E order) noexcept : value(memory_order(int(order))) {}
};

/// The load's part of an order: what remains when only reading, as after a failed exchange.
/// Source:   [atomics.types.operations], compare_exchange with one order
constexpr memory_order load_part(memory_order order) noexcept {
  switch (order) {
  case memory_order::acq_rel: return memory_order::acquire;
  case memory_order::release: return memory_order::relaxed;
  default: return order;
  }
}

/// The weakest order that is at least as strong as both: what one instruction needs to honour a success and a failure
/// order.
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
