// SPDX-License-Identifier: Apache-2.0
//
// misuse: objects that are used when they must not be: a barrier in memory after it ended, and cluster launch control after
// it said that nothing is left.  [PTX ISA, "mbarrier", "clusterlaunchcontrol.try_cancel"]
// A barrier begins with its initialisation. It ends when it is invalidated, when something else is stored over it, or when
// another one is initialised in its place. What a thread then still does with it is reported with what ended it. That the
// memory became something else is no misuse alone: nobody may come back to the barrier.
#pragma once

#include "model.hpp"

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
  /// `is_parity`: of whichever barrier is there; else of the one that the thread arrived at.
  void waits(thread const&, std::byte const* where, bool is_parity);

  // --- cluster launch control ---
  /// A request, and whether it found a cluster.
  void requests(thread const&, bool found);
  /// Somebody reads in an answer that there was none.
  void told_none(thread const&);

  void end_block(block const&);

private:
  struct barrier {
    bool is_alive = true;
    std::uint64_t number = 0;                       ///< of this barrier among those that were here
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
