// SPDX-License-Identifier: Apache-2.0
//
// this_thread: giving way and sleeping.  [thread.thread.this]
module;
#include "macros.hpp"
export module cudax.sync:this_thread;
import :clock;
import :duration;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax::this_thread {

/// Offers other threads the chance to run.
/// Source:   [thread.thread.this], yield
/// Errors:   none; on a device no progress of others is promised (execution model, example Device.1)
inline void yield() noexcept { machine::yield(); }

/// Blocks for at least `length`, a duration of any library.
/// Source:   [thread.thread.this], sleep_for
/// Units:    any period; zero and less return at once
template <duration_like D>
void sleep_for(D const& length) noexcept {
  if (long long const rest = to_nanoseconds(length); rest > 0) machine::sleep(rest);
}

/// Blocks until `point`, a time point of any clock that can be read here.
/// Source:   [thread.thread.this], sleep_until
template <time_point_like P>
void sleep_until(P const& point) noexcept {
  for (long long rest; (rest = nanoseconds_until(point)) > 0;) machine::sleep(rest);
}

} // namespace cudax::this_thread

CUDAX_EVERYWHERE_END
