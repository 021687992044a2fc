// SPDX-License-Identifier: Apache-2.0
//
// attempt: trying until it succeeds, for as long as a caller wants to wait.
// What semaphores and mutexes that serve whoever comes first have in common. `attempt` is an operation that may fail;
// `ready` looks, with a relaxed load, whether it is worth another one. So those who wait only read, and a thread whose
// attempt has failed reads again before it tries again. The first attempt is made at once: where it succeeds, no clock
// is read and nobody sleeps.
module;
#include "../base/macros.hpp"
export module cudax.sync:attempt;
import :clock;
import :duration;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

struct mutex_access; // of scoped_lock, which attempts in its own way (lock_guard.cppm)

/// Attempts until one succeeds.
template <thread_scope S, class Ready, class Attempt>
void attempt_forever(void const volatile* address, Ready ready, Attempt attempt) noexcept {
  while (!attempt()) block_until<S>(address, ready, forever);
}

/// Attempts until one succeeds or until steady_now() reaches `deadline`; the first one when ready() says so. The time is
/// asked behind each failure, too: in a crowd ready() can be true, and too late, any number of times.
template <thread_scope S, class Ready, class Attempt>
bool attempt_by(void const volatile* address, Ready ready, Attempt attempt, long long deadline) noexcept {
  while (block_until<S>(address, ready, deadline)) {
    if (attempt()) return true;
    if (steady_now() >= deadline) return false;
  }
  return false;
}

/// Attempts once, and again for `length`; zero and less attempt once.
template <thread_scope S, class Ready, class Attempt, duration_like D>
bool attempt_for(void const volatile* address, Ready ready, Attempt attempt, D const& length) noexcept {
  if (attempt()) return true;
  long long const rest = to_nanoseconds(length);
  return rest > 0 && attempt_by<S>(address, ready, attempt, deadline_after(steady_now(), rest));
}

/// Attempts once, and again until `point`, of any clock that can be read here. The clock is asked again in the end,
/// since it may have been set meanwhile.
template <thread_scope S, class Ready, class Attempt, time_point_like P>
bool attempt_until(void const volatile* address, Ready ready, Attempt attempt, P const& point) noexcept {
  if (attempt()) return true;
  for (long long rest; (rest = nanoseconds_until(point)) > 0;)
    if (attempt_by<S>(address, ready, attempt, deadline_after(steady_now(), rest))) return true;
  return false;
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
