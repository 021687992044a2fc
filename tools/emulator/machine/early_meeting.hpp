// SPDX-License-Identifier: Apache-2.0
//
// early_meeting: lanes of a warp that meet as early as ptxas may let them (convergence.hpp), before a barrier or a
// collective.
// The meeting orders no memory. It is an operation of its own, which the decoder emits only if the process asks for it
// (run_mode::converges_early), so other runs pay nothing for it. Lanes that never meet hang, as on a GPU. A checked run
// lets them go on in the end: ptxas may also have let them meet late.
#pragma once

#include "convergence.hpp"
#include "thread.hpp"

#include <vector>

namespace emulator {

struct function;
struct function_decoder;

/// Emits the operation.
void emit_early_meeting(function_decoder&, convergence const&);

bool is_early_meeting(operation const*);
/// The barrier or the collective for which the lanes meet.
/// Requires: is_early_meeting()
operation const* cause_of_early_meeting(operation const*);

/// Lanes of a warp that wait at early meetings, and those for which they wait.
struct early_wait {
  std::uint32_t waiting, missing;
};
std::vector<early_wait> early_waits(warp const&);

/// Lets the lanes go on that wait at early meetings. Lanes that come to such a meeting later do not wait for them.
void end_early_meetings(warp&);

/// The branch at the end of the loop that an operation is in; null where it is in none. What a loop calls may have been
/// inlined from another file; the branch has the line of the loop.
operation const* end_of_loop(function const&, operation const* inside);

/// What a program can do about lanes that hang in this way. One loop around the attempt to lock, the critical section
/// and the unlock does not always help: LLVM makes a loop of the attempt alone of it.
inline constexpr char const* advice_on_early_meetings =
    "end such a wait by a read-modify-write (atomicExch), by an atomic store of cudax.sync, or by a store with "
    "__threadfence_block() after it";

} // namespace emulator
