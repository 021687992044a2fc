// SPDX-License-Identifier: Apache-2.0
//
// sreg: special registers: the indices of a thread, and the workspace of its grid.  PTX ISA, "Special Registers"
// By the compiler's builtins where it has them: a register that never changes is then read once.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {
// clang-format off

// mov.u32 d, %tid.x;                                     PTX ISA 2.0, sm_20
inline u32 tid_x() { return u32(__nvvm_read_ptx_sreg_tid_x()); }
inline u32 tid_y() { return u32(__nvvm_read_ptx_sreg_tid_y()); }
inline u32 tid_z() { return u32(__nvvm_read_ptx_sreg_tid_z()); }

// mov.u32 d, %ntid.x;                                    PTX ISA 2.0, sm_20
inline u32 ntid_x() { return u32(__nvvm_read_ptx_sreg_ntid_x()); }
inline u32 ntid_y() { return u32(__nvvm_read_ptx_sreg_ntid_y()); }
inline u32 ntid_z() { return u32(__nvvm_read_ptx_sreg_ntid_z()); }

// mov.u32 d, %ctaid.x;                                   PTX ISA 2.0, sm_20
inline u32 ctaid_x() { return u32(__nvvm_read_ptx_sreg_ctaid_x()); }
inline u32 ctaid_y() { return u32(__nvvm_read_ptx_sreg_ctaid_y()); }
inline u32 ctaid_z() { return u32(__nvvm_read_ptx_sreg_ctaid_z()); }

// mov.u32 d, %nctaid.x;                                  PTX ISA 2.0, sm_20
inline u32 nctaid_x() { return u32(__nvvm_read_ptx_sreg_nctaid_x()); }
inline u32 nctaid_y() { return u32(__nvvm_read_ptx_sreg_nctaid_y()); }
inline u32 nctaid_z() { return u32(__nvvm_read_ptx_sreg_nctaid_z()); }

// mov.u32 d, %laneid;                                    PTX ISA 1.3, sm_20
inline u32 laneid() { return u32(__nvvm_read_ptx_sreg_laneid()); }

// activemask.b32 d;                                      PTX ISA 6.2, sm_30
inline u32 activemask() {
  u32 d;
  asm volatile("activemask.b32 %0;" : "=r"(d) : : "memory");
  return d;
}

// mov.b32 d, %envreg1;                                   PTX ISA 2.1, sm_20
inline u32 envreg1() {
  u32 d;
  asm volatile("mov.b32 %0, %%envreg1;" : "=r"(d) : : "memory");
  return d;
}

// mov.b32 d, %envreg2;                                   PTX ISA 2.1, sm_20
inline u32 envreg2() {
  u32 d;
  asm volatile("mov.b32 %0, %%envreg2;" : "=r"(d) : : "memory");
  return d;
}

// A cluster is one block before sm_90.
inline u32 cluster_ctarank() { return 0; }
inline u32 cluster_nctarank() { return 1; }
inline u32 cluster_nctaid_x() { return 1; }
inline u32 cluster_nctaid_y() { return 1; }
inline u32 cluster_nctaid_z() { return 1; }
inline void* mapa(void* a, u32) { return a; }

// clang-format on
} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
