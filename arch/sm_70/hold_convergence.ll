; SPDX-License-Identifier: Apache-2.0
;
; hold_convergence: what follows each store. ptxas may move the convergence of a warp's lanes up over a store that another
; lane of the warp waits for; then both lanes wait for each other (README.md, "Lanes that wait for each other"). It does not
; move it over an instruction with an effect outside of the thread, even under a predicate. This one triggers a performance
; monitor in a grid with 65,535 blocks in z. CUDA allows such a grid, so no compiler can take the predicate for false; and
; there the trigger is harmless. LLVM moves the comparison out of loops, as it would not if it were in the asm.
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
define void @"hold.convergence"() alwaysinline {
  %z = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %is_most = icmp eq i32 %z, 65535
  call void asm sideeffect "@$0 pmevent 0;", "b,~{memory}"(i1 %is_most)
  ret void
}

