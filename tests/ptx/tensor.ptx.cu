// SPDX-License-Identifier: Apache-2.0
//
// tensor: the entries for copies of tiles, of each rank, without and with cache policies. No switch over ranks or
// reductions remains. (im2col: the other mode; tensor_copying: what the functions of a program become.)
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(tensor_copy_to_shared_1d)(void const* map, s32 x) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 1, {map, {x}}, &in_shared<b128>() + 64, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_1d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_shared_2d)(void const* map, s32 x, s32 y) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 2, {map, {x, y}}, &in_shared<b128>() + 64, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_2d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_shared_3d)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_shared_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_shared_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_multicast_1d)(void const* map, s32 x) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 1, {map, {x}}, &in_shared<b128>() + 64, 3, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_multicast_1d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}};

KERNEL(tensor_copy_multicast_2d)(void const* map, s32 x, s32 y) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 2, {map, {x, y}}, &in_shared<b128>() + 64, 3, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_multicast_2d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}};

KERNEL(tensor_copy_multicast_3d)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64, 3, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_multicast_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}};

KERNEL(tensor_copy_multicast_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64, 3, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_multicast_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}};

KERNEL(tensor_copy_multicast_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64, 3, 0, {});
}
// CHECK-LABEL: .entry tensor_copy_multicast_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}};

