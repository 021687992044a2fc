// SPDX-License-Identifier: Apache-2.0
//
// group: barriers, sizes and ranks of the groups of threads that a launch has.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(block_sync)() { cudax_block_sync(); }
// CHECK-LABEL: .entry block_sync(
// CHECK: barrier.sync 0;

KERNEL(block_sync_together)() { cudax_block_sync_together(); }
// CHECK-LABEL: .entry block_sync_together(
// CHECK: barrier.sync.aligned 0;

KERNEL(warp_sync)(u32 mask) { cudax_warp_sync(mask); }
// CHECK-LABEL: .entry warp_sync(
// CHECK: bar.warp.sync

KERNEL(named_barrier_arrive)(u32 id, u32 threads) { cudax_named_barrier_arrive(id, threads, false); }
// CHECK-LABEL: .entry named_barrier_arrive(
// CHECK: barrier.arrive %r{{[0-9]+}}, %r{{[0-9]+}};

KERNEL(named_barrier_arrive_aligned)(u32 id, u32 threads) { cudax_named_barrier_arrive(id, threads, true); }
// CHECK-LABEL: .entry named_barrier_arrive_aligned(
// CHECK: barrier.arrive.aligned %r{{[0-9]+}}, %r{{[0-9]+}};

KERNEL(named_barrier_sync)(u32 id, u32 threads) { cudax_named_barrier_sync(id, threads, false); }
// CHECK-LABEL: .entry named_barrier_sync(
// CHECK: barrier.sync %r{{[0-9]+}}, %r{{[0-9]+}};

KERNEL(named_barrier_sync_aligned)(u32 id, u32 threads) { cudax_named_barrier_sync(id, threads, true); }
// CHECK-LABEL: .entry named_barrier_sync_aligned(
// CHECK: barrier.sync.aligned %r{{[0-9]+}}, %r{{[0-9]+}};

KERNEL(named_barrier_reduce_count)(u32 id, u32 threads, u32* result) {
  *result = cudax_named_barrier_reduce(id, threads, *result == 7, 0);
}
// CHECK-LABEL: .entry named_barrier_reduce_count(
// CHECK-NOT: bra
// CHECK: barrier.red.popc.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, c;

KERNEL(named_barrier_reduce_and)(u32 id, u32 threads, u32* result) {
  *result = cudax_named_barrier_reduce(id, threads, *result == 7, 1);
}
// CHECK-LABEL: .entry named_barrier_reduce_and(
// CHECK-NOT: bra
// CHECK: barrier.red.and.pred p, %r{{[0-9]+}}, %r{{[0-9]+}}, c;

KERNEL(named_barrier_reduce_or)(u32 id, u32 threads, u32* result) {
  *result = cudax_named_barrier_reduce(id, threads, *result == 7, 2);
}
// CHECK-LABEL: .entry named_barrier_reduce_or(
// CHECK-NOT: bra
// CHECK: barrier.red.or.pred p, %r{{[0-9]+}}, %r{{[0-9]+}}, c;

// The turns of two warpgroups at one stage: no memory, no parity, no branch but that of the group.
KERNEL(ordered_turns)(int group, u32* data) {
  cudax::ordered_turns<cudax::named_barrier_ids<1, 2>> turns(group);
  turns.wait();
  ++*data;
  turns.arrive();
}
// CHECK-LABEL: .entry ordered_turns(
// CHECK: barrier.arrive %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK: barrier.sync %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK: barrier.arrive %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK: barrier.sync %r{{[0-9]+}}, %r{{[0-9]+}};

KERNEL(elect)(bool* result) { *result = cudax_elect(~0u); }
// CHECK-LABEL: .entry elect(
// SM70:   %laneid
// SM80:   %laneid
// FROM90: elect.sync _|p,

KERNEL(cluster_sync)() { cudax_cluster_sync(); }
// CHECK-LABEL: .entry cluster_sync(
// SM70: barrier.sync 0;
// SM80: barrier.sync 0;
// FROM90: barrier.cluster.arrive.release;
// FROM90: barrier.cluster.wait.acquire;

