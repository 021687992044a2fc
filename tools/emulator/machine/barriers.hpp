// SPDX-License-Identifier: Apache-2.0
//
// barriers: the sixteen named barriers of a block.  [PTX ISA, "bar, barrier"]
// A barrier without a count waits for all threads of the block that have not exited. A barrier with a count counts
// threads.
// A
// warp of which all lanes that have not exited have arrived counts as 32 threads, as the hardware counts warps.
#pragma once

#include "resident.hpp"

namespace emulator {

/// A thread arrives at barrier `number`, which `expected` threads complete (0: those of the block). With any action but
/// `arrive` the thread waits, and register d of its operation becomes the result of a reduction over the `predicate`s.
/// Returns: the next operation; null where the thread waits
operation const* arrive_at_barrier(thread&, operation const*, std::uint32_t number, std::uint32_t expected,
                                   barrier_action, bool predicate);

} // namespace emulator
