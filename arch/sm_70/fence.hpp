// SPDX-License-Identifier: Apache-2.0
//
// fence: thread fences.  PTX ISA, "membar / fence"
// One-sided fences exist from sm_90 (ptxas 13.0 accepts them for sm_75 and sm_80 and emits an empty instruction), so
// here an acquire fence and a release fence are both the acq_rel one.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

constexpr bool has_acquire_fence = false;

// fence.sc{.scope};                                      PTX ISA 6.0, sm_70
template <scope Scope>
void fence_sc() {
  asm volatile((text("fence.sc", spelling(Scope), ";")) : : : "memory");
}

// fence.acq_rel{.scope};                                 PTX ISA 6.0, sm_70
template <scope Scope>
void fence_acq_rel() {
  asm volatile((text("fence.acq_rel", spelling(Scope), ";")) : : : "memory");
}

template <scope Scope>
void fence_acquire() {
  fence_acq_rel<Scope>();
}

template <scope Scope>
void fence_release() {
  fence_acq_rel<Scope>();
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
