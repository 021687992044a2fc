// SPDX-License-Identifier: Apache-2.0
//
// createpolicy: how the L2 cache treats what an instruction with a cache hint accesses.  PTX ISA, "createpolicy"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_80 {
// clang-format off

// createpolicy.fractional.L2::primary.L2::rest.b64 policy, fraction;      PTX ISA 7.4, sm_80
template <eviction Primary, eviction Rest>
u64 createpolicy_fractional(float fraction) {
  u64 policy;
  asm volatile((text("createpolicy.fractional", spelling(Primary), spelling(Rest), ".b64 %0, %1;")) : "=l"(policy) : "f"(fraction) : "memory");
  return policy;
}

// clang-format on
} // namespace cudax::arch::sm_80

#pragma clang force_cuda_host_device end
