// SPDX-License-Identifier: Apache-2.0
//
// wait: blocks until a value has changed.  [atomics.wait]
//
// Before the call, the caller has polled once and observed no change. `changed` polls with a relaxed load, so that
// polling invalidates no cache. After the call, the caller must upgrade the last poll to the order that it promises
// (machine::upgrade_to), or read once more with that order.
//
// On a device a waiter polls, because no other thread could wake it. The independent thread scheduling of sm_70 lets
// the other threads of its warp make progress (arch/README.md, "Lanes that wait for each other"). A long wait sleeps
// between polls (back_off.cppm).
//
// On the host a waiter spins briefly, then parks (runtime/waiting/parking.cpp). A device cannot wake it. So at system
// scope the waiter also polls, at intervals that grow to runtime::poll_interval_max. After a while another parked
// thread polls for the waiter (runtime/waiting/polling.hpp): it calls a copy of `changed`. So `changed` holds what it
// needs, by value where it can: waits with equal copies cost one call. `changed` must not block, unless its type has a
// member own_thread_only. At a narrower scope only the host can notify, and the waiter polls only at intervals of
// runtime::sleep_max.
//
// A thread that makes a change wakes the waiters. The write of a primitive has the order before_wake<order>, which on
// the host is seq_cst: then its wake-up is never missed. The program's own write before notify_one() may have any
// order; if it is weaker, a waiter that parks at the same moment may wake 20 us late (runtime/waiting/parking.cpp).
module;
#include "../../runtime/interface/boundary.hpp"
#include "../base/macros.hpp"
export module cudax.sync:wait;
import :back_off;
import :clock;
import :device_time;
import :device_tuning;
import :duration;
import :machine;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

#if defined(CUDAX_CHECKED)
#include "hang.hpp"
#endif

namespace cudax::machine {

/// The order of a primitive's write before a call of wake, wake_some or wake_turns; `Order` if no thread parks.
template <memory_order Order>
inline constexpr memory_order before_wake = traits::parks ? memory_order::seq_cst : Order;

/// Returns how far the counter is from `target`. The result is zero or negative if the counter has reached `target`.
template <thread_scope S>
int turns_left(u32 const* counter, u32 target, memory_order order) noexcept {
  return int(target - load<S, u32>(counter, order));
}

#if CUDAX_ON_DEVICE

/// Returns how a wait polls on this GPU.
inline polling_pace polling() noexcept {
  return {gpu::tuning::direct_polls(), gpu::tuning::first_sleep(), gpu::tuning::longest_sleep()};
}

/// Blocks until changed() is true or steady_now() reaches `deadline`. Returns the last result of `changed`.
template <thread_scope S, class Changed>
bool block_until([[maybe_unused]] void const volatile* address, Changed changed, long long deadline) noexcept {
  CUDAX_HANG_WATCH(watch);
  // The first polls stand in a row: what counts polls comes between two of them, and delays what they observe.
  if (changed() || changed() || changed() || changed()) return true;
  if (changed() || changed() || changed() || changed()) return true;
  for (back_off pace(polling());;) {
    if (changed()) return true;
    if (pace.polls_directly()) continue;
    if (deadline != forever && steady_now() >= deadline) return false;
    CUDAX_HANG_CHECK(watch, deadline, address, changed);
    gpu::sleep(pace.next_sleep());
  }
}

/// Pauses a thread before it polls a word on which other threads have yet to perform `operations` operations. Without
/// the pause, the polls would compete with these operations. The pause is shorter than the time that the operations
/// take. A pause that is not worth a sleep is skipped. The figures are the GPU's (arch/sm_70/tuning.hpp).
template <thread_scope S>
void pause_for_operations(unsigned operations) noexcept {
  unsigned const time = operations / gpu::tuning::operations_per_nanosecond(), longest = gpu::tuning::longest_pause();
  if (!is_wider_than_cluster(S)) return;
  if (time >= gpu::tuning::shortest_pause()) gpu::sleep(time < longest ? time : longest);
}

/// Blocks until the counter, which only grows, reaches `target`; returns turns_left of the last poll. `left` is that of
/// an earlier poll, or a larger number. The polls are relaxed. In device memory a waiter sleeps in proportion to the
/// turns before its own, and the next one in turn polls without sleeping. In a block's memory turns are too short for
/// that: a waiter sleeps briefly, and longer only while the counter does not move. All waiters of a warp sleep equally
/// long, because a lane that sleeps delays the others; and in each round, because the loop must let the other lanes
/// proceed, and ptxas relies on the sleep for that.
template <thread_scope S>
int block_until_turn(u32 const* counter, u32 target, int left CUDAX_WAIT_NAME_PARAMETER) noexcept {
  CUDAX_HANG_WATCH(watch);
  if constexpr (is_wider_than_cluster(S)) {
    unsigned const turn = gpu::tuning::time_of_turn(), longest = gpu::tuning::longest_sleep();
    do {
      if (unsigned const others = unsigned(left) - 1) gpu::sleep(others < longest / turn ? others * turn : longest);
      left = turns_left<S>(counter, target, memory_order::relaxed);
      CUDAX_HANG_CHECK(watch, forever, counter, CUDAX_AWAITS_TURN(left));
    } while (left > 0);
  } else {
    unsigned const first = gpu::tuning::first_sleep(), longest = gpu::tuning::longest_sleep() / 4;
    for (unsigned pause = first;;) {
      int const before = left;
      left = turns_left<S>(counter, target, memory_order::relaxed);
      if (left <= 0) break;
      CUDAX_HANG_CHECK(watch, forever, counter, CUDAX_AWAITS_TURN(left));
      pause = left != before ? first : pause < longest ? pause + pause / 16 : longest;
      gpu::sleep(pause);
    }
  }
  return left;
}

/// Wake threads that wait for a change at `address`: all of them, or `count` of threads that are equivalent. On a
/// device they do nothing, because no thread parks.
template <thread_scope S>
void wake(void const volatile*) noexcept {}
template <thread_scope S>
void wake_some(void const volatile*, long long) noexcept {}

/// Wakes the threads that wait for the turns from `first` to first + count - 1 of a counter, and those that wait for a
/// change of the counter.
template <thread_scope S>
void wake_turns(u32 const*, u32, u32) noexcept {}

inline void yield() noexcept { gpu::sleep(0); }

inline void sleep(long long nanoseconds) noexcept {
  constexpr long long longest = 1'000'000; // of one nanosleep
  long long const end = deadline_after(steady_now(), nanoseconds);
  for (long long now = steady_now(); now < end; now = steady_now())
    gpu::sleep(unsigned(end - now < longest ? end - now : longest));
}

#else

/// Returns a wait at `address` until changed() is true.
template <thread_scope S, class Changed>
runtime::parked_wait wait_until_changed(void const volatile* address, Changed const& changed) noexcept {
  constexpr bool any_thread = sizeof(Changed) <= runtime::context_max && alignof(Changed) <= 16 &&
                              __is_trivially_copyable(Changed) && !requires { Changed::own_thread_only; };
  auto const call = [](void const* context) { return (*(Changed const*)context)(); };
  return {.address = address,
          .changed = call,
          .context = &changed,
          .size = any_thread ? sizeof(Changed) : 0,
          .polls = S == thread_scope_system};
}

template <thread_scope S, class Changed>
bool block_until(void const volatile* address, Changed changed, long long deadline) noexcept {
  runtime::parked_wait wait = wait_until_changed<S>(address, CUDAX_CONDITION_OF(changed));
  wait.deadline = deadline;
  CUDAX_DESCRIBE(wait, changed);
  return runtime::park(wait);
}

/// Whether a counter is at most `turns` away from `target`, by a relaxed load.
template <thread_scope S>
struct turns_left_at_most {
  u32 const* counter;
  u32 target;
  int turns;

