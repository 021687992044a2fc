// SPDX-License-Identifier: Apache-2.0
//
// loops: what the optimiser makes of code around an instruction. What concerns the calling thread alone may be
// duplicated: a loop with a run-time count is unrolled around it. What other lanes take part in may not: it stays where
// the program has it, as often as the program has it.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

// Eight rounds at a time, and the rest.
KERNEL(adds)(u32* object, u32 count) {
  for (u32 i = 0; i < count; ++i) atomic_ref<u32, SCOPE>(*object).store_add(i, ORDER);
}
// CHECK-LABEL:    .entry adds(
// CHECK-COUNT-9:  red[[SEM]][[S]].global.add.u32

KERNEL(shared_adds)(u32* result, u32 count) {
  __shared__ u32 object;
  u32 sum = 0;
  for (u32 i = 0; i < count; ++i) sum ^= atomic_ref<u32, SCOPE>(object).fetch_add(i, ORDER);
  *result = sum;
}
// 16, 4 and 1: LTO knows the space and unrolls by 4, and the last pass of the device link unrolls the result by 4. In
// `adds` the query about the space is answered only after LTO, so that pass alone unrolls.
// CHECK-LABEL:    .entry shared_adds(
// CHECK-COUNT-21: atom[[SEM]][[S]].shared.add.u32

// A copy of the barrier in each branch would be two barriers, at each of which some lanes would be missing.
KERNEL(sync_between_branches)(u32* result, bool which) {
  if (which) result[0] = 1;
  cudax_warp_sync(~0u);
  if (which) result[1] = 2;
}
// CHECK-LABEL:    .entry sync_between_branches(
// CHECK:          bar.warp.sync
// CHECK-NOT:      bar.warp.sync
// CHECK:          ret;

// One shuffle after the branches would mix the lanes of both.
KERNEL(shuffle_in_branches)(u32* result, u32 lane, u32 mask, bool which) {
  u32 word = lane;
  if (which) {
    cudax_shuffle_from(&word, lane, mask);
    result[0] = word;
  } else {
    cudax_shuffle_from(&word, lane, mask);
    result[1] = word;
  }
}
// CHECK-LABEL:    .entry shuffle_in_branches(
// CHECK:          shfl.sync.idx
// CHECK:          st.global
// CHECK:          shfl.sync.idx
// CHECK:          st.global

// Unrolled, the remaining rounds would be a second barrier.
KERNEL(sync_in_loop)(u32 count) {
  for (u32 i = 0; i < count; ++i) cudax_block_sync();
}
// CHECK-LABEL:    .entry sync_in_loop(
// CHECK:          barrier.sync 0;
// CHECK-NOT:      barrier.sync 0;
// CHECK:          ret;