KERNEL(tensor_copy_to_global_1d)(void const* map, s32 x) {
  cudax_tensor_copy_to_global(1, {map, {x}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_1d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_global_2d)(void const* map, s32 x, s32 y) {
  cudax_tensor_copy_to_global(2, {map, {x, y}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_2d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_global_3d)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_copy_to_global(3, {map, {x, y, z}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_global_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_tensor_copy_to_global(4, {map, {x, y, z, u}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_copy_to_global_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_tensor_copy_to_global(5, {map, {x, y, z, u, v}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_reduce_add)(void const* map, s32 x) { cudax_tensor_reduce(0, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_add(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_min)(void const* map, s32 x) { cudax_tensor_reduce(1, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_min(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_max)(void const* map, s32 x) { cudax_tensor_reduce(2, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_max(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.max.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_inc)(void const* map, s32 x) { cudax_tensor_reduce(3, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_inc(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.inc.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_dec)(void const* map, s32 x) { cudax_tensor_reduce(4, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_dec(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.dec.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_and)(void const* map, s32 x) { cudax_tensor_reduce(5, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_and(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.and.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_or)(void const* map, s32 x) { cudax_tensor_reduce(6, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_or(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.or.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_xor)(void const* map, s32 x) { cudax_tensor_reduce(7, 1, {map, {x}}, &in_shared<b128>(), 0, {}); }
// CHECK-LABEL: .entry tensor_reduce_xor(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.xor.tile.bulk_group [{{.*}}, {{[{]%r[0-9]+[}]}}], [

KERNEL(tensor_reduce_2d)(void const* map, s32 x, s32 y) {
  cudax_tensor_reduce(0, 2, {map, {x, y}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_reduce_2d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_reduce_3d)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(0, 3, {map, {x, y, z}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_reduce_3d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_reduce_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_tensor_reduce(0, 4, {map, {x, y, z, u}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_reduce_4d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_reduce_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_tensor_reduce(0, 5, {map, {x, y, z, u, v}}, &in_shared<b128>(), 0, {});
}
// CHECK-LABEL: .entry tensor_reduce_5d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [

KERNEL(tensor_prefetch_1d)(void const* map, s32 x) { cudax_tensor_prefetch(1, {map, {x}}, 0, {}); }
// CHECK-LABEL: .entry tensor_prefetch_1d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.1d.L2.global.tile [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}];

KERNEL(tensor_prefetch_2d)(void const* map, s32 x, s32 y) { cudax_tensor_prefetch(2, {map, {x, y}}, 0, {}); }
// CHECK-LABEL: .entry tensor_prefetch_2d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.2d.L2.global.tile [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}];

KERNEL(tensor_prefetch_3d)(void const* map, s32 x, s32 y, s32 z) { cudax_tensor_prefetch(3, {map, {x, y, z}}, 0, {}); }
// CHECK-LABEL: .entry tensor_prefetch_3d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.3d.L2.global.tile [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}];

KERNEL(tensor_prefetch_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_tensor_prefetch(4, {map, {x, y, z, u}}, 0, {});
}
// CHECK-LABEL: .entry tensor_prefetch_4d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.4d.L2.global.tile [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}];

KERNEL(tensor_prefetch_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_tensor_prefetch(5, {map, {x, y, z, u, v}}, 0, {});
}
// CHECK-LABEL: .entry tensor_prefetch_5d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.5d.L2.global.tile [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}];

// With cache policies.
KERNEL(tensor_copy_to_shared_hinted_1d)(void const* map, s32 x, u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 1, {map, {x}}, &in_shared<b128>() + 64, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_hinted_1d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_shared_hinted_2d)(void const* map, s32 x, s32 y, u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 2, {map, {x, y}}, &in_shared<b128>() + 64, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_hinted_2d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_shared_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_shared_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_shared_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.5d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_hinted_1d)(void const* map, s32 x, u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 1, {map, {x}}, &in_shared<b128>() + 64, 3, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_multicast_hinted_1d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_hinted_2d)(void const* map, s32 x, s32 y, u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 2, {map, {x, y}}, &in_shared<b128>() + 64, 3, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_multicast_hinted_2d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64, 3, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_multicast_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64, 3, abi::copy_hinted,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_multicast_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64, 3,
                              abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_copy_multicast_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_hinted_1d)(void const* map, s32 x, u64 policy) {
  cudax_tensor_copy_to_global(1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_hinted_1d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_hinted_2d)(void const* map, s32 x, s32 y, u64 policy) {
  cudax_tensor_copy_to_global(2, {map, {x, y}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_hinted_2d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_copy_to_global(3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_tensor_copy_to_global(4, {map, {x, y, z, u}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_tensor_copy_to_global(5, {map, {x, y, z, u, v}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_add)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(0, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_add(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_min)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(1, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_min(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_max)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(2, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_max(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.max.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_inc)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(3, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_inc(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.inc.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_dec)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(4, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_dec(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.dec.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_and)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(5, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_and(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.and.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_or)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(6, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_or(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.or.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_xor)(void const* map, s32 x, u64 policy) {
  cudax_tensor_reduce(7, 1, {map, {x}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_xor(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.1d.global.shared::cta.xor.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_2d)(void const* map, s32 x, s32 y, u64 policy) {
  cudax_tensor_reduce(0, 2, {map, {x, y}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_2d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(0, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_tensor_reduce(0, 4, {map, {x, y, z, u}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_tensor_reduce(0, 5, {map, {x, y, z, u, v}}, &in_shared<b128>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_prefetch_hinted_1d)(void const* map, s32 x, u64 policy) {
  cudax_tensor_prefetch(1, {map, {x}}, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_prefetch_hinted_1d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.prefetch.tensor.1d.L2.global.tile.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}{{[}]}}], {{%rd[0-9]+}};

KERNEL(tensor_prefetch_hinted_2d)(void const* map, s32 x, s32 y, u64 policy) {
  cudax_tensor_prefetch(2, {map, {x, y}}, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_prefetch_hinted_2d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{%rd[0-9]+}};

KERNEL(tensor_prefetch_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_prefetch(3, {map, {x, y, z}}, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_prefetch_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.prefetch.tensor.3d.L2.global.tile.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{%rd[0-9]+}};

KERNEL(tensor_prefetch_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_tensor_prefetch(4, {map, {x, y, z, u}}, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_prefetch_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.prefetch.tensor.4d.L2.global.tile.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{%rd[0-9]+}};

KERNEL(tensor_prefetch_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_tensor_prefetch(5, {map, {x, y, z, u, v}}, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry tensor_prefetch_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.prefetch.tensor.5d.L2.global.tile.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{%rd[0-9]+}};

KERNEL(tensor_map_prefetch)(void const* map) { cudax_tensor_map_prefetch(map); }
// CHECK-LABEL: .entry tensor_map_prefetch(
// SM70:     call{{.*}} {{cudax_tensor_map_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_map_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   prefetch.tensormap [

KERNEL(fence_tensor_map_release_system)() { cudax_fence_tensor_map_release(0); }
// CHECK-LABEL: .entry fence_tensor_map_release_system(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.release.sys;

KERNEL(fence_tensor_map_release_device)() { cudax_fence_tensor_map_release(1); }
// CHECK-LABEL: .entry fence_tensor_map_release_device(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.release.gpu;

KERNEL(fence_tensor_map_release_block)() { cudax_fence_tensor_map_release(2); }
// CHECK-LABEL: .entry fence_tensor_map_release_block(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.release.cta;

KERNEL(fence_tensor_map_release_cluster)() { cudax_fence_tensor_map_release(4); }
// CHECK-LABEL: .entry fence_tensor_map_release_cluster(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_release|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.release.cluster;

KERNEL(fence_tensor_map_acquire_system)(void const* map) { cudax_fence_tensor_map_acquire(map, 0); }
// CHECK-LABEL: .entry fence_tensor_map_acquire_system(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.acquire.sys [{{.*}}], 128;

KERNEL(fence_tensor_map_acquire_device)(void const* map) { cudax_fence_tensor_map_acquire(map, 1); }
// CHECK-LABEL: .entry fence_tensor_map_acquire_device(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.acquire.gpu [{{.*}}], 128;

KERNEL(fence_tensor_map_acquire_block)(void const* map) { cudax_fence_tensor_map_acquire(map, 2); }
// CHECK-LABEL: .entry fence_tensor_map_acquire_block(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.acquire.cta [{{.*}}], 128;

KERNEL(fence_tensor_map_acquire_cluster)(void const* map) { cudax_fence_tensor_map_acquire(map, 4); }
// CHECK-LABEL: .entry fence_tensor_map_acquire_cluster(
// SM70:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_tensor_map_acquire|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   fence.proxy.tensormap::generic.acquire.cluster [{{.*}}], 128;
