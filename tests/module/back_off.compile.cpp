// SPDX-License-Identifier: Apache-2.0
//
// back_off: a wait of any number of polls. It is a unit of the module, because back_off is not exported, and is evaluated by
// the compiler, which refuses an overflow.
module;
#include "../../arch/sm_70/tuning.hpp"
module cudax.sync;
import :back_off;

using cudax::machine::back_off;

constexpr cudax::machine::polling_pace tuned{cudax::arch::sm_70::direct_polls, cudax::arch::sm_70::first_sleep,
                                             cudax::arch::sm_70::longest_sleep};

/// What a waiter does after a poll in vain: nanoseconds to sleep, or 0 where the next poll follows directly.
constexpr unsigned next(back_off& pace) { return pace.polls_directly() ? 0 : pace.next_sleep(); }

constexpr back_off after(int polls) {
  back_off pace(tuned);
  for (int i = 0; i < polls; ++i) (void)next(pace);
  return pace;
}
constexpr unsigned sleep_after(int polls) {
  back_off pace = after(polls);
  return next(pace);
}

constexpr int direct = tuned.direct_polls;
static_assert(sleep_after(0) == 0 && sleep_after(direct - 1) == 0, "the first polls follow each other directly");
static_assert(sleep_after(direct) == 32 && sleep_after(direct + 1) == 64 && sleep_after(direct + 4) == 512,
              "then the sleeps double");
static_assert(sleep_after(direct + 5) == 1024 && sleep_after(direct + 6) == 1024, "up to a microsecond");
// From there on every poll leaves the state as it was: what holds for the next poll holds for all, also after half an hour,
// where a counter of 31 bits would overflow.
static_assert(after(direct + 5) == after(direct + 6), "a long wait changes no state");
