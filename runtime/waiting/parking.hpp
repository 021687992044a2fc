// SPDX-License-Identifier: Apache-2.0
//
// parking: where host threads sleep, for the file that polls for them (polling.cpp).
#pragma once

#include <cstdint>

namespace cudax::runtime {

/// A sleeping thread: the bucket in which it sleeps, and the classes of notifications that wake it there, as a bit set.
struct sleeping_place {
  unsigned bucket;
  std::uint32_t classes;
};

/// The class of the threads for which another thread polls.
inline constexpr std::uint32_t follower_class = 0x8000'0000;

/// Wakes at most `count` threads that sleep in a bucket and belong to one of the classes, and keeps threads from
/// falling asleep that have not checked for a change since the call began. Returns the number of threads that it has
/// woken.
long wake_sleepers(sleeping_place where, int count) noexcept;

} // namespace cudax::runtime
