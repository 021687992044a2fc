// SPDX-License-Identifier: Apache-2.0
//
// process_library: what the shared library exports: the C interface, implemented by parking.cpp.
#include "boundary.hpp"
#include "process_interface.h"

namespace runtime = cudax::runtime;

static_assert(runtime::context_max == 32, "the interface names this size: raise its version");

#define CUDAX_EXPORT [[gnu::visibility("default")]]

extern "C" {

CUDAX_EXPORT bool cudax_sync_process_park(cudax_sync_process_wait const* wait) {
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

CUDAX_EXPORT void cudax_sync_process_unpark_after_any_write(void const volatile* address) {
  runtime::unpark_after_any_write(address);
}

CUDAX_EXPORT void cudax_sync_process_unpark_some(void const volatile* address, long long count) {
  runtime::unpark_some(address, count);
}

CUDAX_EXPORT void cudax_sync_process_unpark_turns(void const volatile* address, unsigned first, unsigned count) {
  runtime::unpark_turns(address, first, count);
}

} // extern "C"
