// SPDX-License-Identifier: Apache-2.0
//
// contended: lanes find their peers by match, combine their operands by shuffles or by redux, and the last peer
// performs one operation. A barrier of the lanes stands before and after it. No fence, unless the order is seq_cst:
// then each lane executes one, and the operation releases in addition.
import cudax.sync;
#include "kernel.hpp"

// Between activemask and match no instruction can separate the lanes.
KERNEL(fetch_add_u32)(u32* object, u32* operand, u32* result) {
  *result = contended_ref<u32, SCOPE>(*object).fetch_add(*operand, ORDER);
}
// CHECK-LABEL: .entry fetch_add_u32(
// ATOMIC: activemask.b32
// ATOMIC-NOT: bra
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: vote.sync.ballot.b32
// ATOMIC: shfl.sync.idx.b32
// ATOMIC: shfl.sync.idx.b32
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// ATOMIC: bar.warp.sync
// ATOMIC: shfl.sync.idx.b32
// ATOMIC-NOT: shfl
// PLAIN:  ld.global.b32
// PLAIN:  st.global.b32
// CHECK:  ret;

// A constant operand: the sum is a product, and no lane asks another one for its operand.
KERNEL(fetch_add_one)(u32* object, u32* result) { *result = contended_ref<u32, SCOPE>(*object).fetch_add(1, ORDER); }
// CHECK-LABEL: .entry fetch_add_one(
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// ATOMIC: bar.warp.sync
// ATOMIC: shfl.sync.idx.b32
// ATOMIC-NOT: shfl
// PLAIN:  st.global.b32
// CHECK:  ret;

KERNEL(fetch_add_u64)(u64* object, u64* operand, u64* result) {
  *result = contended_ref<u64, SCOPE>(*object).fetch_add(*operand, ORDER);
}
// CHECK-LABEL: .entry fetch_add_u64(
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.add.u64
// ATOMIC: bar.warp.sync
// ATOMIC: shfl.sync.idx.b32
// ATOMIC: shfl.sync.idx.b32
// PLAIN:  st.global.b64
// CHECK:  ret;

KERNEL(fetch_max_f32)(f32* object, f32* result) { *result = contended_ref<f32, SCOPE>(*object).fetch_max(1.0f, ORDER); }
// CHECK-LABEL: .entry fetch_max_f32(
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.max.s32
// ATOMIC: bar.warp.sync
// ATOMIC: shfl.sync.idx.b32
// PLAIN:  st.global.b32
// CHECK:  ret;

KERNEL(exchange_u32)(u32* object, u32* operand, u32* result) {
  *result = contended_ref<u32, SCOPE>(*object).exchange(*operand, ORDER);
}
// CHECK-LABEL: .entry exchange_u32(
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.exch.b32
// ATOMIC: bar.warp.sync
// ATOMIC: shfl.sync.idx.b32
// ATOMIC: shfl.sync.idx.b32
// PLAIN:  st.global.b32
// CHECK:  ret;

// A loop on the word around the object; the lane that performs it for its peers does not combine again.
KERNEL(fetch_add_u8)(u8* object, u8* operand, u8* result) {
  *result = contended_ref<u8, SCOPE>(*object).fetch_add(*operand, ORDER);
}
// CHECK-LABEL: .entry fetch_add_u8(
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: bar.warp.sync
// PLAIN:  st.global.b8
// CHECK:  ret;

KERNEL(exchange_u8)(u8* object, u8* operand, u8* result) {
  *result = contended_ref<u8, SCOPE>(*object).exchange(*operand, ORDER);
}
// CHECK-LABEL: .entry exchange_u8(
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: bar.warp.sync
// PLAIN:  st.global.b8
// CHECK:  ret;

// If the object may be automatic, its lane stays alone: automatic objects of several lanes have one address.
KERNEL(fetch_add_unknown)(u32** object, u32* result) {
  *result = contended_ref<u32, SCOPE>(**object).fetch_add(1, ORDER);
}
// CHECK-LABEL: .entry fetch_add_unknown(
// ATOMIC: isspacep.local {{[[:space:]]*}}[[LOCAL:%p[0-9]+]],
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// ATOMIC: selp.b32 {{.*}}, [[LOCAL]];
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: ld.b32
// ATOMIC: st.b32
// ATOMIC: atom[[SEM]][[S]].add.u32
// ATOMIC: bar.warp.sync
// PLAIN:  st.b32
// CHECK:  ret;

// The sum of floating-point numbers with a result is not combined.
KERNEL(fetch_add_f32)(f32* object, f32* operand, f32* result) {
  *result = contended_ref<f32, SCOPE>(*object).fetch_add(*operand, ORDER);
}
// CHECK-LABEL: .entry fetch_add_f32(
// CHECK-NOT: match
// CHECK-NOT: bar
// SC:     fence.sc[[S]];
// ATOMIC: atom[[RMW]][[S]].global.add.f32
// PLAIN:  st.global.b32
// CHECK:  ret;

// By a group that is known, no lane has to find its peers.
KERNEL(fetch_by_warp)(u32* object, u32* operand, u32* result) {
  *result = cudax::fetch_add(this_warp, atomic_ref<u32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry fetch_by_warp(
// CHECK-NOT: match
// CHECK-NOT: vote
// SC:     fence.sc[[S]];
// ATOMIC: shfl.sync.idx.b32
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// ATOMIC: bar.warp.sync
// PLAIN:  st.global.b32
// CHECK:  ret;

// By a group of one thread, the operation of atomic_ref.
KERNEL(fetch_by_thread)(u32* object, u32* operand, u32* result) {
  *result = cudax::fetch_add(this_thread, atomic_ref<u32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry fetch_by_thread(
// SC:     fence.sc[[S]];
// ATOMIC: atom[[RMW]][[S]].global.add.u32
// PLAIN:  st.global.b32
// CHECK:  ret;

// By a block, one operation: of its only warp, or of the first one, between two barriers of the block. Both cases begin
// with the fence, which LLVM therefore places before the branch.
KERNEL(fetch_by_block)(u32* object, u32* operand, u32* result) {
  *result = cudax::fetch_add(this_block, atomic_ref<u32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry fetch_by_block(
// CHECK-NOT: match
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// ATOMIC: bar.warp.sync
// ATOMIC: barrier.sync 0;
// ATOMIC: atom[[SEM]][[S]].global.add.u32
// ATOMIC: barrier.sync 0;
// PLAIN:  st.global.b32
// CHECK:  ret;

KERNEL(fetch_by_warp_u8)(u8* object, u8* operand, u8* result) {
  *result = cudax::fetch_max(this_warp, atomic_ref<u8, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry fetch_by_warp_u8(
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom[[SEM]][[S]].global.cas.b32
// ATOMIC: bar.warp.sync
// PLAIN:  st.global.b8
// CHECK:  ret;

// By a group of another library the lanes find their peers, and a sum of floating-point numbers is regrouped.
KERNEL(fetch_by_others)(f32* object, f32* operand, f32* result) {
  struct {
    __device__ int size() const { return 2; }
    __device__ int thread_rank() const { return 0; }
    __device__ void sync() const {}
  } const others;
  *result = cudax::fetch_add(others, atomic_ref<f32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry fetch_by_others(
// ATOMIC: activemask.b32
// ATOMIC: match.any.sync.b64
// SC:     fence.sc[[S]];
// ATOMIC: bar.warp.sync
// ATOMIC: atom[[SEM]][[S]].global.add.f32
// ATOMIC: bar.warp.sync
// PLAIN:  st.global.b32
// CHECK:  ret;
