// SPDX-License-Identifier: Apache-2.0
//
// red: what sm_90 adds: addition of bfloat16.  PTX ISA, "red"
#pragma once

#include "../sm_70/red.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

// red{.relaxed,.release}{.scope}{.space}.add.noftz.bf16 [a], b; PTX ISA 7.8, sm_90
template <class Q>
void red_add_noftz_bf16(void* a, u16 b) {
  asm volatile((Q::spell("red", ".add.noftz.bf16 [%0], %1;")) : : "l"(Q::address(a)), "h"(b) : "memory");
}

/// Generic also in shared memory, where `.shared` becomes a loop (ATOMS.CAST.SPIN.64). On an H200 the generic form has
/// 2,633 Gop/s against 1,351, and one thread waits 115 cycles against 120.
template <class Q>
void red_add_u64(void* a, u64 b) {
  if constexpr (Q::where == space::shared) sm_70::red_add_spelled_u64<typename Q::generic>(a, b);
  else sm_70::red_add_u64<Q>(a, b);
}

} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
