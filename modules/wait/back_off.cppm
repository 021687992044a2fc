// SPDX-License-Identifier: Apache-2.0
//
// back_off: how long a polling thread sleeps between its polls.
// The first polls follow each other without a sleep. Then the thread sleeps between polls, and the sleeps double up to
// the longest (a microsecond in arch/sm_70/tuning.hpp), which leaves the memory system to the threads that make
// progress. A wait may take any number of polls. So no counter here grows after the last doubling: in a long wait the
// state stays the same (tests/module/back_off.compile.cpp).
module;
#include "../base/macros.hpp"
export module cudax.sync:back_off;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Says how the polls of a wait follow each other. The sleeps are in nanoseconds.
struct polling_pace {
  u32 direct_polls;
  u32 first_sleep, longest_sleep; // the longest is the first, times a power of two

  constexpr bool operator==(polling_pace const&) const = default;
};

class back_off {
public:
  constexpr explicit back_off(polling_pace pace) noexcept : pace_(pace), sleep_(pace.first_sleep) {}

  /// Counts an unsuccessful poll and returns whether the next poll follows without a sleep.
  constexpr bool polls_directly() noexcept {
    bool const directly = polls_ < pace_.direct_polls;
    polls_ += directly;
    return directly;
  }

  /// Returns the nanoseconds to sleep before the next poll, if that poll does not follow directly.
  constexpr u32 next_sleep() noexcept {
    u32 const now = sleep_;
    if (sleep_ < pace_.longest_sleep) sleep_ *= 2;
    return now;
  }

  constexpr bool operator==(back_off const&) const = default;

private:
  polling_pace pace_;
  u32 polls_ = 0; // up to direct_polls
  u32 sleep_;
};

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
