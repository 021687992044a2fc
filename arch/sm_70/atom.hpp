// SPDX-License-Identifier: Apache-2.0
//
// atom: read-modify-write operations that return the value before.  PTX ISA, "atom"
// f32 addition on global memory flushes subnormal operands and results to zero; on shared memory it does not.
// Additions of integers that are relaxed, at the scope of the device, and through a pointer whose state space is not
// known in the device link are instructions of LLVM IR (atom_add.ll). Two shapes, each written once, and a row for each
// function: its name, the type of its operands, OPERATION, and the constraint of their registers.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {
// clang-format off

// atom.relaxed.gpu{.space}.add d, [a], b;                 PTX ISA 6.0, sm_70
namespace ir {
template <class Q>
constexpr bool adds = __is_same(Q, qualifiers<sem::relaxed, scope::gpu, space::generic>);
u32 atom_add_u32(void*, u32) __asm__("atom.relaxed.gpu.add.u32");
u64 atom_add_u64(void*, u64) __asm__("atom.relaxed.gpu.add.u64");
} // namespace ir

// atom{.sem}{.scope}{.space}.OPERATION d, [a], b;         PTX ISA 6.0, sm_70; .noftz.f16: PTX ISA 6.3, sm_70
#define CUDAX_ATOM(name, type, operation, constraint) \
  template <class Q> \
  type name(void* a, type b) { \
    type d; \
    asm volatile((Q::spell("atom", operation " %0, [%1], %2;")) : "=" constraint(d) : "l"(Q::address(a)), constraint(b) : "memory"); \
    return d; \
  }
CUDAX_ATOM(atom_exch_b32,      u32, ".exch.b32",      "r")
CUDAX_ATOM(atom_exch_b64,      u64, ".exch.b64",      "l")
CUDAX_ATOM(atom_add_spelled_u32, u32, ".add.u32",       "r")
CUDAX_ATOM(atom_add_spelled_u64, u64, ".add.u64",       "l")
CUDAX_ATOM(atom_add_f32,       f32, ".add.f32",       "f")
CUDAX_ATOM(atom_add_f64,       f64, ".add.f64",       "d")
CUDAX_ATOM(atom_add_noftz_f16, u16, ".add.noftz.f16", "h")
CUDAX_ATOM(atom_and_b32,       u32, ".and.b32",       "r")
CUDAX_ATOM(atom_and_b64,       u64, ".and.b64",       "l")
CUDAX_ATOM(atom_or_b32,        u32, ".or.b32",        "r")
CUDAX_ATOM(atom_or_b64,        u64, ".or.b64",        "l")
CUDAX_ATOM(atom_xor_b32,       u32, ".xor.b32",       "r")
CUDAX_ATOM(atom_xor_b64,       u64, ".xor.b64",       "l")
CUDAX_ATOM(atom_max_u32,       u32, ".max.u32",       "r")
CUDAX_ATOM(atom_max_s32,       s32, ".max.s32",       "r")
CUDAX_ATOM(atom_max_u64,       u64, ".max.u64",       "l")
CUDAX_ATOM(atom_max_s64,       s64, ".max.s64",       "l")
CUDAX_ATOM(atom_min_u32,       u32, ".min.u32",       "r")
CUDAX_ATOM(atom_min_s32,       s32, ".min.s32",       "r")
CUDAX_ATOM(atom_min_u64,       u64, ".min.u64",       "l")
CUDAX_ATOM(atom_min_s64,       s64, ".min.s64",       "l")
#undef CUDAX_ATOM

#define CUDAX_ATOM_ADD(type) \
  template <class Q> \
  type atom_add_##type(void* a, type b) { \
    if constexpr (ir::adds<Q>) return ir::atom_add_##type(a, b); \
    else return atom_add_spelled_##type<Q>(a, b); \
  }
CUDAX_ATOM_ADD(u32)
CUDAX_ATOM_ADD(u64)
#undef CUDAX_ATOM_ADD

// atom{.sem}{.scope}{.space}.cas.TYPE d, [a], b, c;       PTX ISA 6.0, sm_70; .b16: PTX ISA 6.3, sm_70
#define CUDAX_ATOM_CAS(name, type, operation, constraint) \
  template <class Q> \
  type name(void* a, type b, type c) { \
    type d; \
    asm volatile((Q::spell("atom", operation " %0, [%1], %2, %3;")) : "=" constraint(d) : "l"(Q::address(a)), constraint(b), constraint(c) : "memory"); \
    return d; \
  }
CUDAX_ATOM_CAS(atom_cas_b16, u16, ".cas.b16", "h")
CUDAX_ATOM_CAS(atom_cas_b32, u32, ".cas.b32", "r")
CUDAX_ATOM_CAS(atom_cas_b64, u64, ".cas.b64", "l")
#undef CUDAX_ATOM_CAS

// clang-format on
} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
