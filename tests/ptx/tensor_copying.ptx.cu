// SPDX-License-Identifier: Apache-2.0
//
// tensor_copying: what the functions of a program become: the copies of tensors, and the proxy fences before each of
// them (none if they are promised).
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

using tiles = tensor_map<float, tensor_box<8, 4>>;
using block_barrier = barrier<thread_scope_block>;

__device__ float* in_tile() { return &in_shared<float>() + 32; }

// Elsewhere they stop: a program asks first.
KERNEL(load_a_tile)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy()) device::copy_tensor_async_tx(in_tile(), map, {x, y}, in_shared<block_barrier>());
}
// CHECK-LABEL: .entry load_a_tile(
// CHECK-NOT:  bra
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
// CHECK-NOT:  bra

KERNEL(load_a_tile_promised)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy())
    device::copy_tensor_async_tx(in_tile(), map, {x, y}, in_shared<block_barrier>(), proxy_fenced);
}
// CHECK-LABEL: .entry load_a_tile_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
// FROM90-NOT: fence.proxy

KERNEL(load_for_blocks)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy())
    device::copy_tensor_async_tx_multicast(in_tile(), map, {x, y}, in_shared<block_barrier>(), 5);
}
// CHECK-LABEL: .entry load_for_blocks(
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cluster;
// FROM90:     cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster

KERNEL(load_for_blocks_promised)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy())
    device::copy_tensor_async_tx_multicast(in_tile(), map, {x, y}, in_shared<block_barrier>(), 5, proxy_fenced);
}
// CHECK-LABEL: .entry load_for_blocks_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// FROM90-NOT: fence.proxy

KERNEL(store_a_tile)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy()) device::copy_tensor_async_bulk(map, {x, y}, in_tile());
}
// CHECK-LABEL: .entry store_a_tile(
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group

KERNEL(store_a_tile_promised)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy()) device::copy_tensor_async_bulk(map, {x, y}, in_tile(), proxy_fenced);
}
// CHECK-LABEL: .entry store_a_tile_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// FROM90-NOT: fence.proxy

KERNEL(add_a_tile)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy()) device::reduce_tensor_async_bulk<device::reduction::add>(map, {x, y}, in_tile());
}
// CHECK-LABEL: .entry add_a_tile(
// CHECK-NOT:  bra
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
// CHECK-NOT:  bra

KERNEL(add_a_tile_promised)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (cudax_has_bulk_copy())
    device::reduce_tensor_async_bulk<device::reduction::add>(map, {x, y}, in_tile(), proxy_fenced);
}
// CHECK-LABEL: .entry add_a_tile_promised(
// FROM90-NOT: fence.proxy
// FROM90:     cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
// FROM90-NOT: fence.proxy

KERNEL(hints)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (!cudax_has_bulk_copy()) return;
  device::prefetch_tensor_map(map);
  device::prefetch_tensor_bulk(map, {x, y});
}
// CHECK-LABEL: .entry hints(
// FROM90-NOT: fence.proxy
// FROM90:     prefetch.tensormap
// FROM90:     cp.async.bulk.prefetch.tensor.2d.L2.global.tile
// FROM90-NOT: fence.proxy

KERNEL(publish_a_map)(tiles* map, tiles const* other) {
  if (!cudax_has_bulk_copy()) return;
  *map = *other;
  device::fence_tensor_map_release();
}
// CHECK-LABEL: .entry publish_a_map(
// FROM90:     st.global
// FROM90:     fence.proxy.tensormap::generic.release.gpu;

KERNEL(use_a_map)(tiles const* map) {
  if (!cudax_has_bulk_copy()) return;
  device::fence_tensor_map_acquire<thread_scope_cluster>(*map);
  device::copy_tensor_async_tx(in_tile(), *map, {0, 0}, in_shared<block_barrier>(), proxy_fenced);
}
// CHECK-LABEL: .entry use_a_map(
// FROM90:     fence.proxy.tensormap::generic.acquire.cluster [{{.*}}], 128;
// FROM90:     cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes

