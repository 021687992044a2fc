// SPDX-License-Identifier: Apache-2.0
//
// barriers: the sixteen named barriers of a block.  [PTX ISA, "bar, barrier"]
// A barrier without a count waits for all threads of the block that have not exited. One with a count counts threads, and a
// warp that has arrived as far as its lanes live counts as a whole, as the hardware counts warps.
#pragma once

#include "resident.hpp"

namespace emulator {

/// A thread comes to barrier `number`, with `expected` threads in all (0: those of the block). Not `arrive`: it waits, and
/// its operation's d becomes the result of a reduction over the `predicate`s.
/// Returns: what runs next
operation const* arrive_at_barrier(thread&, operation const*, std::uint32_t number, std::uint32_t expected,
                                   barrier_action, bool predicate);

} // namespace emulator
