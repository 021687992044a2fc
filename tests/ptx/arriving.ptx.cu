// SPDX-License-Identifier: Apache-2.0
//
// arriving: latch and barrier in global memory. An arrival is one read-modify-write that releases. A wait polls relaxed
// and acquires once after the last poll. The thread that ends a phase refills the count by a second read-modify-write,
// which continues the release sequences of the arrivals.
import cudax.sync;
#include "kernel.hpp"

KERNEL(latch_count_down)(latch<SCOPE>* l) { l->count_down(); }
// CHECK-LABEL: .entry latch_count_down(
// ATOMIC: atom.release[[S]].global.add.u64

KERNEL(latch_try_wait)(latch<SCOPE>* l, bool* result) { *result = l->try_wait(); }
// CHECK-LABEL: .entry latch_try_wait(
// ATOMIC: ld.relaxed[[S]].global.b64
// FENCE:  [[FENCE]];

KERNEL(latch_wait)(latch<SCOPE>* l) { l->wait(); }
// CHECK-LABEL: .entry latch_wait(
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];

KERNEL(latch_wait_for)(latch<SCOPE>* l, bool* result) { *result = l->wait_for(cudax::nanoseconds(5)); }
// CHECK-LABEL: .entry latch_wait_for(
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];

KERNEL(latch_arrive_and_wait)(latch<SCOPE>* l) { l->arrive_and_wait(); }
// At device and system scope the lanes that call together arrive and wait as one. They pause after each poll: in the
// row, then in the loop, which also sleeps.
// CHECK-LABEL: .entry latch_arrive_and_wait(
// WIDE:   activemask.b32
// WIDE:   bar.warp.sync
// ATOMIC: atom.release[[S]].global.add.u64
// WIDE:   nanosleep.u32
// ATOMIC: ld.relaxed[[S]].global.b64
// WIDE:   nanosleep.u32
// WIDE:   ld.relaxed[[S]].global.b64
// WIDE:   nanosleep.u32
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];
// WIDE:   bar.warp.sync

KERNEL(latch_group)(latch<SCOPE>* l) { l->arrive_and_wait(this_block); }
// Two copies of the code; the second one is for warps whose lanes call together.
// CHECK-LABEL: .entry latch_group(
// CHECK:  activemask.b32
// CHECK:  barrier.sync 0;
// ATOMIC: atom.release[[S]].global.add.u64
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  nanosleep.u32
// CHECK:  barrier.sync.aligned 0;
// ATOMIC: atom.release[[S]].global.add.u64
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];
// CHECK:  barrier.sync 0;
// FENCE:  [[FENCE]];
// CHECK:  barrier.sync.aligned 0;

KERNEL(barrier_arrive)(barrier<SCOPE>* b, barrier<SCOPE>::arrival_token* token) { *token = b->arrive(); }
// CHECK-LABEL: .entry barrier_arrive(
// ATOMIC: atom.release[[S]].global.add.u64
// ATOMIC: {{atom|red}}.relaxed[[S]].global.add.u64

KERNEL(barrier_arrive_and_drop)(barrier<SCOPE>* b) { b->arrive_and_drop(); }
// It waits for the refill before it arrives: the polls in a row stand before the arrival, their loop behind the code.
// CHECK-LABEL: .entry barrier_arrive_and_drop(
// DEVICE: ld.relaxed[[S]].global.b64
// ATOMIC: atom.release[[S]].global.add.u64
// ATOMIC: {{atom|red}}.relaxed[[S]].global.add.u64
// DEVICE: ld.relaxed[[S]].global.b64
// DEVICE: nanosleep.u32

KERNEL(barrier_try_wait_parity)(barrier<SCOPE> const* b, bool* result) { *result = b->try_wait_parity(false); }
// CHECK-LABEL: .entry barrier_try_wait_parity(
// ATOMIC: ld.relaxed[[S]].global.b64
// FENCE:  [[FENCE]];

KERNEL(barrier_wait)(barrier<SCOPE> const* b, barrier<SCOPE>::arrival_token* token) {
  b->wait(static_cast<barrier<SCOPE>::arrival_token&&>(*token));
}
// CHECK-LABEL: .entry barrier_wait(
// ATOMIC: ld.relaxed[[S]].global.b64
// WIDE:   nanosleep.u32
// WIDE:   ld.relaxed[[S]].global.b64
// WIDE:   nanosleep.u32
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];

KERNEL(barrier_try_wait_for)(barrier<SCOPE> const* b, barrier<SCOPE>::arrival_token* token, bool* result) {
  *result = b->try_wait_for(*token, cudax::nanoseconds(5));
}
// CHECK-LABEL: .entry barrier_try_wait_for(
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];

KERNEL(barrier_group)(barrier<SCOPE>* b) { b->arrive_and_wait(this_block); }
// One arrival and one polling thread for a block. The one that ends the phase does not poll.
// CHECK-LABEL: .entry barrier_group(
// CHECK:  barrier.sync 0;
// ATOMIC: atom.release[[S]].global.add.u64
// ATOMIC: {{atom|red}}.relaxed[[S]].global.add.u64
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];
// CHECK:  barrier.sync 0;

/// A completion that reads what the threads of the phase have written.
struct KERNEL_NAME(counting, CASE) {
  u32* count;
  __device__ void operator()() noexcept { ++*count; }
};

// The last arrival acquires what the others released, and then releases what the completion did.
KERNEL(barrier_with_completion)(barrier<SCOPE, KERNEL_NAME(counting, CASE)>* b) { (void)b->arrive(); }
// CHECK-LABEL: .entry barrier_with_completion(
// ATOMIC: atom.release[[S]].global.add.u64
// FENCE:  [[FENCE]];
// ATOMIC: st.release[[S]].global.b64

// A producer's arrival and a consumer's wait: one instruction each, no test and no fence around it.
KERNEL(ring_produce)(u32* slot) {
  *slot = 1;
  cudax::named_barrier<3>(64).arrive();
}
// CHECK-LABEL: .entry ring_produce(
// CHECK: st.global.b32
// CHECK: barrier.arrive

KERNEL(ring_consume)(u32* slot, u32* result) {
  cudax::named_barrier<3>(64).sync();
  *result = *slot;
}
// CHECK-LABEL: .entry ring_consume(
// CHECK: barrier.sync
// CHECK: ld.global.b32

// Warps 4 to 7 synchronize by the barrier 2, a single warp by bar.warp.sync.
KERNEL(warps_meet)() { cudax::this_block.warps<4, 4, 2>().sync(); }
// CHECK-LABEL: .entry warps_meet(
// CHECK: barrier.sync

KERNEL(warp_alone)() { cudax::this_block.warps<4, 1>().sync(); }
// CHECK-LABEL: .entry warp_alone(
// CHECK-NOT: barrier.sync
// CHECK: bar.warp.sync
