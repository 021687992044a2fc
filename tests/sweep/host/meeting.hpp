// SPDX-License-Identifier: Apache-2.0
//
// meeting: two threads, of which one waits for a change that the other one makes; whether the first one sleeps after
// the second one has made its change and has notified.
//
// The functions are compiled without the sanitizer: they see the memory as it is, and order nothing in late_stores.
#pragma once

namespace cudax_sweep::meeting {

/// Blocks until both threads have called it for this round. Returns whether there is a round: no wake-up was lost so
/// far.
bool begin(int round, bool is_waiter) noexcept;

/// The notifier has notified.
void notified(int round) noexcept;

/// How often the waiter has slept in vain: it began to sleep after notified(), or slept until its time limit although
/// notified() came before that. If the notifier finds the waiter in the count, it increments the version on which the
/// waiter sleeps and wakes it, before notified(); if not, the waiter finds the change before it sleeps.
int lost_wake_ups() noexcept;
/// How often it has slept at all.
int sleeps() noexcept;
/// Begins to count again, and counts only sleeps that may last for so long.
void forget(long long nanoseconds) noexcept;

/// After `begins` nanoseconds each reading of a clock by this thread takes up to `nanoseconds`; 0: no longer.
void delay_clocks(long long begins, long long nanoseconds) noexcept;

/// Lets up to `nanoseconds` pass, of which a random part.
void pass(long long nanoseconds) noexcept;

} // namespace cudax_sweep::meeting
