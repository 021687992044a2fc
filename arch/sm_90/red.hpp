// SPDX-License-Identifier: Apache-2.0
//
// red: what sm_90 adds: addition of bfloat16.  PTX ISA, "red"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

// red{.relaxed,.release}{.scope}{.space}.add.noftz.bf16 [a], b; PTX ISA 7.8, sm_90
template <class Q>
void red_add_noftz_bf16(void* a, u16 b) {
  asm volatile((Q::spell("red", ".add.noftz.bf16 [%0], %1;")) : : "l"(Q::address(a)), "h"(b) : "memory");
}

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