  bool operator()() const noexcept { return turns_left<S>(counter, target, memory_order::relaxed) <= turns; }
};

/// A waiter that is far from its turn sleeps at once, and is woken a little ahead. While the threads before it need its
/// processor, it yields: a thread that polled there would keep the turn from the thread that has it. Near its turn it
/// spins. If it has waited for long, it sleeps until its turn.
template <thread_scope S>
int block_until_turn(u32 const* counter, u32 target, int left CUDAX_WAIT_NAME_PARAMETER) noexcept {
  auto const park = [=](int turns, bool spins) noexcept {
    turns_left_at_most<S> const is_near{counter, target, turns};
    runtime::parked_wait wait = wait_until_changed<S>(counter, is_near);
    wait.what = runtime::awaited::turn;
    wait.turn = target - u32(turns);
    wait.spins = spins;
    CUDAX_DESCRIBE(wait, CUDAX_AWAITS_TURN(turns_left<S>(counter, target, memory_order::relaxed)));
    runtime::park(wait);
  };
  if (left > int(runtime::turns_to_spin())) park(int(runtime::turns_to_wake_ahead()), false);
  int const near = int(runtime::turns_to_poll());
  for (int yields = 24; (left = turns_left<S>(counter, target, memory_order::relaxed)) > near && yields != 0; --yields)
    runtime::yield();
  if (left > 0) park(0, left <= near);
  return turns_left<S>(counter, target, memory_order::relaxed);
}

template <thread_scope S>
void pause_for_operations(unsigned) noexcept {}

template <thread_scope S>
void wake(void const volatile* address) noexcept {
  if constexpr (S != thread_scope_thread)
    if (runtime::may_be_awaited(address)) runtime::unpark(address);
}
template <thread_scope S>
void wake_some(void const volatile* address, long long count) noexcept {
  if constexpr (S != thread_scope_thread)
    if (runtime::may_be_awaited(address)) runtime::unpark_some(address, count);
}
template <thread_scope S>
void wake_turns(u32 const* counter, u32 first, u32 count) noexcept {
  if constexpr (S != thread_scope_thread) runtime::unpark_turns(counter, first, count);
}

inline void yield() noexcept { runtime::yield(); }

inline void sleep(long long nanoseconds) noexcept { runtime::sleep(nanoseconds); }

#endif

/// Blocks until changed() is true, but at most for `length`. If the first poll observes the change, no clock is read.
template <thread_scope S, class Changed, duration_like D>
bool block_for(void const volatile* address, Changed changed, D const& length) noexcept {
  if (changed()) return true;
  long long const rest = to_nanoseconds(length);
  return rest > 0 && block_until<S>(address, changed, deadline_after(steady_now(), rest));
}

/// Returns the nanoseconds until the next reading of the clock of a wait until `point`: those until `point`, but at
/// most runtime::round_max if the clock can be set. Zero or negative if the time point has passed.
template <time_point_like P>
constexpr long long round_until(P const& point) noexcept {
  return runtime::round_of<typename P::clock>(nanoseconds_until(point));
}

/// Blocks until changed() is true or until `point`, a time point of any clock that this code can read. Reads the clock
/// again after each round, because a clock that is not steady may have been set, backwards or forwards.
template <thread_scope S, class Changed, time_point_like P>
bool block_until_point(void const volatile* address, Changed changed, P const& point) noexcept {
  for (;;) {
    long long const rest = round_until(point);
    if (rest <= 0) return changed();
    if (block_until<S>(address, changed, deadline_after(steady_now(), rest))) return true;
  }
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
