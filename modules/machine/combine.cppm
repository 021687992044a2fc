// SPDX-License-Identifier: Apache-2.0
//
// combine: one fetch-and-modify operation for all lanes of a group. The lanes combine their operands, the last of them
// performs one operation with the result, and each lane gets the value that its own operation would have returned, if
// the lanes had performed their operations one immediately after the other, in the order of the lanes.
//
// Orders. Let lane I be a peer and lane L the last one, which performs the operation O for I. The lanes of a warp are
// in one block, so the scope of an operation includes the same threads, whether L or I performs it: O is morally strong
// with the operations with which one of lane I would be. What is missing is the program order between O and the
// accesses of lane I. Two barriers of the lanes replace it (bar.warp.sync orders memory; match, vote, shfl and redux do
// not):
//
//   lane I: earlier accesses;  fence.sc if seq_cst;  sync;     sync;  later accesses
//   lane L: earlier accesses;  fence.sc if seq_cst;  sync;  O; sync;  later accesses
//
// - Every access of lane I before the call happens before O, and O happens before every access of lane I after it. Base
//   causality order in PTX is transitive over program order and the synchronization of barriers.
// - Release: O releases what happens before it, by cumulativity, not only what L did. Acquire: what synchronizes with O
//   happens before O, hence before the later accesses of lane I.
// - Relaxed: the barriers are needed, too. Lane I's own accesses to the object before and after the call are in the
//   order of the program (read-write coherence, [intro.races]), and O stands for an access of lane I. The barriers
//   concern the lanes only; they are not fences.
// - Sequentially consistent: machine.cppm's operation is fence.sc and a read-modify-write that acquires. Here each lane
//   executes the fence itself, so the fence stands between the lane's earlier operations and O, in causality order, and
//   O stands before the fence of the lane's next seq_cst operation. So the Fence-SC order, which does not contradict
//   causality, orders the seq_cst operations of the lane among those of other threads as without combining. O must
//   release in addition: L's fence orders what L did before it, but not what other lanes did, which reaches L only by
//   the barrier after the fence.
//
// The barriers and the exchanges of lanes stand on every path, for every order, because lanes that call together may
// have different orders at run time. An order that the compiler does not know splits the group: peers have one order.
module;
#include "../base/macros.hpp"
export module cudax.sync:combine;
import :bits;
import :device_barrier;
import :lanes;
import :modify;
import :order;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Whether the operation with a result may be combined: every result is then one that single operations give. It is
/// not so for an addition of floating-point numbers. (1e8f + 32 times 1.0f: no order of single additions gives the sum
/// of the combined ones.)
template <modification M, class V>
inline constexpr bool is_combinable = !(M == modification::add && floating<V>);

/// Returns the operand that has the effect of `first` and then `second`.
template <modification M, class V>
V combined_operand(V first, V second) noexcept {
  // For fetch_max and fetch_min, an operand that is NaN has no effect (modify.cppm, through_integers).
  if constexpr (is_floating_extreme<M, V> && M == modification::max) return larger(first, second, false);
  else if constexpr (is_floating_extreme<M, V>) return smaller(first, second, false);
  else return modified<M>(first, second);
}

/// Returns the operand that has the effect of `count` times `operand`. Not for the addition of floating-point numbers.
template <modification M, class V>
V repeated_operand(V operand, u32 count) noexcept {
  if constexpr (M == modification::add) return V(word_of<V>(word_of<V>(operand) * word_of<V>(count)));
  else if constexpr (M == modification::bit_xor) return count % 2 ? operand : V(0);
  else return operand;
}

/// Whether the compiler knows the value, which is then the same in all lanes that execute this call.
template <class V>
[[clang::always_inline]] bool is_constant(V value) noexcept {
  auto const word = to_word(value); // of a floating-point number, or of a call, the builtin is always false
  return __builtin_constant_p(word);
}

/// The order of the one operation, after the fences of the peers.
inline memory_order modify_order(memory_order order) noexcept {
  return order == memory_order::seq_cst ? memory_order::acq_rel : order;
}
inline memory_order reduce_order(memory_order order) noexcept {
  return order == memory_order::seq_cst ? memory_order::release : order;
}

/// Finds the caller's peers for an operation on `object`. Lanes with automatic objects are alone: their objects have
/// the same generic address, but they are different objects.
[[clang::always_inline]] inline peers peers_at(void const volatile* object) noexcept {
  return peers(u64(object), gpu::may_be_automatic((void const*)object));
}
[[clang::always_inline]] inline peers peers_at(void* object, memory_order order) noexcept {
  peers group = peers_at(object);
  if (!is_constant(order)) group.split(u64(order));
  return group;
}

/// Calls perform(combined) in the last lane of `group`; it performs the modification M on the object with that operand
/// and returns the value before. Returns to each lane the value before its own modification, by `operand`. The last
/// lane's modification has the order modify_order(order); for seq_cst, each lane has executed the fence.
template <modification M, class V, class Perform>
[[clang::always_inline]] V combine(peers const& group, V operand, Perform perform) noexcept {
  u32 const rank = group.rank();
  constexpr bool is_floating_sum = M == modification::add && floating<V>;
  bool const repeats = !is_floating_sum && is_constant(operand);
  V through; // the operands of the peers up to the caller
  if (repeats) through = repeated_operand<M>(operand, rank + 1);
  else through = group.inclusive_scan(operand, combined_operand<M, V>);

  group.sync();
  V before{};
  if (group.is_last()) before = perform(through);
  group.sync();

  before = group.from(group.last(), before);
  if constexpr (M == modification::add && !is_floating_sum) {
    return modified<M>(before, V(word_of<V>(through) - word_of<V>(operand)));
  } else if constexpr (M == modification::bit_xor) {
    return modified<M>(before, V(through ^ operand));
  } else {
    V earlier = through; // the operands of the peers before the caller
    if (!repeats) earlier = group.from(group.below(), through);
    return rank == 0 ? before : modified<M>(before, earlier);
  }
}

/// The same for an exchange: each lane gets the value of the peer before it, the first one what perform(value) returns,
/// and the last one's value is what `perform` leaves in the object.
template <class U, class Perform>
[[clang::always_inline]] U combine_exchange(peers const& group, U value, Perform perform) noexcept {
  group.sync();
  U before{};
  if (group.is_last()) before = perform(value);
  group.sync();
  before = group.from(group.last(), before);
  U const earlier = group.from(group.below(), value);
  return group.rank() == 0 ? before : earlier;
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