// A policy is created once, and costs one operand; in either order with the promise.
KERNEL(tiles_with_a_policy)(tiles const __grid_constant__ map, s32 x, s32 y) {
  if (!cudax_has_bulk_copy()) return;
  device::l2_policy const policy(device::l2_eviction::evict_first);
  device::copy_tensor_async_tx(in_tile(), map, {x, y}, in_shared<block_barrier>(), policy);
  device::copy_tensor_async_tx(in_tile(), map, {x, y}, in_shared<block_barrier>(), proxy_fenced, policy);
  device::copy_tensor_async_tx_multicast(in_tile(), map, {x, y}, in_shared<block_barrier>(), 5, policy, proxy_fenced);
  device::copy_tensor_async_bulk(map, {x, y}, in_tile(), policy);
  device::reduce_tensor_async_bulk<device::reduction::add>(map, {x, y}, in_tile(), proxy_fenced, policy);
  device::prefetch_tensor_bulk(map, {x, y}, policy);
}
// CHECK-LABEL: .entry tiles_with_a_policy(
// CHECK-NOT:  bra
// FROM90:     createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 [[POLICY:%rd[0-9]+]], {{.*}};
// FROM90-NOT: createpolicy
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90-NOT: fence.proxy
// FROM90:     cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90:     cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint {{.*}}, [[POLICY]];

// Mode im2col: the same fences, and the offsets.
using columns = tensor_map<float, im2col_box<4, 8, 4>>;
KERNEL(pixels)(columns const __grid_constant__ map, s32 x, s32 y) {
  if (!cudax_has_bulk_copy()) return;
  auto& ready = in_shared<block_barrier>();
  device::prefetch_tensor_bulk(map, {0, x, y, 0}, {1, 2});
  device::copy_tensor_async_tx(in_tile(), map, {0, x, y, 0}, {1, 2}, ready);
  device::copy_tensor_async_tx(in_tile(), map, {0, x, y, 0}, {1, 2}, ready, proxy_fenced);
  device::copy_tensor_async_tx_multicast(in_tile(), map, {0, x, y, 0}, {1, 2}, ready, 5);
  device::copy_tensor_async_tx_multicast(in_tile(), map, {0, x, y, 0}, {1, 2}, ready, 5, proxy_fenced);
  device::copy_tensor_async_bulk(map, {0, x, y, 0}, in_tile());
  device::copy_tensor_async_bulk(map, {0, x, y, 0}, in_tile(), proxy_fenced);
  device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, x, y, 0}, in_tile());
}
// CHECK-LABEL: .entry pixels(
// CHECK-NOT:  bra
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cluster;
// FROM90:     cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [

KERNEL(pixels_with_a_policy)(columns const __grid_constant__ map, s32 x, s32 y) {
  if (!cudax_has_bulk_copy()) return;
  auto& ready = in_shared<block_barrier>();
  device::l2_policy const policy(device::l2_eviction::evict_last);
  device::prefetch_tensor_bulk(map, {0, x, y, 0}, {1, 2}, policy);
  device::copy_tensor_async_tx(in_tile(), map, {0, x, y, 0}, {1, 2}, ready, proxy_fenced, policy);
  device::copy_tensor_async_tx_multicast(in_tile(), map, {0, x, y, 0}, {1, 2}, ready, 5, proxy_fenced, policy);
  device::copy_tensor_async_bulk(map, {0, x, y, 0}, in_tile(), proxy_fenced, policy);
  device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, x, y, 0}, in_tile(), proxy_fenced, policy);
}
// CHECK-LABEL: .entry pixels_with_a_policy(
// FROM90:     createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 [[POLICY:%rd[0-9]+]], {{.*}};
// FROM90-NOT: fence.proxy
// FROM90:     cp.async.bulk.prefetch.tensor.4d.L2.global.im2col.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90:     cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90:     cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90:     cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint {{.*}}, [[POLICY]];
// FROM90:     cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group.L2::cache_hint {{.*}}, [[POLICY]];
