// SPDX-License-Identifier: Apache-2.0
//
// turn: waiting in a queue.
// A queue is two counters that only grow. A thread that arrives takes the number of earlier arrivals as its ticket, and
// waits until the other counter reaches that ticket. The queue is first come, first served, and no thread has to find
// a particular waiter: on the host, the value of the counter says which one to wake. The counters are 32-bit words,
// because shared memory has an add instruction for them. They are compared by the sign of their difference: they may
// wrap, if fewer than 2^31 threads are in the queue; 2^31 / n, if each arrival raises the counter by n.
module;
#include "../base/macros.hpp"
export module cudax.sync:turn;
import :bits;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Blocks until the counter reaches `target`. Each release that raised the counter up to `target` synchronizes with
/// this function. Returns turns_left of the last poll: zero or negative.
/// Relaxed polls and one acquire after them are enough: the counter only grows, and a thread that raises it either
/// continues the release sequence of the previous value or has acquired that value. Where an acquire fence is
/// expensive, the first poll is an acquire load, so that an uncontended lock needs no fence. In a block's memory the
/// fence costs next to nothing, and all polls are in one loop: a second place at which lanes of a warp leave one by one
/// would cost 40 ns a turn (H200).
template <thread_scope S>
int await_turn(u32 const* counter, u32 target CUDAX_WAIT_NAME_PARAMETER) noexcept {
  int left = 0x7fff'ffff;
  if constexpr (is_wider_than_cluster(S) || !traits::acquires_by_fence) {
    left = turns_left<S>(counter, target, memory_order::acquire);
    if (left <= 0) return left;
  }
  left = block_until_turn<S>(counter, target, left CUDAX_WAIT_NAME_ARGUMENT);
  upgrade_to_acquire<S, u32>(counter);
  return left;
}

/// Raises the counter by `turns`, with release, and wakes the threads whose turns come. On a device no thread needs the
/// value of the counter, so there a reduction is enough: it does not wait for an answer.
template <thread_scope S>
void serve_turns(u32* counter, u32 turns) noexcept {
  constexpr memory_order order = before_wake<memory_order::release>;
  if constexpr (traits::parks)
    wake_turns<S>(counter, fetch<modification::add, S, u32>(counter, turns, order) + 1, turns);
  else reduce<modification::add, S, u32>(counter, turns, order);
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
