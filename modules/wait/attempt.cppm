// SPDX-License-Identifier: Apache-2.0
//
// attempt: repeats an operation until it succeeds or the caller's time limit expires.
// Semaphores and mutexes without a queue share this code. `attempt` is an operation that may fail. `ready` checks with
// a relaxed load whether another attempt can succeed. So waiters only read, and a thread whose attempt failed reads
// again before it tries again. The first attempt is made at once: if it succeeds, the thread reads no clock and does
// not sleep.
module;
#include "../base/macros.hpp"
export module cudax.sync:attempt;
import :clock;
import :combine;
import :duration;
import :lanes;
import :machine;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Attempts until an attempt succeeds.
template <thread_scope S, class Ready, class Attempt>
void attempt_forever(void const volatile* address, Ready ready, Attempt attempt) noexcept {
  while (!attempt()) block_until<S>(address, ready, forever);
}

/// Whether the caller is the one of its peers, the lanes that call together with the same address, that acts first.
/// Each lane that calls alone is. On the host there are no lanes, and every caller is.
inline bool is_chosen_lane(void const volatile* address) noexcept {
  if constexpr (!traits::has_lanes) return true;
  else return peers_at(address).is_last();
}

/// As attempt_forever, for an attempt that only one thread can win. Of the lanes of a warp that have waited for the
/// object together, one attempts, and the others continue to wait: their attempts would only delay the next holder.
/// (256 threads on each of 132 SMs of an H200 that take turns: 0.88 us a turn instead of 2.9.)
template <thread_scope S, class Ready, class Attempt>
void attempt_one_by_one(void const volatile* address, Ready ready, Attempt attempt) noexcept {
  if (attempt()) return;
  do block_until<S>(address, ready, forever);
  while (!is_chosen_lane(address) || !attempt());
}

/// Attempts until an attempt succeeds or steady_now() reaches `deadline`. Makes each attempt only after ready() was
/// true. Also reads the clock after each failed attempt: under contention, ready() can be true any number of times, and
/// another thread can be faster each time.
template <thread_scope S, class Ready, class Attempt>
bool attempt_by_deadline(void const volatile* address, Ready ready, Attempt attempt, long long deadline) noexcept {
  while (block_until<S>(address, ready, deadline)) {
    if (attempt()) return true;
    if (steady_now() >= deadline) return false;
  }
  return false;
}

/// Attempts once, then repeats for at most `length`. A `length` that is not positive attempts once.
template <thread_scope S, class Ready, class Attempt, duration_like D>
bool attempt_for(void const volatile* address, Ready ready, Attempt attempt, D const& length) noexcept {
  if (attempt()) return true;
  long long const rest = to_nanoseconds(length);
  return rest > 0 && attempt_by_deadline<S>(address, ready, attempt, deadline_after(steady_now(), rest));
}

/// Attempts once, then repeats at most until `point`, a time point of any clock that this code can read. Reads the
/// clock again after each round, as block_until_point.
template <thread_scope S, class Ready, class Attempt, time_point_like P>
bool attempt_until(void const volatile* address, Ready ready, Attempt attempt, P const& point) noexcept {
  if (attempt()) return true;
  for (long long rest; (rest = round_until(point)) > 0;)
    if (attempt_by_deadline<S>(address, ready, attempt, deadline_after(steady_now(), rest))) return true;
  return false;
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
