// SPDX-License-Identifier: Apache-2.0
//
// copies_at_O1: a copy folds to one instruction in a program that is compiled with -O1, too, for each rank and option.
// With -O1 loops are unrolled late, so no loop may compute what the device link must know.
import cudax.sync;

using namespace cudax;
using namespace cudax::device;
using block_barrier = barrier<thread_scope_block>;
using tiles = tensor_map<float, tensor_box<32, 8>>;
using deep = tensor_map<float, tensor_box<8, 2, 2, 2, 2>>;
using columns = tensor_map<float, im2col_box<5, 32, 64>>;

__global__ void rank_2(__grid_constant__ tiles const map, int x, int y, block_barrier* ready) {
  __shared__ alignas(128) float tile[256];
  copy_tensor_async_tx(tile, map, {x, y}, *ready, proxy_fenced);
}
// CHECK-LABEL: .entry _Z6rank_2
// CHECK-COUNT-1: cp.async.bulk.tensor.2d.shared::cta.global.tile
// CHECK-NOT:   cp.async.bulk

__global__ void rank_5(__grid_constant__ deep const map, int x, int y, block_barrier* ready, l2_policy policy) {
  __shared__ alignas(128) float tile[128];
  copy_tensor_async_tx(tile, map, {x, y, x, y, x}, *ready, policy, proxy_fenced);
}
// CHECK-LABEL: .entry _Z6rank_5
// CHECK-COUNT-1: cp.async.bulk.tensor.5d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint
// CHECK-NOT:   cp.async.bulk

__global__ void im2col(__grid_constant__ columns const map, int x, int y, int i, block_barrier* ready) {
  __shared__ alignas(128) float tile[32 * 64];
  copy_tensor_async_tx(tile, map, {x, y, x, y, x}, {i, i, i}, *ready, l2_policy(l2_eviction::evict_first),
                       proxy_fenced);
}
// CHECK-LABEL: .entry _Z6im2col
// CHECK-COUNT-1: cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint
// CHECK-NOT:   cp.async.bulk

__global__ void stored(__grid_constant__ deep const map, int x, int y) {
  __shared__ alignas(128) float tile[128];
  copy_tensor_async_bulk(map, {x, y, x, y, x}, tile, proxy_fenced);
  reduce_tensor_async_bulk<reduction::add>(map, {x, y, x, y, x}, tile, l2_policy(l2_eviction::evict_last),
                                           proxy_fenced);
  prefetch_tensor_bulk(map, {x, y, x, y, x});
}
// CHECK-LABEL: .entry _Z6stored
// CHECK-COUNT-1: cp.async.bulk.tensor.5d.global.shared::cta.tile
// CHECK-NOT:   cp.async.bulk
// CHECK-COUNT-1: cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group.L2::cache_hint
// CHECK-NOT:   cp.reduce
// CHECK-COUNT-1: cp.async.bulk.prefetch.tensor.5d
// CHECK-NOT:   cp.async.bulk

int main() {}
