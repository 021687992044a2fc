// SPDX-License-Identifier: Apache-2.0
//
// this_thread: yielding and sleeping, and the calling thread as a thread group.  [thread.thread.this]
// In the standard, this_thread is a namespace. Here it is a class, and an object of the same name. Name lookup before
// `::` ignores objects, so `this_thread::yield()` calls the static member as in the standard, and
// `arrive_and_wait(this_thread)` takes the object.
module;
#include "../base/macros.hpp"
export module cudax.sync:this_thread;
import :clock;
import :duration;
import :group;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// The calling thread: yields, sleeps, and is a thread group of one.
/// Example:
///     inline void poll(cudax::atomic<bool> const& done) {
///       for (int i = 0; i < 100 && !done.load(); ++i) cudax::this_thread::yield();
///       while (!done.load()) cudax::this_thread::sleep_for(cudax::nanoseconds(50'000));
///     }
class this_thread : public thread_detail::group<machine::level::thread> {
public:
  /// Gives other threads the opportunity to run.
  /// Source:   [thread.thread.this], yield
  /// Errors:   none; on a device it does not guarantee progress of other threads (execution model, example Device.1)
  static inline void yield() noexcept { machine::yield(); }

  /// Blocks for at least `length`, a duration of any library.
  /// Source:   [thread.thread.this], sleep_for
  /// Units:    any period; with zero, a negative value or NaN the function returns immediately
  template <duration_like D>
  static void sleep_for(D const& length) noexcept {
    if (long long const rest = to_nanoseconds(length); rest > 0) machine::sleep(rest);
  }

  /// Blocks until `point`, a time point of any clock.
  /// Source:   [thread.thread.this], sleep_until
  template <time_point_like P>
  static void sleep_until(P const& point) noexcept {
    for (long long rest; (rest = machine::round_until(point)) > 0;) machine::sleep(rest);
  }
};

/// The calling thread as a thread group of one.
/// Source:   extension
inline constexpr class this_thread this_thread{};

} // namespace cudax

CUDAX_EVERYWHERE_END
