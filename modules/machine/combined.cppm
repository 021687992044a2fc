// SPDX-License-Identifier: Apache-2.0
//
// combined: fetch, reduce and exchange for contended objects. The lanes of a warp that call together for one object are
// peers (lanes.cppm); one of them performs one operation for all (combine.cppm, which also argues the orders).
//
// On the host, at thread scope, and for an addition of floating-point numbers that has a result, the operation is that
// of machine.cppm.
module;
#include "../base/macros.hpp"
export module cudax.sync:combined;
import :bits;
import :combine;
import :lanes;
import :machine;
import :modify;
import :order;
import :scope;
import :side;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Whether lanes combine operations of the scope S.
template <thread_scope S>
inline constexpr bool lanes_combine = traits::has_lanes && S != thread_scope_thread;

/// Performs fetch for all lanes of `group`, which call it with the same object and order.
template <modification M, thread_scope S, class V>
[[clang::always_inline]] V fetch_for(peers const& group, void* object, V operand, memory_order order) noexcept {
  if (order == memory_order::seq_cst) fence<S>(memory_order::seq_cst);
  return combine<M>(group, operand,
                    [=](V all) noexcept { return fetch<M, S, V, false>(object, all, modify_order(order)); });
}

/// Performs reduce for all lanes of `group`, which call it with the same object and order.
template <modification M, thread_scope S, class V>
[[clang::always_inline]] void reduce_for(peers const& group, void* object, V operand, memory_order order) noexcept {
  if (order == memory_order::seq_cst) fence<S>(memory_order::seq_cst);
  V all; // the operands of the peers, in their last lane
  if (is_combinable<M, V> && is_constant(operand)) all = repeated_operand<M>(operand, group.count());
  else all = group.template reduce<M>(operand, combined_operand<M, V>);

  group.sync();
  if (group.is_last()) reduce<M, S, V, false>(object, all, reduce_order(order));
  group.sync();
}

/// Performs fetch, combined with that of the caller's peers. `Regroups` permits it to regroup a sum of floating-point
/// numbers; otherwise such a fetch is not combined.
template <modification M, thread_scope S, bool Regroups = false, class V>
[[clang::always_inline]] V combined_fetch(void* object, V operand, memory_order order) noexcept {
  if constexpr (lanes_combine<S> && (Regroups || is_combinable<M, V>))
    return fetch_for<M, S>(peers_at(object, order), object, operand, order);
  else return fetch<M, S>(object, operand, order);
}

/// Performs reduce, combined with that of the caller's peers. Sums of floating-point numbers are regrouped.
template <modification M, thread_scope S, class V>
[[clang::always_inline]] void combined_reduce(void* object, V operand, memory_order order) noexcept {
  if constexpr (lanes_combine<S>) reduce_for<M, S>(peers_at(object, order), object, operand, order);
  else reduce<M, S>(object, operand, order);
}

/// Performs exchange, combined with that of the caller's peers.
template <thread_scope S, class U>
[[clang::always_inline]] U combined_exchange(void* object, U value, memory_order order) noexcept {
  if constexpr (lanes_combine<S>) {
    peers const group = peers_at(object, order);
    if (order == memory_order::seq_cst) fence<S>(memory_order::seq_cst);
    return combine_exchange(group, value,
                            [=](U last) noexcept { return exchange<S, U, false>(object, last, modify_order(order)); });
  } else {
    return exchange<S>(object, value, order);
  }
}

/// Calls act(count) in one thread for `count` threads that call together with the same object and the same `operand`.
/// Everything sequenced before the call, in each of these threads, happens before the action, and the action happens
/// before everything sequenced after the call. So the action may release and acquire for all of them. It may block
/// until other threads act, but not until one of the `count` threads does. At block and cluster scope each thread acts
/// for itself: there an operation costs less than finding the peers.
template <thread_scope S, class Act>
[[clang::always_inline]] void act_for_peers(void* object, u64 operand, Act act) noexcept {
  if constexpr (traits::has_lanes && is_wider_than_cluster(S)) {
    peers group = peers_at(object);
    if (!is_constant(operand)) group.split(operand);
    group.sync_group();
    if (group.is_last()) act(group.count());
    group.sync_group();
  } else {
    act(u32(1));
  }
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
