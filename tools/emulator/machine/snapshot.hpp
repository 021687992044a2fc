// SPDX-License-Identifier: Apache-2.0
//
// snapshot: the state of a thread as a number. A thread that comes to a state again, while no memory changed, waits in
// a loop for another thread.
#pragma once

#include "thread.hpp"

#include <cstdint>
#include <vector>

namespace emulator {

/// Of pc and the registers of the innermost function.
std::uint64_t snapshot_of(thread const&);

/// Of pc and all frames: registers and local memory.
std::uint64_t snapshot_of_all(thread const&);

/// How the registers and the local memory of all frames differ from `state`, word by word, as a number: the same
/// differences have the same number. `state` becomes the present one.
std::uint64_t step_from(std::vector<std::uint64_t>& state, thread const&);

} // namespace emulator
