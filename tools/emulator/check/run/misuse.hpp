// SPDX-License-Identifier: Apache-2.0
//
// misuse: objects that are used when they must not be: a barrier in memory after it ended, and cluster launch control
// after it said that nothing is left.  [PTX ISA, "mbarrier", "clusterlaunchcontrol.try_cancel"] A barrier begins with
// its initialisation and ends when it is invalidated; only then may its memory be anything else. It also ends, with a
// finding, when something else is stored over it, or when another one is initialised in its place. What a thread then
// still does with it is reported with what ended it. A wait for a parity is reported where the barrier may be in more
// than two phases, as far as the thread knows: then parity does not say which one is meant.
#pragma once

#include "../model/model.hpp"

#include <map>
#include <string>
#include <unordered_map>

namespace emulator::check {

class misuse {
public:
  // --- barriers in memory ---
  void barrier_began(thread const&, std::byte const* where);
  void barrier_ended(thread const&, std::byte const* where);
  void stored(thread const&, std::byte const* where, std::size_t size);
  void arrives(thread const&, std::byte const* where);
  /// `what` the operation of the thread is, such as "an arrival". Ends the launch where the barrier has ended.
  void uses(thread const&, operation const*, std::byte const* where, char const* what);
  /// `is_parity`: of whichever barrier is there; else of the one that the thread arrived at.
  void waits(thread const&, std::byte const* where, bool is_parity);
  /// A wait for a parity at a barrier that is in `phase`, of which the thread knows only that it is in `known` or a
  /// later one.
  void is_late(thread const&, std::byte const* where, unsigned parity, std::uint64_t phase, std::uint64_t known);

  // --- cluster launch control ---
  /// A request, and whether it found a cluster.
  void requests(thread const&, bool found);
  /// Somebody reads in an answer that there was none.
  void told_none(thread const&);

  void end_block(block const&);

private:
  struct barrier {
    bool is_alive = true;
    std::uint64_t number = 0; ///< of this barrier among those that were here
    finding::party began_by;
    finding::party ended_by;                        ///< the last one that was here, or this one
    std::map<thread const*, std::uint64_t> arrived; ///< at which of them a thread was last
  };
  struct requests_of_cluster {
    finding::party failed;
    bool has_failed = false, is_known = false;
  };

  std::map<std::uintptr_t, barrier> barriers_;
  std::unordered_map<cluster const*, requests_of_cluster> requests_;
};

} // namespace emulator::check
