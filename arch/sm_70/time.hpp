// SPDX-License-Identifier: Apache-2.0
//
// time: clocks and sleeping.  PTX ISA, "nanosleep", "%globaltimer", "%clock64"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

// nanosleep.u32 t;                                       PTX ISA 6.3, sm_70
// Sleeps between 0 and 2t nanoseconds, at most a millisecond.
inline void nanosleep(u32 t) { asm volatile("nanosleep.u32 %0;" : : "r"(t) : "memory"); }

// mov.u64 d, %globaltimer;                               PTX ISA 3.1, sm_30
inline u64 globaltimer() {
  u64 d;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(d) : : "memory");
  return d;
}

// mov.u64 d, %clock64;                                   PTX ISA 2.0, sm_20
inline u64 clock64() {
  u64 d;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(d) : : "memory");
  return d;
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
