// SPDX-License-Identifier: Apache-2.0
//
// process_forward: parking by the shared library. A program that links this file before the archive gets these
// functions in place of those of parking.cpp, which the linker then leaves in the archive.
#include "../interface/boundary.hpp"
#include "process_interface.h"

// The link options name this symbol. So the linker takes the file before any object asks for one of its functions, and
// takes it once, even if the options are repeated.
extern "C" {
extern char const cudax_sync_forward;
char const cudax_sync_forward = 0;
}

namespace cudax::runtime {

unsigned long const* const parked_counts = nullptr; // the layout of the buckets is no part of the interface

bool park(parked_wait const& wait) noexcept {
  cudax_sync_process_wait const same{.address = wait.address,
                                     .changed = wait.changed,
                                     .context = wait.context,
                                     .context_size = wait.size,
                                     .deadline = wait.deadline,
                                     .flags = (wait.polls ? cudax_sync_process_polls : 0u) |
                                              (wait.spins ? cudax_sync_process_spins : 0u) |
                                              (wait.what == awaited::turn ? cudax_sync_process_turn : 0u),
                                     .turn = wait.turn};
  return cudax_sync_process_park(&same);
}

void unpark(void const volatile* address) noexcept { cudax_sync_process_unpark(address); }

void unpark_some(void const volatile* address, long long count) noexcept {
  cudax_sync_process_unpark_some(address, count);
}

void unpark_turns(void const volatile* address, unsigned first, unsigned count) noexcept {
  cudax_sync_process_unpark_turns(address, first, count);
}

} // namespace cudax::runtime
