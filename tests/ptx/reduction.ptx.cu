// SPDX-License-Identifier: Apache-2.0
//
// reduction: what reductions by a grid become: shuffles, one meeting, one read-modify-write by one thread, one fence by
// the last block. No block waits for another one unless all are to have the result.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

namespace {
struct adding {
  __device__ int operator()(int a, int b) const { return a + b; }
};
} // namespace

KERNEL(of_threads)(reduce_state<int>* state, int value, int* sum) {
  reduce(*state, value, adding(), [=](int result) { *sum = result; });
}
// CHECK-LABEL: .entry of_threads(
// CHECK:     shfl.sync.down.b32
// CHECK:     shfl.sync.down.b32
// CHECK:     shfl.sync.down.b32
// CHECK:     shfl.sync.down.b32
// CHECK:     shfl.sync.down.b32
// CHECK:     barrier.sync 0;
// CHECK:     atom.release.gpu.global.add.u32
// SM70:      fence.acq_rel.gpu;
// SM80:      fence.acq_rel.gpu;
// FROM90:    fence.acquire.gpu;
// CHECK:     st.relaxed.gpu.global.b32
// CHECK:     barrier.sync 0;
// CHECK:     barrier.sync 0;
// CHECK:     barrier.sync 0;
// CHECK-NOT: nanosleep
// CHECK:     ret;

// Sixteen bytes at once, four times; no byte is taken out of them.
KERNEL(of_a_range)(reduce_state<int>* state, int const* range, u64 n, int* sum) {
  reduce(*state, range, n, 0, adding(), [=](int result) { *sum = result; });
}
// CHECK-LABEL: .entry of_a_range(
// CHECK-NOT: prmt
// CHECK:     ld.global.v4.b32
// CHECK-NOT: prmt
// CHECK:     ld.global.v4.b32
// CHECK:     ld.global.v4.b32
// CHECK:     ld.global.v4.b32
// CHECK:     ld.global.v4.b32
// CHECK-NOT: prmt
// CHECK:     barrier.sync 0;
// CHECK:     atom.release.gpu.global.add.u32
// SM70:      fence.acq_rel.gpu;
// SM80:      fence.acq_rel.gpu;
// FROM90:    fence.acquire.gpu;
// CHECK:     st.relaxed.gpu.global.b32
// CHECK:     barrier.sync 0;
// CHECK:     barrier.sync 0;
// CHECK:     barrier.sync 0;
// CHECK-NOT: nanosleep
// CHECK:     ret;

// Every part gets the result: the last one publishes it with release, and the others acquire it.
KERNEL(given_to_all)(reduce_state<int>* state, reduce_part part, int value, int* result) {
  *result = reduce(*state, part, value, adding());
}
// CHECK-LABEL: .entry given_to_all(
// CHECK:     ld.relaxed.gpu.global.b32
// CHECK:     atom.release.gpu.global.add.u32
// SM70:      fence.acq_rel.gpu;
// SM80:      fence.acq_rel.gpu;
// FROM90:    fence.acquire.gpu;
// CHECK:     st.relaxed.gpu.global.b32
// CHECK:     ld.global.b32
// CHECK:     st.release.gpu.global.b32
// CHECK:     ld.relaxed.gpu.global.b32
// CHECK:     nanosleep.u32
// SM70:      fence.acq_rel.gpu;
// SM80:      fence.acq_rel.gpu;
// FROM90:    fence.acquire.gpu;
// CHECK:     ld.global.b32
// CHECK:     ret;
