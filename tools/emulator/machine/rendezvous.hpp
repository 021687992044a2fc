// SPDX-License-Identifier: Apache-2.0
//
// rendezvous: lanes of a warp that wait for each other: bar.warp.sync, shfl.sync, vote.sync, ...  [PTX ISA,
// "membermask"] Lanes meet where they execute the same instruction with the same mask; the lanes may be at different
// lines of the program. The last lane to arrive calculates for all: each lane's thread::pc is its operation, where its
// operands are found. A lane that has exited is not waited for.
#pragma once

#include "thread.hpp"

#include <bit>

namespace emulator {

/// Calculates and writes the results of all `lanes`.
using rendezvous_function = void (*)(warp&, std::uint32_t lanes);

struct rendezvous {
  struct group {
    rendezvous_function complete;
    std::uint32_t variant; ///< operation::extra: modifiers that have to be equal
    std::uint32_t mask;
    std::uint32_t arrived;
    std::uint32_t excused; ///< lanes of the mask that need not come
  };
  std::vector<group> groups; ///< seldom more than one
  std::uint32_t let_go = 0;  ///< lanes that left an early meeting without the others (machine/early_meeting)
};

/// For a handler of the returns_next shape: its thread meets the lanes of `mask`, as far as they are not `excused`.
operation const* meet_lanes(thread&, operation const*, std::uint32_t mask, rendezvous_function,
                            std::uint32_t excused = 0);

/// After a lane has exited: completes what waited for it alone.
void complete_without_exited(warp&);

/// Calls f(lane, operation, registers) for each of the lanes.
template <class F>
void for_each_lane(warp& w, std::uint32_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1) {
    int const lane = std::countr_zero(lanes);
    thread const& t = *w.threads[std::size_t(lane)];
    f(lane, *t.pc, t.frame->registers);
  }
}

} // namespace emulator
