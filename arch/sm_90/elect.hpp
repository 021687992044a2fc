// SPDX-License-Identifier: Apache-2.0
//
// elect: one lane of a warp that acts for all. PTX ISA, "elect.sync"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

// elect.sync d|p, membermask;                            PTX ISA 8.0, sm_90
inline bool elect_sync(u32 mask) {
  u32 elected;
  asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.b32 %0, 1, 0, p; }" : "=r"(elected) : "r"(mask) : "memory");
  return elected != 0;
}

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