KERNEL(cluster_arrive)() { cudax_cluster_arrive(); }
// CHECK-LABEL: .entry cluster_arrive(
// SM70: barrier.sync 0;
// SM80: barrier.sync 0;
// FROM90: barrier.cluster.arrive.release;

KERNEL(cluster_arrive_relaxed)() { cudax_cluster_arrive_relaxed(); }
// CHECK-LABEL: .entry cluster_arrive_relaxed(
// SM70: barrier.sync 0;
// SM80: barrier.sync 0;
// FROM90: barrier.cluster.arrive.relaxed;

KERNEL(cluster_wait)() { cudax_cluster_wait(); }
// CHECK-LABEL: .entry cluster_wait(
// CHECK-NOT: barrier.sync
// FROM90: barrier.cluster.wait.acquire;

// One read-modify-write by one thread, a relaxed poll, one acquire after it; a launch that is not cooperative stops.
// Two copies of the code; the second one is for warps whose lanes call together.
KERNEL(grid_sync)() { cudax_grid_sync(); }
// CHECK-LABEL: .entry grid_sync(
// CHECK:    mov.b32 {{.*}}, %envreg1;
// CHECK:    mov.b32 {{.*}}, %envreg2;
// CHECK:    activemask.b32
// CHECK:    barrier.sync 0;
// CHECK:    atom.release.gpu.global.add.u32
// CHECK:    [[POLL:\$L__BB[0-9_]+]]:
// CHECK:    ld.relaxed.gpu.global.b32
// CHECK:    bra{{.*}}[[POLL]];
// SM70:     fence.acq_rel.gpu;
// SM80:     fence.acq_rel.gpu;
// FROM90:   fence.acquire.gpu;
// CHECK:    barrier.sync 0;
// CHECK:    barrier.sync.aligned 0;
// CHECK:    atom.release.gpu.global.add.u32
// CHECK:    [[AGAIN:\$L__BB[0-9_]+]]:
// CHECK:    ld.relaxed.gpu.global.b32
// CHECK:    bra{{.*}}[[AGAIN]];
// SM70:     fence.acq_rel.gpu;
// SM80:     fence.acq_rel.gpu;
// FROM90:   fence.acquire.gpu;
// CHECK:    barrier.sync.aligned 0;
// CHECK:    call{{.*}} vprintf
// CHECK:    trap;

// The two halves: the addition after the block's barrier, the polls and the fence before it.
KERNEL(grid_arrive)(u32* token) { *token = cudax_grid_arrive(); }
// CHECK-LABEL: .entry grid_arrive(
// CHECK:    barrier.sync 0;
// CHECK:    atom.release.gpu.global.add.u32
// CHECK-NOT: barrier.sync
// CHECK:    call{{.*}} vprintf
// CHECK:    trap;

KERNEL(grid_wait)(u32 token) { cudax_grid_wait(token); }
// CHECK-LABEL: .entry grid_wait(
// CHECK:    ld.relaxed.gpu.global.b32
// SM70:     fence.acq_rel.gpu;
// SM80:     fence.acq_rel.gpu;
// FROM90:   fence.acquire.gpu;
// CHECK:    barrier.sync 0;
// CHECK:    call{{.*}} vprintf
// CHECK:    trap;

KERNEL(grid_is_valid)(bool* valid) { *valid = cudax_grid_is_valid(); }
// CHECK-LABEL: .entry grid_is_valid(
// CHECK:    mov.b32 {{.*}}, %envreg1;
// CHECK:    mov.b32 {{.*}}, %envreg2;

KERNEL(grid_wait_for_prerequisites)() { cudax_grid_wait_for_prerequisites(); }
// CHECK-LABEL: .entry grid_wait_for_prerequisites(
// SM70-NOT: griddepcontrol
// SM80-NOT: griddepcontrol
// FROM90: griddepcontrol.wait;
// CHECK: ret;

