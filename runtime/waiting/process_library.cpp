// SPDX-License-Identifier: Apache-2.0
//
// process_library: what the shared library exports: the C interface, implemented by parking.cpp.
#include "../interface/boundary.hpp"
#include "process_interface.h"

namespace runtime = cudax::runtime;

static_assert(runtime::context_max == 32, "the interface names this size: raise its version");

#define CUDAX_EXPORT [[gnu::visibility("default")]]

namespace {

/// Stops the program if this is no wait of this version of the interface: the caller is a plugin that was compiled by
/// other people, at another time.
void ensure_valid(cudax_sync_process_wait const* wait) noexcept {
  constexpr unsigned known = cudax_sync_process_polls | cudax_sync_process_spins | cudax_sync_process_turn;
  if (!wait)
    runtime::stop("cudax.sync: cudax_sync_process_park: the wait is null (%lld); give the address of a wait\n", 0);
  if (!wait->changed)
    runtime::stop("cudax.sync: cudax_sync_process_park: `changed` of the wait at 0x%llx is null; give a function that "
                  "checks for the change\n",
                  reinterpret_cast<long long>(wait));
  if (!wait->context && wait->context_size != 0)
    runtime::stop(
        "cudax.sync: cudax_sync_process_park: `context` is null, but `context_size` is %lld; give a size of 0 "
        "for a context that other threads cannot copy\n",
        static_cast<long long>(wait->context_size));
  if (wait->flags & ~known)
    runtime::stop(
        "cudax.sync: cudax_sync_process_park: `flags` is 0x%llx, which contains unknown flags; set only those "
        "of cudax_sync_process_wait_flag\n",
        wait->flags);
}

} // namespace

extern "C" {

CUDAX_EXPORT bool cudax_sync_process_park(cudax_sync_process_wait const* wait) {
  ensure_valid(wait);
  return runtime::park(
      {.address = wait->address,
       .changed = wait->changed,
       .context = wait->context,
       .size = wait->context_size,
       .deadline = wait->deadline,
       .polls = (wait->flags & cudax_sync_process_polls) != 0,
       .spins = (wait->flags & cudax_sync_process_spins) != 0,
       .what = wait->flags & cudax_sync_process_turn ? runtime::awaited::turn : runtime::awaited::change,
       .turn = wait->turn});
}

CUDAX_EXPORT void cudax_sync_process_unpark(void const volatile* address) { runtime::unpark(address); }

CUDAX_EXPORT void cudax_sync_process_unpark_some(void const volatile* address, long long count) {
  runtime::unpark_some(address, count);
}

CUDAX_EXPORT void cudax_sync_process_unpark_turns(void const volatile* address, unsigned first, unsigned count) {
  runtime::unpark_turns(address, first, count);
}

} // extern "C"
