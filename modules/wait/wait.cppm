// SPDX-License-Identifier: Apache-2.0
//
// wait: blocks until a value has changed.  [atomics.wait]
//
// Before the call, the caller has polled once and observed no change. `changed` polls with a relaxed load, so that
// polling invalidates no cache. After the call, the caller must upgrade the last poll to the order that it promises
// (machine::upgrade_to), or read once more with that order.
//
// On a device a waiter polls, because no other thread could wake it. The independent thread scheduling of sm_70 lets
// the other threads of its warp make progress. A long wait sleeps between polls (back_off.cppm).
//
// On the host a waiter spins briefly, then parks (runtime/parking.cpp). A device cannot wake it. So at system scope the
// waiter also polls, at intervals that grow to runtime::poll_interval_max. At a narrower scope only the host can
// notify, and the waiter polls only at intervals of runtime::sleep_max.
module;
#include "../../runtime/boundary.hpp"
#include "../base/macros.hpp"
export module cudax.sync:wait;
import :back_off;
import :clock;
import :device_time;
import :device_tuning;
import :duration;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

using awaited = runtime::awaited;

#if CUDAX_ON_DEVICE

/// Returns how a wait polls on this GPU.
inline polling_pace polling() noexcept {
  return {gpu::tuning::direct_polls(), gpu::tuning::first_sleep(), gpu::tuning::longest_sleep()};
}

/// Blocks until changed() is true or steady_now() reaches `deadline`. Returns the last result of `changed`. The last
/// parameter matters only on the host: it says which unpark wakes the thread (runtime/boundary.hpp).
template <thread_scope S, class Changed>
bool block_until(void const volatile*, Changed changed, long long deadline, awaited = awaited::change) noexcept {
  for (back_off pace(polling());;) {
    if (changed()) return true;
    if (pace.polls_directly()) continue;
    if (deadline != forever && steady_now() >= deadline) return false;
    gpu::sleep(pace.next_sleep());
  }
}

/// Pauses a thread before it polls a word on which other threads have yet to perform `operations` operations. Without
/// the pause, the polls would compete with these operations. The pause is shorter than the time that the operations
/// take. A pause that is not worth a sleep is skipped. The figures are the GPU's (arch/sm_70/tuning.hpp).
template <thread_scope S>
void pause_for_operations(unsigned operations) noexcept {
  unsigned const time = operations / gpu::tuning::operations_per_nanosecond(), longest = gpu::tuning::longest_pause();
  if (S != thread_scope_device && S != thread_scope_system) return;
  if (time >= gpu::tuning::shortest_pause()) gpu::sleep(time < longest ? time : longest);
}

/// Wakes the threads that wait for a change at `address`. On a device it does nothing, because no thread parks.
template <thread_scope S>
void wake(void const volatile*, awaited = awaited::change) noexcept {}

inline void yield() noexcept { gpu::sleep(0); }

inline void sleep(long long nanoseconds) noexcept {
  constexpr long long longest = 1'000'000; // of one nanosleep
  long long const end = deadline_after(steady_now(), nanoseconds);
  for (long long now = steady_now(); now < end; now = steady_now())
    gpu::sleep(unsigned(end - now < longest ? end - now : longest));
}

#else

template <thread_scope S, class Changed>
bool block_until(void const volatile* address, Changed changed, long long deadline,
                 awaited what = awaited::change) noexcept {
  auto const call = [](void const* context) { return (*(Changed const*)context)(); };
  return runtime::park(address, call, &changed, deadline, S == thread_scope_system, what);
}

template <thread_scope S>
void pause_for_operations(unsigned) noexcept {}

template <thread_scope S>
void wake(void const volatile* address, awaited what = awaited::change) noexcept {
  if constexpr (S != thread_scope_thread) runtime::unpark(address, what);
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

/// Blocks until changed() is true or until `point`, a time point of any clock that this code can read. Reads the clock
/// again after the wait, because a clock that is not steady may have been set during the wait.
template <thread_scope S, class Changed, time_point_like P>
bool block_until_point(void const volatile* address, Changed changed, P const& point) noexcept {
  for (;;) {
    long long const rest = nanoseconds_until(point);
    if (rest <= 0) return changed();
    if (block_until<S>(address, changed, deadline_after(steady_now(), rest))) return true;
  }
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
