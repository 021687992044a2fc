// SPDX-License-Identifier: Apache-2.0
//
// contended_store: as contended, for operations without a result.
import cudax.sync;
#include "kernel.hpp"

// If all lanes have one object, redux combines the operands in one instruction, on sm_80 and later.
KERNEL(store_add_u32)(u32* object, u32* operand) { contended_ref<u32, SCOPE>(*object).store_add(*operand, ORDER); }
// CHECK-LABEL: .entry store_add_u32(
// CHECK:     activemask.b32
// CHECK-NOT: bra
// CHECK:     match.any.sync.b64
// SC:        fence.sc[[S]];
// SM70-NOT:  redux
// FROM80:    redux.sync.add.u32
// CHECK:     bar.warp.sync
// CHECK:     red[[SEM]][[S]].global.add.u32
// CHECK:     bar.warp.sync
// CHECK:     ret;

KERNEL(store_max_s8)(s8* object, s8* operand) { contended_ref<s8, SCOPE>(*object).store_max(*operand, ORDER); }
// CHECK-LABEL: .entry store_max_s8(
// CHECK:     activemask.b32
// CHECK:     match.any.sync.b64
// SC:        fence.sc[[S]];
// FROM80:    redux.sync.max.s32
// CHECK:     bar.warp.sync
// CHECK:     ld.relaxed[[S]].global.b32
// CHECK:     atom[[SEM]][[S]].global.cas.b32
// CHECK:     bar.warp.sync
// CHECK:     ret;

// In the highest part of the word an addition is one instruction, else a loop.
KERNEL(store_add_u8)(u8* object, u8* operand) { contended_ref<u8, SCOPE>(*object).store_add(*operand, ORDER); }
// CHECK-LABEL: .entry store_add_u8(
// CHECK:     activemask.b32
// CHECK:     match.any.sync.b64
// SC:        fence.sc[[S]];
// CHECK:     bar.warp.sync
// CHECK:     atom[[SEM]][[S]].global.add.u32
// CHECK:     ld.relaxed[[S]].global.b32
// CHECK:     atom[[SEM]][[S]].global.cas.b32
// CHECK:     bar.warp.sync
// CHECK:     ret;

// A constant operand needs no reduction over the lanes.
KERNEL(store_add_one)(u64* object) { contended_ref<u64, SCOPE>(*object).store_add(1, ORDER); }
// CHECK-LABEL: .entry store_add_one(
// CHECK:     activemask.b32
// CHECK:     match.any.sync.b64
// SC:        fence.sc[[S]];
// CHECK-NOT: shfl
// CHECK:     bar.warp.sync
// CHECK:     red[[SEM]][[S]].global.add.u64
// CHECK:     bar.warp.sync
// CHECK-NOT: shfl
// CHECK:     ret;

KERNEL(store_add_f32)(f32* object, f32* operand) { contended_ref<f32, SCOPE>(*object).store_add(*operand, ORDER); }
// CHECK-LABEL: .entry store_add_f32(
// CHECK:     activemask.b32
// CHECK:     match.any.sync.b64
// SC:        fence.sc[[S]];
// CHECK:     shfl.sync.idx.b32
// CHECK:     bar.warp.sync
// CHECK:     red[[SEM]][[S]].global.add.f32
// CHECK:     bar.warp.sync
// CHECK:     ret;

// A contended combines. Through a reference to its base it does not: there it is an atomic.
KERNEL(store_add_object)(contended<u32, SCOPE>* object) { object->store_add(1, ORDER); }
// CHECK-LABEL: .entry store_add_object(
// CHECK:     activemask.b32
// CHECK:     match.any.sync.b64
// SC:        fence.sc[[S]];
// CHECK:     bar.warp.sync
// CHECK:     red[[SEM]][[S]].global.add.u32
// CHECK:     bar.warp.sync
// CHECK:     ret;

KERNEL(store_add_base)(contended<u32, SCOPE>* object) {
  atomic<u32, SCOPE>& base = *object;
  base.store_add(1, ORDER);
}
// CHECK-LABEL: .entry store_add_base(
// SC:        fence.sc[[S]];
// CHECK:     red[[ALONE]][[S]].global.add.u32
// CHECK:     ret;

// One operation for a block. A block of one warp needs no barrier of the block. LLVM places the fence of both cases
// before the branch.
KERNEL(store_by_block)(u32* object, u32* operand) {
  cudax::store_add(this_block, atomic_ref<u32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry store_by_block(
// SC:        fence.sc[[S]];
// CHECK:     bar.warp.sync
// CHECK:     red[[SEM]][[S]].global.add.u32
// CHECK:     bar.warp.sync
// CHECK:     barrier.sync 0;
// CHECK:     red[[SEM]][[S]].global.add.u32
// CHECK:     barrier.sync 0;
// CHECK:     ret;

// Of one warp, and of several, as above; the loops for what is not the highest part of its word stand at the end.
KERNEL(store_by_block_s16)(s16* object, s16* operand) {
  cudax::store_add(this_block, atomic_ref<s16, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry store_by_block_s16(
// SC:        fence.sc[[S]];
// CHECK:     bar.warp.sync
// CHECK:     atom[[SEM]][[S]].global.add.u32
// CHECK:     barrier.sync 0;
// CHECK:     atom[[SEM]][[S]].global.add.u32
// CHECK:     ld.relaxed[[S]].global.b32
// CHECK:     atom[[SEM]][[S]].global.cas.b32
// CHECK:     bar.warp.sync
// CHECK:     ld.relaxed[[S]].global.b32
// CHECK:     atom[[SEM]][[S]].global.cas.b32
// CHECK:     barrier.sync 0;
// CHECK:     ret;

// A group of one thread performs the operation of atomic_ref.
KERNEL(store_by_thread)(u32* object, u32* operand) {
  cudax::store_add(this_thread, atomic_ref<u32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry store_by_thread(
// SC:        fence.sc[[S]];
// CHECK:     red[[ALONE]][[S]].global.add.u32
// CHECK:     ret;

KERNEL(store_by_warp)(u32* object, u32* operand) {
  cudax::store_add(this_warp, atomic_ref<u32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry store_by_warp(
// CHECK-NOT: match
// SC:        fence.sc[[S]];
// FROM80:    redux.sync.add.u32
// CHECK:     bar.warp.sync
// CHECK:     red[[SEM]][[S]].global.add.u32
// CHECK:     bar.warp.sync
// CHECK:     ret;

KERNEL(store_by_others)(u32* object, u32* operand) {
  struct {
    __device__ int size() const { return 2; }
    __device__ int thread_rank() const { return 0; }
    __device__ void sync() const {}
  } const others;
  cudax::store_add(others, atomic_ref<u32, SCOPE>(*object), *operand, ORDER);
}
// CHECK-LABEL: .entry store_by_others(
// CHECK:     activemask.b32
// CHECK:     match.any.sync.b64
// SC:        fence.sc[[S]];
// FROM80:    redux.sync.add.u32
// CHECK:     bar.warp.sync
// CHECK:     red[[SEM]][[S]].global.add.u32
// CHECK:     bar.warp.sync
// CHECK:     ret;
