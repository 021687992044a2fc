// SPDX-License-Identifier: Apache-2.0
//
// polling: one parked thread polls for all that wait for a change by a device.
//
// A device cannot wake a host thread, so some thread has to poll. If each of 400 waiting threads polled every 0.5 ms,
// they would take more than a processor. So the threads that have waited for long enter their condition in a table, and
// one of them, the leader, polls at intervals of poll_interval_max. The others, the followers, sleep until they are
// woken: by a notify, or by the leader if it finds their condition true. The library has no thread of its own.
//
// The table. A row holds a function and a copy of its context: what parked_wait calls `changed`. Waits with equal
// contents share a row, which counts them. So 400 threads that wait for one flag cost the leader one call. A row is in
// use while it counts a waiter. The condition may read the object, which exists as long as a thread waits for it. So
// the leader marks a row as being checked while it calls the function, only if the row counts a waiter, and the last
// waiter that leaves the row waits until the mark is gone. The leader blocks signals meanwhile, so the time is that of
// a few loads. If the table is full, a waiter polls by itself.
//
// The leader (leader.hpp). One word holds the number of the term and whether a leader is active. A follower reads the
// word before it sleeps, and becomes the leader if there is none; if another thread changes the word meanwhile, the
// follower reads it again. A leader that leaves sets the word to `vacant`, and wakes a follower: one thread that
// sleeps, in the bucket of any row. That thread becomes the leader, or, if its own wait is over, finds the word vacant
// when it leaves and wakes the next one. If no follower sleeps, the word becomes `unneeded`: all are awake, and will
// read the word before they sleep. No follower sleeps without a leader: it counts itself in a row, then reads the word;
// the leader writes the word, then reads the rows, all sequentially consistent. If the follower has read that a leader
// is active, the leader finds the row and increments the version of the follower's bucket (buckets.cpp). The follower
// read the version before the word: it wakes up or does not sleep, and reads the word again.
//   A leader may be kept from polling, for example by a signal handler that takes long. It notes the time of each poll.
//   The sleep of a follower is bounded, and a follower that finds the note outdated takes over.
#pragma once

#include "../interface/boundary.hpp"
#include "buckets.hpp"
#include "leader.hpp"

namespace cudax::runtime::polling {

/// The part of one thread in a wait.
class member {
  int row_ = -1;
  candidate part_;

public:
  bool joined() const noexcept { return row_ >= 0; }

  /// Enters the wait in the table, if its context can be copied and there is room.
  void join(parked_wait const& wait, sleeping_place where) noexcept;

  /// Becomes the leader if there is none. Returns how long the thread may sleep.
  /// Requires: joined()
  long long interval(long long now) noexcept;

  /// Whether the thread is the leader.
  bool leads() const noexcept;

  /// Leaves the table; another thread leads if this one did.
  void leave() noexcept;
};

/// Calls the functions of the table and wakes the threads whose condition is true. Only the leader calls it.
void poll_for_all() noexcept;

/// Empties the table in a child of fork, in which the threads do not exist.
void forget_all() noexcept;

} // namespace cudax::runtime::polling
