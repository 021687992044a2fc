// SPDX-License-Identifier: Apache-2.0
//
// phases: which phase each mbarrier is in, and of which phases a thread knows that they have begun.  [PTX ISA,
// "mbarrier.test_wait"]
// A thread knows of a phase from its own arrivals and waits, from what happens before, and from lanes of its warp that
// have met it since (bar.warp.sync, shfl.sync and so on: no lane leaves such a meeting before all have come). The other
// lanes may be elsewhere: what they know says nothing of this one.
#pragma once

#include "../../machine/thread.hpp"
#include "../model/clock.hpp"

#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

namespace emulator::check {

struct run;

class phases {
public:
  void barrier_began(thread const&, std::byte const* where);
  void barrier_ended(std::byte const* where);
  /// The phase that the barrier is in, counted since it began.
  u64 of(std::byte const* where);

  void arrives(thread const&, std::byte const* where);
  /// A wait of the thread found that this phase is over.
  void sees_end(thread const&, std::byte const* where, u64 phase);
  /// Whether a wait of the thread must see that the barrier's current phase has begun: the thread has seen it before,
  /// or arrived last of all, or made the barrier.
  bool knows(thread const&, std::byte const* where, u64 phase) const;
  void lanes_met(warp const&, std::uint32_t lanes);

  /// A parity tells a phase from the next one only. What the thread knows must leave it no more than two.
  void check_parity(run&, thread&, std::byte const* where, std::uint32_t parity);
  /// How many phases threads have waited for.
  u64 awaited(void const* where) const;

  void end_block(block const&);

private:
  using lanes = std::array<u64, 32>;
  struct barrier {
    u64 phase = 0;
    std::uint32_t last = 0; ///< as the barrier's word has it: modulo 4
    u64 awaited = 0;
    thread const* arrived_last = nullptr;
    std::unordered_map<warp const*, lanes> known{}; ///< that this phase or a later one has begun
  };
  static u64 phase_of(barrier&, std::byte const* where);
  void learns(thread const&, barrier&, std::byte const* where, u64 phase);

  std::unordered_map<void const*, barrier> barriers_;
  /// Barriers of which a lane knows more than it did when the lanes last met.
  std::unordered_map<warp const*, std::vector<std::byte const*>> news_;
};

} // namespace emulator::check
