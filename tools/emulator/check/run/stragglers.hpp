// SPDX-License-Identifier: Apache-2.0
//
// stragglers: threads that fall behind, because a barrier may leave them behind.
// A wait for a parity is right only if the barrier cannot go on by one more phase before the thread has seen the end of
// its phase. A schedule by chance seldom delays one thread for so long. So now and then a thread that is about to see
// the end of a phase is held until the barrier has gone on, or until nothing else gets ahead. In the first case the
// thread waits for a parity that came too late (misuse.hpp). In the second one the barrier depends on the thread, and
// has only been slow. Either is a schedule that a GPU may have, so nothing is reported that cannot happen.
#pragma once

#include "../model/clock.hpp"
#include "../model/model.hpp"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace emulator::check {

class stragglers {
public:
  bool empty() const { return held_.empty(); }
  /// Whether to hold a thread that would see that the barrier is in `phase`: at most one in each phase, and the
  /// seldomer, the more there were before; and at most one of a cluster, since two might wait for each other. If so,
  /// until the turn `until` at the latest.
  bool falls_behind(random&, thread&, std::byte const* where, u64 phase, u64 until);
  /// Calls resume(thread) for those whose barrier is in another phase now, or whose time is over; for all if `all`.
  template <class Phase, class Resume>
  void resume(u64 turn, bool all, Phase phase_of, Resume resume) {
    std::erase_if(held_, [&](held const& h) {
      if (!all && turn < h.until && phase_of(h.where) == h.phase) return false;
      resume(*h.who);
      return true;
    });
  }
  void end_block(block const&);

private:
  struct held {
    thread* who;
    std::byte const* where;
    u64 phase, until;
  };
  struct barrier {
    u64 phase = ~u64(0); ///< in which a thread was held last
    std::uint32_t times = 0;
  };
  std::vector<held> held_;
  std::unordered_map<void const*, barrier> barriers_;
};

} // namespace emulator::check
