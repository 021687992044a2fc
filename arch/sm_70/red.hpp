// SPDX-License-Identifier: Apache-2.0
//
// red: read-modify-write operations without a result.  PTX ISA, "red"
// They never acquire. On sm_90 a `red` on .global is REDG, a quarter more throughput than ATOMG.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

// red{.relaxed,.release}{.scope}{.space}.add.u32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_add_u32(void* a, u32 b) {
  asm volatile((Q::spell("red", ".add.u32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.add.u64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_add_u64(void* a, u64 b) {
  asm volatile((Q::spell("red", ".add.u64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.add.f32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_add_f32(void* a, f32 b) {
  asm volatile((Q::spell("red", ".add.f32 [%0], %1;")) : : "l"(Q::address(a)), "f"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.add.f64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_add_f64(void* a, f64 b) {
  asm volatile((Q::spell("red", ".add.f64 [%0], %1;")) : : "l"(Q::address(a)), "d"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.add.noftz.f16 [a], b; PTX ISA 6.3, sm_70
template <class Q>
void red_add_noftz_f16(void* a, u16 b) {
  asm volatile((Q::spell("red", ".add.noftz.f16 [%0], %1;")) : : "l"(Q::address(a)), "h"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.and.b32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_and_b32(void* a, u32 b) {
  asm volatile((Q::spell("red", ".and.b32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.and.b64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_and_b64(void* a, u64 b) {
  asm volatile((Q::spell("red", ".and.b64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.or.b32 [a], b;   PTX ISA 6.0, sm_70
template <class Q>
void red_or_b32(void* a, u32 b) {
  asm volatile((Q::spell("red", ".or.b32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.or.b64 [a], b;   PTX ISA 6.0, sm_70
template <class Q>
void red_or_b64(void* a, u64 b) {
  asm volatile((Q::spell("red", ".or.b64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.xor.b32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_xor_b32(void* a, u32 b) {
  asm volatile((Q::spell("red", ".xor.b32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.xor.b64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_xor_b64(void* a, u64 b) {
  asm volatile((Q::spell("red", ".xor.b64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.max.u32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_max_u32(void* a, u32 b) {
  asm volatile((Q::spell("red", ".max.u32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.max.s32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_max_s32(void* a, s32 b) {
  asm volatile((Q::spell("red", ".max.s32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.max.u64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_max_u64(void* a, u64 b) {
  asm volatile((Q::spell("red", ".max.u64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.max.s64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_max_s64(void* a, s64 b) {
  asm volatile((Q::spell("red", ".max.s64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.min.u32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_min_u32(void* a, u32 b) {
  asm volatile((Q::spell("red", ".min.u32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.min.s32 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_min_s32(void* a, s32 b) {
  asm volatile((Q::spell("red", ".min.s32 [%0], %1;")) : : "l"(Q::address(a)), "r"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.min.u64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_min_u64(void* a, u64 b) {
  asm volatile((Q::spell("red", ".min.u64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

// red{.relaxed,.release}{.scope}{.space}.min.s64 [a], b;  PTX ISA 6.0, sm_70
template <class Q>
void red_min_s64(void* a, s64 b) {
  asm volatile((Q::spell("red", ".min.s64 [%0], %1;")) : : "l"(Q::address(a)), "l"(b) : "memory");
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
