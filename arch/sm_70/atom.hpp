// SPDX-License-Identifier: Apache-2.0
//
// atom: read-modify-write operations that return the value before.  PTX ISA, "atom"
// f32 addition on global memory flushes subnormal operands and results to zero; on shared memory it does not.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {
// clang-format off

// atom{.sem}{.scope}{.space}.exch.b32 d, [a], b;          PTX ISA 6.0, sm_70
template <class Q>
u32 atom_exch_b32(void* a, u32 b) {
  u32 d;
  asm volatile((Q::spell("atom", ".exch.b32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.exch.b64 d, [a], b;          PTX ISA 6.0, sm_70
template <class Q>
u64 atom_exch_b64(void* a, u64 b) {
  u64 d;
  asm volatile((Q::spell("atom", ".exch.b64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.cas.b16 d, [a], b, c;        PTX ISA 6.3, sm_70
template <class Q>
u16 atom_cas_b16(void* a, u16 b, u16 c) {
  u16 d;
  asm volatile((Q::spell("atom", ".cas.b16 %0, [%1], %2, %3;")) : "=h"(d) : "l"(Q::address(a)), "h"(b), "h"(c) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.cas.b32 d, [a], b, c;        PTX ISA 6.0, sm_70
template <class Q>
u32 atom_cas_b32(void* a, u32 b, u32 c) {
  u32 d;
  asm volatile((Q::spell("atom", ".cas.b32 %0, [%1], %2, %3;")) : "=r"(d) : "l"(Q::address(a)), "r"(b), "r"(c) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.cas.b64 d, [a], b, c;        PTX ISA 6.0, sm_70
template <class Q>
u64 atom_cas_b64(void* a, u64 b, u64 c) {
  u64 d;
  asm volatile((Q::spell("atom", ".cas.b64 %0, [%1], %2, %3;")) : "=l"(d) : "l"(Q::address(a)), "l"(b), "l"(c) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.add.u32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u32 atom_add_u32(void* a, u32 b) {
  u32 d;
  asm volatile((Q::spell("atom", ".add.u32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.add.u64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u64 atom_add_u64(void* a, u64 b) {
  u64 d;
  asm volatile((Q::spell("atom", ".add.u64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.add.f32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
f32 atom_add_f32(void* a, f32 b) {
  f32 d;
  asm volatile((Q::spell("atom", ".add.f32 %0, [%1], %2;")) : "=f"(d) : "l"(Q::address(a)), "f"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.add.f64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
f64 atom_add_f64(void* a, f64 b) {
  f64 d;
  asm volatile((Q::spell("atom", ".add.f64 %0, [%1], %2;")) : "=d"(d) : "l"(Q::address(a)), "d"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.add.noftz.f16 d, [a], b;     PTX ISA 6.3, sm_70
template <class Q>
u16 atom_add_noftz_f16(void* a, u16 b) {
  u16 d;
  asm volatile((Q::spell("atom", ".add.noftz.f16 %0, [%1], %2;")) : "=h"(d) : "l"(Q::address(a)), "h"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.and.b32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u32 atom_and_b32(void* a, u32 b) {
  u32 d;
  asm volatile((Q::spell("atom", ".and.b32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.and.b64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u64 atom_and_b64(void* a, u64 b) {
  u64 d;
  asm volatile((Q::spell("atom", ".and.b64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.or.b32 d, [a], b;            PTX ISA 6.0, sm_70
template <class Q>
u32 atom_or_b32(void* a, u32 b) {
  u32 d;
  asm volatile((Q::spell("atom", ".or.b32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.or.b64 d, [a], b;            PTX ISA 6.0, sm_70
template <class Q>
u64 atom_or_b64(void* a, u64 b) {
  u64 d;
  asm volatile((Q::spell("atom", ".or.b64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.xor.b32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u32 atom_xor_b32(void* a, u32 b) {
  u32 d;
  asm volatile((Q::spell("atom", ".xor.b32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.xor.b64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u64 atom_xor_b64(void* a, u64 b) {
  u64 d;
  asm volatile((Q::spell("atom", ".xor.b64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.max.u32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u32 atom_max_u32(void* a, u32 b) {
  u32 d;
  asm volatile((Q::spell("atom", ".max.u32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.max.s32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
s32 atom_max_s32(void* a, s32 b) {
  s32 d;
  asm volatile((Q::spell("atom", ".max.s32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.max.u64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u64 atom_max_u64(void* a, u64 b) {
  u64 d;
  asm volatile((Q::spell("atom", ".max.u64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.max.s64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
s64 atom_max_s64(void* a, s64 b) {
  s64 d;
  asm volatile((Q::spell("atom", ".max.s64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.min.u32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u32 atom_min_u32(void* a, u32 b) {
  u32 d;
  asm volatile((Q::spell("atom", ".min.u32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.min.s32 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
s32 atom_min_s32(void* a, s32 b) {
  s32 d;
  asm volatile((Q::spell("atom", ".min.s32 %0, [%1], %2;")) : "=r"(d) : "l"(Q::address(a)), "r"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.min.u64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
u64 atom_min_u64(void* a, u64 b) {
  u64 d;
  asm volatile((Q::spell("atom", ".min.u64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// atom{.sem}{.scope}{.space}.min.s64 d, [a], b;           PTX ISA 6.0, sm_70
template <class Q>
s64 atom_min_s64(void* a, s64 b) {
  s64 d;
  asm volatile((Q::spell("atom", ".min.s64 %0, [%1], %2;")) : "=l"(d) : "l"(Q::address(a)), "l"(b) : "memory");
  return d;
}

// clang-format on
} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
