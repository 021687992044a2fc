// SPDX-License-Identifier: Apache-2.0
//
// memory_events: from instructions to the model: the memory_observer of checked runs.
// Parameters and a thread's own local memory are accessible to no other thread: the model is not told of them.
#pragma once

#include "../../instructions/support/memory/memory_observer.hpp"

namespace emulator::check {

/// Whether an address is of the thread's local memory or of the kernel's parameters.
bool is_private(thread const&, std::byte const* where);

/// Which phase the mbarrier is in, counted from its initialisation.
std::uint64_t phase_of_mbarrier(std::byte const* where);

} // namespace emulator::check