KERNEL(grid_let_dependents_start)() { cudax_grid_let_dependents_start(); }
// CHECK-LABEL: .entry grid_let_dependents_start(
// SM70-NOT: griddepcontrol
// SM80-NOT: griddepcontrol
// FROM90: griddepcontrol.launch_dependents;
// CHECK: ret;

KERNEL(shuffle_down)(u32* result, u32 delta) { cudax_shuffle_down(result, delta, ~0u); }
// CHECK-LABEL: .entry shuffle_down(
// CHECK: shfl.sync.down.b32 {{.*}}, 0x1f,

KERNEL(shuffle_from)(u32* result, u32 lane) { cudax_shuffle_from(result, lane, ~0u); }
// CHECK-LABEL: .entry shuffle_from(
// CHECK: shfl.sync.idx.b32 {{.*}}, 0x1f,

KERNEL(match)(u64 key, u32* result) { *result = cudax_match(key, ~0u); }
// CHECK-LABEL: .entry match(
// CHECK: match.any.sync.b64

KERNEL(ballot)(u32* word, u32* result) { *result = cudax_ballot(*word != 0, ~0u); }
// CHECK-LABEL: .entry ballot(
// CHECK: vote.sync.ballot.b32

KERNEL(lanes_add_u32)(u32* word) { *word = cudax_lanes_add_u32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_add_u32(
// SM70:     call{{.*}} {{cudax_lanes_add_u32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.add.u32

KERNEL(lanes_max_u32)(u32* word) { *word = cudax_lanes_max_u32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_max_u32(
// SM70:     call{{.*}} {{cudax_lanes_max_u32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.max.u32

KERNEL(lanes_max_s32)(s32* word) { *word = cudax_lanes_max_s32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_max_s32(
// SM70:     call{{.*}} {{cudax_lanes_max_s32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.max.s32

KERNEL(lanes_min_u32)(u32* word) { *word = cudax_lanes_min_u32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_min_u32(
// SM70:     call{{.*}} {{cudax_lanes_min_u32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.min.u32

KERNEL(lanes_min_s32)(s32* word) { *word = cudax_lanes_min_s32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_min_s32(
// SM70:     call{{.*}} {{cudax_lanes_min_s32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.min.s32

KERNEL(lanes_and_u32)(u32* word) { *word = cudax_lanes_and_u32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_and_u32(
// SM70:     call{{.*}} {{cudax_lanes_and_u32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.and.b32

KERNEL(lanes_or_u32)(u32* word) { *word = cudax_lanes_or_u32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_or_u32(
// SM70:     call{{.*}} {{cudax_lanes_or_u32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.or.b32

KERNEL(lanes_xor_u32)(u32* word) { *word = cudax_lanes_xor_u32(*word, ~0u); }
// CHECK-LABEL: .entry lanes_xor_u32(
// SM70:     call{{.*}} {{cudax_lanes_xor_u32|vprintf}}
// SM70-NOT: ret;
// FROM80:   redux.sync.xor.b32

// The query folds.
KERNEL(reduces)(u32* word) {
  if (cudax_has_lane_reduction()) *word = cudax_lanes_add_u32(*word, ~0u);
}
// CHECK-LABEL: .entry reduces(
// SM70-NOT: call
// FROM80:   redux.sync.add.u32

KERNEL(active_mask)(u32* result) { *result = cudax_active_mask(); }
// CHECK-LABEL: .entry active_mask(
// CHECK: activemask.b32

KERNEL(lane)(u32* result) { *result = cudax_lane(); }
// CHECK-LABEL: .entry lane(
// CHECK: %laneid;

KERNEL(group_size_thread)(u64* result) { *result = cudax_group_size(0); }
// CHECK-LABEL: .entry group_size_thread(
// CHECK-NOT: bra
// CHECK: st.global.b64 {{.*}}, 1;

KERNEL(group_rank_thread)(u64* result) { *result = cudax_group_rank(0); }
// CHECK-LABEL: .entry group_rank_thread(
// CHECK-NOT: bra
// CHECK: st.global.b64 {{.*}}, 0;

KERNEL(group_size_warp)(u64* result) { *result = cudax_group_size(1); }
// CHECK-LABEL: .entry group_size_warp(
// CHECK-NOT: bra
// CHECK: %ntid.

KERNEL(group_rank_warp)(u64* result) { *result = cudax_group_rank(1); }
// CHECK-LABEL: .entry group_rank_warp(
// CHECK-NOT: bra
// CHECK: %laneid;

KERNEL(group_size_block)(u64* result) { *result = cudax_group_size(2); }
// CHECK-LABEL: .entry group_size_block(
// CHECK-NOT: bra
// CHECK: %ntid.

KERNEL(group_rank_block)(u64* result) { *result = cudax_group_rank(2); }
// CHECK-LABEL: .entry group_rank_block(
// CHECK-NOT: bra
// CHECK: %tid.

KERNEL(group_size_cluster)(u64* result) { *result = cudax_group_size(3); }
// CHECK-LABEL: .entry group_size_cluster(
// CHECK-NOT: bra
// FROM90: %cluster_nctarank;
// CHECK: st.global.b64

KERNEL(group_rank_cluster)(u64* result) { *result = cudax_group_rank(3); }
// CHECK-LABEL: .entry group_rank_cluster(
// CHECK-NOT: bra
// FROM90: %cluster_ctarank;
// CHECK: st.global.b64

KERNEL(group_size_grid)(u64* result) { *result = cudax_group_size(4); }
// CHECK-LABEL: .entry group_size_grid(
// CHECK-NOT: bra
// CHECK: %nctaid.

KERNEL(group_rank_grid)(u64* result) { *result = cudax_group_rank(4); }
// CHECK-LABEL: .entry group_rank_grid(
// CHECK-NOT: bra
// CHECK: %ctaid.

KERNEL(group_size_blocks)(u64* result) { *result = cudax_group_size(5); }
// CHECK-LABEL: .entry group_size_blocks(
// CHECK-NOT: bra
// FROM90: %cluster_nctarank;
// CHECK: st.global.b64

KERNEL(group_rank_blocks)(u64* result) { *result = cudax_group_rank(5); }
// CHECK-LABEL: .entry group_rank_blocks(
// CHECK-NOT: bra
// FROM90: %cluster_ctarank;
// CHECK: st.global.b64

KERNEL(size_any)(int level, u64* result) { *result = cudax_group_size(level); }
// CHECK-LABEL: .entry size_any(
// CHECK: call{{.*}} vprintf
// CHECK: trap;

KERNEL(block_index_y)(u32* result) { *result = cudax_block_index(1); }
// CHECK-LABEL: .entry block_index_y(
// CHECK-NOT: bra
// CHECK: %ctaid.y;

KERNEL(grid_extent_z)(u32* result) { *result = cudax_grid_extent(2); }
// CHECK-LABEL: .entry grid_extent_z(
// CHECK-NOT: bra
// CHECK: %nctaid.z;

KERNEL(cluster_extent_x)(u32* result) { *result = cudax_cluster_extent(0); }
// CHECK-LABEL: .entry cluster_extent_x(
// CHECK-NOT: bra
// SM70: st.global.b32 {{.*}}, 1;
// SM80: st.global.b32 {{.*}}, 1;
// FROM90: %cluster_nctaid.x;

KERNEL(cluster_shared)(void** result, void* const* shared, u32 block) {
  *result = cudax_cluster_shared(*shared, block);
}
// CHECK-LABEL: .entry cluster_shared(
// CHECK-NOT: bra
// FROM90: mapa.u64
// CHECK: st.global.b64

KERNEL(extent_any)(int dimension, u32* result) { *result = cudax_grid_extent(dimension); }
// CHECK-LABEL: .entry extent_any(
// CHECK: call{{.*}} vprintf
// CHECK: trap;
