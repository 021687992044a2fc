// SPDX-License-Identifier: Apache-2.0
//
// turn: waiting in a queue.
// A queue is two counters that only grow: whoever comes takes the number of those that came before as a ticket, and
// waits until the other counter has reached it. First come, first served, and no one has to be found or woken by name.
// They are words of 32 bits, which a shared memory adds to in one instruction, and compared by the sign of their
// difference: they may wrap, with less than 2^31 threads in the queue.
module;
#include "../base/macros.hpp"
export module cudax.sync:turn;
import :bits;
import :duration;
import :machine;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// How far the counter is from `target`; zero and less where it has been reached.
template <thread_scope S>
int turns_left(u32 const* counter, u32 target, memory_order order) noexcept {
  return int(target - load<S, u32>(counter, order));
}

/// Blocks until the counter has reached `target`, and acquires what the threads that raised it so far released. The
/// first look acquires; after a wait, which polls relaxed, one acquire suffices: the counter only grows, and whoever
/// raises it continues what came before, or has acquired it.
template <thread_scope S>
void await_turn(u32 const* counter, u32 target) noexcept {
  if (turns_left<S>(counter, target, memory_order::acquire) <= 0) return;
  // Whoever is near begins to poll afresh, without the long sleeps of those who are far.
  constexpr int near = 4;
  auto const at_most = [&](int turns) {
    return [=]() noexcept { return turns_left<S>(counter, target, memory_order::relaxed) <= turns; };
  };
  block_until<S>(counter, at_most(near), forever);
  block_until<S>(counter, at_most(0), forever);
  acquire_seen<S, u32>(counter);
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
