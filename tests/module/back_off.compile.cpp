// SPDX-License-Identifier: Apache-2.0
//
// back_off: the intervals of a wait with any number of polls. This is a unit of the module, because back_off is not
// exported. The compiler evaluates it at compile time, where an overflow is an error.
module;
#include "../../arch/sm_70/tuning.hpp"
module cudax.sync;
import :back_off;

using cudax::machine::back_off;

constexpr cudax::machine::polling_pace tuned{cudax::arch::sm_70::direct_polls, cudax::arch::sm_70::first_sleep,
                                             cudax::arch::sm_70::longest_sleep};

/// Returns what a waiter does after an unsuccessful poll: nanoseconds to sleep, or 0 if it polls again immediately.
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
// From there on a poll does not change the state. So what holds for the next poll holds for all later polls, also after
// half an hour, when a counter of 31 bits would overflow.
static_assert(after(direct + 5) == after(direct + 6), "a long wait changes no state");
