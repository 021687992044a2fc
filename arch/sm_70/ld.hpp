// SPDX-License-Identifier: Apache-2.0
//
// ld: strong loads.  PTX ISA, "ld"
// ld.acquire of a scope wider than the block invalidates the L1 on sm_90 (SASS: LD.STRONG; CCTL.IVALL): a loop polls
// relaxed and acquires once.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

// ld{.relaxed,.acquire}{.scope}{.space}.u8 d, [a];       PTX ISA 6.0, sm_70
template <class Q>
u8 ld_u8(void const* a) {
  u16 d;
  asm volatile((Q::spell("ld", ".u8 %0, [%1];")) : "=h"(d) : "l"(Q::address(a)) : "memory");
  return u8(d);
}

// ld{.relaxed,.acquire}{.scope}{.space}.u16 d, [a];      PTX ISA 6.0, sm_70
template <class Q>
u16 ld_u16(void const* a) {
  u16 d;
  asm volatile((Q::spell("ld", ".u16 %0, [%1];")) : "=h"(d) : "l"(Q::address(a)) : "memory");
  return d;
}

// ld{.relaxed,.acquire}{.scope}{.space}.u32 d, [a];      PTX ISA 6.0, sm_70
template <class Q>
u32 ld_u32(void const* a) {
  u32 d;
  asm volatile((Q::spell("ld", ".u32 %0, [%1];")) : "=r"(d) : "l"(Q::address(a)) : "memory");
  return d;
}

// ld{.relaxed,.acquire}{.scope}{.space}.u64 d, [a];      PTX ISA 6.0, sm_70
template <class Q>
u64 ld_u64(void const* a) {
  u64 d;
  asm volatile((Q::spell("ld", ".u64 %0, [%1];")) : "=l"(d) : "l"(Q::address(a)) : "memory");
  return d;
}

// ld{.relaxed,.acquire}{.scope}{.space}.b128 d, [a];     PTX ISA 8.3, sm_70
template <class Q>
b128 ld_b128(void const* a) {
  b128 d;
  asm volatile((Q::spell("ld", ".b128 %0, [%1];")) : "=q"(d) : "l"(Q::address(a)) : "memory");
  return d;
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
