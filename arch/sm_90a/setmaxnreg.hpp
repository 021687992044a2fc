// SPDX-License-Identifier: Apache-2.0
//
// setmaxnreg: how many registers each thread of a warp owns.  PTX ISA, "setmaxnreg"
// The count is an immediate: one function for each.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90a {

// setmaxnreg.inc.sync.aligned.u32 count;                 PTX ISA 8.0, sm_90a
template <u32 Count>
void setmaxnreg_inc() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(Count) : "memory");
}

// setmaxnreg.dec.sync.aligned.u32 count;                 PTX ISA 8.0, sm_90a
template <u32 Count>
void setmaxnreg_dec() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(Count) : "memory");
}

} // namespace cudax::arch::sm_90a

#pragma clang force_cuda_host_device end
