// SPDX-License-Identifier: Apache-2.0
//
// st: strong stores.  PTX ISA, "st"
// Stores of 1 to 8 bytes are atomic stores of LLVM IR (ld_st.ll.in), as the loads of ld.hpp are.
//
// The back end stores a byte from a 16-bit register. That matters: given a 32-bit one that holds the result of a
// floating-point instruction, ptxas 13.0 stores the number converted to an integer instead of the low byte of its bits
// (F2IP.U8.F32.TRUNC on sm_90). The test ptx.sass.sm_90 checks it.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {
// clang-format off

// The functions of ld_st.ll.in. They have the names of the instructions.
namespace ir {
template <sem Sem, scope Scope> void st_b8(void*, u8);
template <sem Sem, scope Scope> void st_b16(void*, u16);
template <sem Sem, scope Scope> void st_b32(void*, u32);
template <sem Sem, scope Scope> void st_b64(void*, u64);

// st{.relaxed,.release}{.scope}{.space}.bN [a], b;       PTX ISA 6.0, sm_70
#define CUDAX_ST_SIZE(Sem, Scope, bits) \
  template <> void st_b##bits<sem::Sem, scope::Scope>(void*, u##bits) __asm__("st." #Sem "." #Scope ".b" #bits);
#define CUDAX_ST(Sem, Scope) \
  CUDAX_ST_SIZE(Sem, Scope, 8) CUDAX_ST_SIZE(Sem, Scope, 16) CUDAX_ST_SIZE(Sem, Scope, 32) CUDAX_ST_SIZE(Sem, Scope, 64)
CUDAX_ST(relaxed, cta)
CUDAX_ST(relaxed, cluster)
CUDAX_ST(relaxed, gpu)
CUDAX_ST(relaxed, sys)
CUDAX_ST(release, cta)
CUDAX_ST(release, cluster)
CUDAX_ST(release, gpu)
CUDAX_ST(release, sys)
#undef CUDAX_ST
#undef CUDAX_ST_SIZE
// hold_convergence.ll. The others contain it.
void hold_convergence() __asm__("hold.convergence");
} // namespace ir

// The state space of Q is not used.
template <class Q> void st_b8(void* a, u8 b) { ir::st_b8<Q::order, Q::reach>(a, b); }
template <class Q> void st_b16(void* a, u16 b) { ir::st_b16<Q::order, Q::reach>(a, b); }
template <class Q> void st_b32(void* a, u32 b) { ir::st_b32<Q::order, Q::reach>(a, b); }
template <class Q> void st_b64(void* a, u64 b) { ir::st_b64<Q::order, Q::reach>(a, b); }

// clang-format on

// st{.relaxed,.release}{.scope}{.space}.b128 [a], b;     PTX ISA 8.3, sm_70
template <class Q>
void st_b128(void* a, b128 b) {
  asm volatile((Q::spell("st", ".b128 [%0], %1;")) : : "l"(Q::address(a)), "q"(b) : "memory");
  ir::hold_convergence();
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
