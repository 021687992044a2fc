// SPDX-License-Identifier: Apache-2.0
//
// tensor_updates: changes of tensor maps, which only SMs with a letter have. For others a call does not link
// (consumer.sh).
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

using tiles = tensor_map<float, tensor_box<8, 4>>;
using boxes = tensor_map<float, tensor_box<8, 1, 1, 1, 2>>;

KERNEL(tensor_map_replace_address_global)(void* map, void const* tensor) {
  cudax_tensor_map_replace_address(map, tensor);
}
// CHECK-LABEL: .entry tensor_map_replace_address_global(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_address.global.b1024.b64 [{{.*}}], {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_address_shared)(void const* tensor) {
  cudax_tensor_map_replace_address(&in_shared<tiles>(), tensor);
}
// CHECK-LABEL: .entry tensor_map_replace_address_shared(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [{{.*}}], {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_address_generic)(void* const* map, void const* tensor) {
  cudax_tensor_map_replace_address(*map, tensor);
}
// CHECK-LABEL: .entry tensor_map_replace_address_generic(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_address.b1024.b64 [{{.*}}], {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_extent_global)(void* map, u32 extent) { cudax_tensor_map_replace_extent(map, 4, extent); }
// CHECK-LABEL: .entry tensor_map_replace_extent_global(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_dim.global.b1024.b32 [{{.*}}], 4, {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_extent_shared)(u32 extent) {
  cudax_tensor_map_replace_extent(&in_shared<tiles>(), 0, extent);
}
// CHECK-LABEL: .entry tensor_map_replace_extent_shared(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 0, {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_extent_generic)(void* const* map, u32 extent) {
  cudax_tensor_map_replace_extent(*map, 2, extent);
}
// CHECK-LABEL: .entry tensor_map_replace_extent_generic(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_dim.b1024.b32 [{{.*}}], 2, {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_stride_global)(void* map, u64 stride) { cudax_tensor_map_replace_stride(map, 3, stride); }
// CHECK-LABEL: .entry tensor_map_replace_stride_global(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_stride.global.b1024.b64 [{{.*}}], 3, {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_stride_shared)(u64 stride) {
  cudax_tensor_map_replace_stride(&in_shared<tiles>(), 0, stride);
}
// CHECK-LABEL: .entry tensor_map_replace_stride_shared(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 0, {{.*}};
// CHECK: ret;

KERNEL(tensor_map_replace_stride_generic)(void* const* map, u64 stride) {
  cudax_tensor_map_replace_stride(*map, 1, stride);
}
// CHECK-LABEL: .entry tensor_map_replace_stride_generic(
// CHECK-NOT: bra
// CHECK: tensormap.replace.tile.global_stride.b1024.b64 [{{.*}}], 1, {{.*}};
// CHECK: ret;

// --- the functions of a program --------------------------------------------------------------------------------------

KERNEL(replace_all)(float const* tensor, int const* n, long const* bytes) {
  boxes& map = in_shared<boxes>();
  device::replace_tensor_map_address(map, tensor);
  device::replace_tensor_map_extents(map, {n[0], n[1], n[2], n[3], n[4]});
  device::replace_tensor_map_strides(map, {bytes[0], bytes[1], bytes[2], bytes[3]});
}
// CHECK-LABEL: .entry replace_all(
// CHECK: tensormap.replace.tile.global_address.shared::cta.b1024.b64
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 0,
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 1,
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 2,
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 3,
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 4,
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 0,
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 1,
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 2,
// CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [{{.*}}], 3,
// CHECK: ret;

// Dimension 1 has the first stride.
KERNEL(replace_one)(tiles* map, int rows, long bytes) {
  device::replace_tensor_map_extent<1>(*map, rows);
  device::replace_tensor_map_stride<1>(*map, bytes);
}
// CHECK-LABEL: .entry replace_one(
// CHECK: tensormap.replace.tile.global_dim.global.b1024.b32 [{{.*}}], 1,
// CHECK: tensormap.replace.tile.global_stride.global.b1024.b64 [{{.*}}], 0,
// CHECK: ret;

// No loop.
KERNEL(assign)(tiles const __grid_constant__ like) { device::assign_tensor_map(in_shared<tiles>(), like); }
// CHECK-LABEL: .entry assign(
// CHECK-NOT: bra
// CHECK-COUNT-8: st.shared.v2.b64
// CHECK-NOT: st.shared
// CHECK: ret;

// The whole of what a warp does. The lanes meet before the publication, since one of them has changed the map, and
// after it; no proxy fence is needed.
KERNEL(describe)(tiles* to, tiles const __grid_constant__ like, float* part, int rows) {
  tiles& map = in_shared<tiles>();
  if (threadIdx.x % 32 == 0) {
    device::assign_tensor_map(map, like);
    device::replace_tensor_map_address(map, part);
    device::replace_tensor_map_extent<1>(map, rows);
  }
  device::publish_tensor_map(*to, map);
  if (threadIdx.x % 32 == 0) device::fence_tensor_map_acquire(*to);
}
// CHECK-LABEL: .entry describe(
// CHECK: tensormap.replace.tile.global_address.shared::cta.b1024.b64
// CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [{{.*}}], 1,
// CHECK: bar.warp.sync
// CHECK: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [{{.*}}], [{{.*}}], 128;
// CHECK: bar.warp.sync
// CHECK: fence.proxy.tensormap::generic.acquire.gpu [{{.*}}], 128;
// CHECK: ret;
