// SPDX-License-Identifier: Apache-2.0
//
// st: strong stores.  PTX ISA, "st"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

// st{.relaxed,.release}{.scope}{.space}.u8 [a], b;       PTX ISA 6.0, sm_70
// b is a 16-bit register: given a 32-bit one that holds the result of a floating-point instruction, ptxas 13.0 stores
// the number converted to an integer instead of the low byte of its bits (F2IP.U8.F32.TRUNC on sm_90).
template <class Q>
void st_u8(void* a, u8 b) {
  asm volatile((Q::spell("st", ".u8 [%0], %1;")) : : "l"(Q::address(a)), "h"(u16(b)) : "memory");
}

// st{.relaxed,.release}{.scope}{.space}.u16 [a], b;      PTX ISA 6.0, sm_70
template <class Q>
void st_u16(void* a, u16 b) {
  asm volatile((Q::spell("st", ".u16 [%0], %1;")) : : "l"(Q::address(a)), "h"(b) : "memory");
}

// st{.relaxed,.release}{.scope}{.space}.u32 [a], b;      PTX ISA 6.0, sm_70
template <class Q>
void st_u32(void* a, u32 b) {
  asm volatile((Q::spell("st", ".u32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// st{.relaxed,.release}{.scope}{.space}.u64 [a], b;      PTX ISA 6.0, sm_70
template <class Q>
void st_u64(void* a, u64 b) {
  asm volatile((Q::spell("st", ".u64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// st{.relaxed,.release}{.scope}{.space}.b128 [a], b;     PTX ISA 8.3, sm_70
template <class Q>
void st_b128(void* a, b128 b) {
  asm volatile((Q::spell("st", ".b128 [%0], %1;")) : : "l"(Q::address(a)), "q"(b) : "memory");
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
