; SPDX-License-Identifier: Apache-2.0
;
; atom_add: atom.relaxed.gpu.add through a pointer whose state space is not known in the device link, as an instruction of
; LLVM IR. The back end knows more: a pointer in a structure that a kernel takes by value points to global memory. Then it
; prints .global, and ptxas makes REDG of an addition whose result is not used, which it does not make of a generic one.
; LLVM 22 prints neither .sem nor .scope of any atomicrmw. Their defaults are .relaxed and .gpu (PTX ISA, "atom"), so only
; these are here.
define i32 @"atom.relaxed.gpu.add.u32"(ptr %a, i32 %b) alwaysinline {
  %d = atomicrmw add ptr %a, i32 %b syncscope("device") monotonic
  ret i32 %d
}
define i64 @"atom.relaxed.gpu.add.u64"(ptr %a, i64 %b) alwaysinline {
  %d = atomicrmw add ptr %a, i64 %b syncscope("device") monotonic
  ret i64 %d
}
