// SPDX-License-Identifier: Apache-2.0
//
// ld: strong loads.  PTX ISA, "ld"
// Loads of 1 to 8 bytes are atomic loads of LLVM IR (ld_st.ll.in), to which the back end adds the state space where it
// knows the space, also where that is only after the device link. An asm needs the space as text. On an object that the
// back end knows to be automatic, they are plain loads.
// ld.acquire of a scope wider than the block invalidates the L1 on sm_90 (SASS: LD.STRONG; CCTL.IVALL): a loop polls
// relaxed and acquires once.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {
// clang-format off

// The functions of ld_st.ll.in. They have the names of the instructions.
namespace ir {
template <sem Sem, scope Scope> u8 ld_b8(void const*);
template <sem Sem, scope Scope> u16 ld_b16(void const*);
template <sem Sem, scope Scope> u32 ld_b32(void const*);
template <sem Sem, scope Scope> u64 ld_b64(void const*);

// ld{.relaxed,.acquire}{.scope}{.space}.bN d, [a];       PTX ISA 6.0, sm_70
#define CUDAX_LD_SIZE(Sem, Scope, bits) \
  template <> u##bits ld_b##bits<sem::Sem, scope::Scope>(void const*) __asm__("ld." #Sem "." #Scope ".b" #bits);
#define CUDAX_LD(Sem, Scope) \
  CUDAX_LD_SIZE(Sem, Scope, 8) CUDAX_LD_SIZE(Sem, Scope, 16) CUDAX_LD_SIZE(Sem, Scope, 32) CUDAX_LD_SIZE(Sem, Scope, 64)
CUDAX_LD(relaxed, cta)
CUDAX_LD(relaxed, cluster)
CUDAX_LD(relaxed, gpu)
CUDAX_LD(relaxed, sys)
CUDAX_LD(acquire, cta)
CUDAX_LD(acquire, cluster)
CUDAX_LD(acquire, gpu)
CUDAX_LD(acquire, sys)
#undef CUDAX_LD
#undef CUDAX_LD_SIZE
} // namespace ir

// The state space of Q is not used.
template <class Q> u8 ld_b8(void const* a) { return ir::ld_b8<Q::order, Q::reach>(a); }
template <class Q> u16 ld_b16(void const* a) { return ir::ld_b16<Q::order, Q::reach>(a); }
template <class Q> u32 ld_b32(void const* a) { return ir::ld_b32<Q::order, Q::reach>(a); }
template <class Q> u64 ld_b64(void const* a) { return ir::ld_b64<Q::order, Q::reach>(a); }

// clang-format on

// ld{.relaxed,.acquire}{.scope}{.space}.b128 d, [a];     PTX ISA 8.3, sm_70
template <class Q>
b128 ld_b128(void const* a) {
  b128 d;
  asm volatile((Q::spell("ld", ".b128 %0, [%1];")) : "=q"(d) : "l"(Q::address(a)) : "memory");
  return d;
}

// ld.relaxed{.scope}{.space}.v2.b64 {d, e}, [a];         PTX ISA 6.0, sm_70
// The memory model takes it for two loads of 8 bytes, in no order ("Vector Data-types"). The first is the low half.
template <class Q>
b128 ld_v2_b64(void const* a) {
  static_assert(Q::order == sem::relaxed);
  u64 d, e;
  asm volatile((Q::spell("ld", ".v2.b64 {%0, %1}, [%2];")) : "=l"(d), "=l"(e) : "l"(Q::address(a)) : "memory");
  return b128(e) << 64 | d;
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
