// SPDX-License-Identifier: Apache-2.0
//
// fence: the one-sided thread fences of sm_90.  PTX ISA, "membar / fence"
// An acquire fence becomes CCTL.IVALL alone and a release fence MEMBAR alone; fence.acq_rel is both.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

// fence.acquire{.scope};                                 PTX ISA 8.6, sm_90
template <scope Scope>
void fence_acquire() {
  asm volatile((text("fence.acquire", spelling(Scope), ";")) : : : "memory");
}

// fence.release{.scope};                                 PTX ISA 8.6, sm_90
template <scope Scope>
void fence_release() {
  asm volatile((text("fence.release", spelling(Scope), ";")) : : : "memory");
}

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
