// SPDX-License-Identifier: Apache-2.0
//
// red: read-modify-write operations without a result.  PTX ISA, "red"
// They never acquire. On sm_90 a `red` on .global is REDG, a quarter more throughput than ATOMG.
// One shape, written once, and a row for each function, as in atom.hpp.
#pragma once

#include "../ptx.hpp"
#include "atom.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {
// clang-format off

// red{.relaxed,.release}{.scope}{.space}.OPERATION [a], b;        PTX ISA 6.0, sm_70; .noftz.f16: PTX ISA 6.3, sm_70
#define CUDAX_RED(name, type, operation, constraint) \
  template <class Q> \
  void name(void* a, type b) { \
    asm volatile((Q::spell("red", operation " [%0], %1;")) : : "l"(Q::address(a)), constraint(b) : "memory"); \
  }
CUDAX_RED(red_add_spelled_u32, u32, ".add.u32",     "r")
CUDAX_RED(red_add_spelled_u64, u64, ".add.u64",     "l")
CUDAX_RED(red_add_f32,       f32, ".add.f32",       "f")
CUDAX_RED(red_add_f64,       f64, ".add.f64",       "d")
CUDAX_RED(red_add_noftz_f16, u16, ".add.noftz.f16", "h")
CUDAX_RED(red_and_b32,       u32, ".and.b32",       "r")
CUDAX_RED(red_and_b64,       u64, ".and.b64",       "l")
CUDAX_RED(red_or_b32,        u32, ".or.b32",        "r")
CUDAX_RED(red_or_b64,        u64, ".or.b64",        "l")
CUDAX_RED(red_xor_b32,       u32, ".xor.b32",       "r")
CUDAX_RED(red_xor_b64,       u64, ".xor.b64",       "l")
CUDAX_RED(red_inc_u32,       u32, ".inc.u32",       "r")
CUDAX_RED(red_dec_u32,       u32, ".dec.u32",       "r")
CUDAX_RED(red_max_u32,       u32, ".max.u32",       "r")
CUDAX_RED(red_max_s32,       s32, ".max.s32",       "r")
CUDAX_RED(red_max_u64,       u64, ".max.u64",       "l")
CUDAX_RED(red_max_s64,       s64, ".max.s64",       "l")
CUDAX_RED(red_min_u32,       u32, ".min.u32",       "r")
CUDAX_RED(red_min_s32,       s32, ".min.s32",       "r")
CUDAX_RED(red_min_u64,       u64, ".min.u64",       "l")
CUDAX_RED(red_min_s64,       s64, ".min.s64",       "l")
#undef CUDAX_RED

// The same instruction of LLVM IR as for atom_add: there is none without a result, and ptxas drops it.
#define CUDAX_RED_ADD(type) \
  template <class Q> \
  void red_add_##type(void* a, type b) { \
    if constexpr (ir::adds<Q>) (void)ir::atom_add_##type(a, b); \
    else red_add_spelled_##type<Q>(a, b); \
  }
CUDAX_RED_ADD(u32)
CUDAX_RED_ADD(u64)
#undef CUDAX_RED_ADD

// clang-format on
} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
