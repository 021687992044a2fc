// SPDX-License-Identifier: Apache-2.0
//
// back_off: how long a thread that polls sleeps between its polls.
// The first polls follow each other directly. The sleeps after them double, up to a microsecond, to leave the memory
// system to the threads that make progress. A wait may take any number of polls, so nothing here counts on after the
// last change: the state of a long wait is a fixed point (tests/module/back_off.compile.cpp).
module;
#include "../base/macros.hpp"
export module cudax.sync:back_off;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

class back_off {
  static constexpr u32 first_sleep = 32, longest_sleep = 1024; // nanoseconds

public:
  static constexpr u32 direct_polls = 64;

  /// After a poll that was in vain: returns whether the next one follows directly.
  constexpr bool polls_directly() noexcept {
    bool const directly = polls_ < direct_polls;
    polls_ += directly;
    return directly;
  }

  /// Returns the nanoseconds to sleep before the next poll, where that does not follow directly.
  constexpr u32 next_sleep() noexcept {
    u32 const now = sleep_;
    if (sleep_ < longest_sleep) sleep_ *= 2;
    return now;
  }

  constexpr bool operator==(back_off const&) const = default;

private:
  u32 polls_ = 0; // up to direct_polls
  u32 sleep_ = first_sleep;
};

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
