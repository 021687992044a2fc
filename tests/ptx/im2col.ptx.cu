// SPDX-License-Identifier: Apache-2.0
//
// im2col: the entries for copies of tensors in mode im2col, of each rank, without and with cache policies. No switch
// over ranks or reductions remains.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(im2col_copy_to_shared_3d)(void const* map, s32 x, s32 y, s32 z, u16 i) {
  cudax_im2col_copy_to_shared(&in_shared<b128>(), map, 3, x, y, z, 0, 0, &in_shared<b128>() + 64, i, 0, 0);
}
// CHECK-LABEL: .entry im2col_copy_to_shared_3d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}};

KERNEL(im2col_copy_to_shared_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j) {
  cudax_im2col_copy_to_shared(&in_shared<b128>(), map, 4, x, y, z, u, 0, &in_shared<b128>() + 64, i, j, 0);
}
// CHECK-LABEL: .entry im2col_copy_to_shared_4d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(im2col_copy_to_shared_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  cudax_im2col_copy_to_shared(&in_shared<b128>(), map, 5, x, y, z, u, v, &in_shared<b128>() + 64, i, j, k);
}
// CHECK-LABEL: .entry im2col_copy_to_shared_5d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(im2col_copy_multicast_3d)(void const* map, s32 x, s32 y, s32 z, u16 i) {
  cudax_im2col_copy_multicast(&in_shared<b128>(), map, 3, x, y, z, 0, 0, &in_shared<b128>() + 64, 3, i, 0, 0);
}
// CHECK-LABEL: .entry im2col_copy_multicast_3d(
// SM70:     call{{.*}} {{cudax_im2col_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}};

KERNEL(im2col_copy_multicast_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j) {
  cudax_im2col_copy_multicast(&in_shared<b128>(), map, 4, x, y, z, u, 0, &in_shared<b128>() + 64, 3, i, j, 0);
}
// CHECK-LABEL: .entry im2col_copy_multicast_4d(
// SM70:     call{{.*}} {{cudax_im2col_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}};

KERNEL(im2col_copy_multicast_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  cudax_im2col_copy_multicast(&in_shared<b128>(), map, 5, x, y, z, u, v, &in_shared<b128>() + 64, 3, i, j, k);
}
// CHECK-LABEL: .entry im2col_copy_multicast_5d(
// SM70:     call{{.*}} {{cudax_im2col_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}};

KERNEL(im2col_copy_to_global_3d)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_copy_to_global(map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_copy_to_global_3d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_copy_to_global_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_im2col_copy_to_global(map, 4, x, y, z, u, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_copy_to_global_4d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_copy_to_global_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_im2col_copy_to_global(map, 5, x, y, z, u, v, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_copy_to_global_5d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_add)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(0, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_add(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_min)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(1, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_min(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_max)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(2, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_max(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_inc)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(3, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_inc(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.inc.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_dec)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(4, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_dec(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.dec.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_and)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(5, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_and(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.and.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_or)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(6, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_or(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.or.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_xor)(void const* map, s32 x, s32 y, s32 z) {
  cudax_im2col_reduce(7, map, 3, x, y, z, 0, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_xor(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.xor.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_im2col_reduce(0, map, 4, x, y, z, u, 0, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_4d(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_reduce_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_im2col_reduce(0, map, 5, x, y, z, u, v, &in_shared<b128>());
}
// CHECK-LABEL: .entry im2col_reduce_5d(
// SM70:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(im2col_prefetch_3d)(void const* map, s32 x, s32 y, s32 z, u16 i) {
  cudax_im2col_prefetch(map, 3, x, y, z, 0, 0, i, 0, 0);
}
// CHECK-LABEL: .entry im2col_prefetch_3d(
// SM70:     call{{.*}} {{cudax_im2col_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}{{[}]}};

KERNEL(im2col_prefetch_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j) {
  cudax_im2col_prefetch(map, 4, x, y, z, u, 0, i, j, 0);
}
// CHECK-LABEL: .entry im2col_prefetch_4d(
// SM70:     call{{.*}} {{cudax_im2col_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(im2col_prefetch_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  cudax_im2col_prefetch(map, 5, x, y, z, u, v, i, j, k);
}
// CHECK-LABEL: .entry im2col_prefetch_5d(
// SM70:     call{{.*}} {{cudax_im2col_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(im2col_copy_to_shared_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u16 i, u64 policy) {
  cudax_im2col_copy_to_shared_hinted(&in_shared<b128>(), map, 3, x, y, z, 0, 0, &in_shared<b128>() + 64, i, 0, 0,
                                     policy);
}
// CHECK-LABEL: .entry im2col_copy_to_shared_hinted_3d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_shared_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_shared_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(im2col_copy_to_shared_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j, u64 policy) {
  cudax_im2col_copy_to_shared_hinted(&in_shared<b128>(), map, 4, x, y, z, u, 0, &in_shared<b128>() + 64, i, j, 0,
                                     policy);
}
// CHECK-LABEL: .entry im2col_copy_to_shared_hinted_4d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_shared_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_shared_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(im2col_copy_to_shared_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k,
                                        u64 policy) {
  cudax_im2col_copy_to_shared_hinted(&in_shared<b128>(), map, 5, x, y, z, u, v, &in_shared<b128>() + 64, i, j, k,
                                     policy);
}
// CHECK-LABEL: .entry im2col_copy_to_shared_hinted_5d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_shared_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_shared_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(im2col_copy_multicast_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u16 i, u64 policy) {
  cudax_im2col_copy_multicast_hinted(&in_shared<b128>(), map, 3, x, y, z, 0, 0, &in_shared<b128>() + 64, 3, i, 0, 0,
                                     policy);
}
// CHECK-LABEL: .entry im2col_copy_multicast_hinted_3d(
// SM70:     call{{.*}} {{cudax_im2col_copy_multicast_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_multicast_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(im2col_copy_multicast_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j, u64 policy) {
  cudax_im2col_copy_multicast_hinted(&in_shared<b128>(), map, 4, x, y, z, u, 0, &in_shared<b128>() + 64, 3, i, j, 0,
                                     policy);
}
// CHECK-LABEL: .entry im2col_copy_multicast_hinted_4d(
// SM70:     call{{.*}} {{cudax_im2col_copy_multicast_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_multicast_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(im2col_copy_multicast_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k,
                                        u64 policy) {
  cudax_im2col_copy_multicast_hinted(&in_shared<b128>(), map, 5, x, y, z, u, v, &in_shared<b128>() + 64, 3, i, j, k,
                                     policy);
}
// CHECK-LABEL: .entry im2col_copy_multicast_hinted_5d(
// SM70:     call{{.*}} {{cudax_im2col_copy_multicast_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_multicast_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(im2col_copy_to_global_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_copy_to_global_hinted(map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_copy_to_global_hinted_3d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_global_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_global_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_copy_to_global_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_im2col_copy_to_global_hinted(map, 4, x, y, z, u, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_copy_to_global_hinted_4d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_global_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_global_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_copy_to_global_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_im2col_copy_to_global_hinted(map, 5, x, y, z, u, v, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_copy_to_global_hinted_5d(
// SM70:     call{{.*}} {{cudax_im2col_copy_to_global_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_copy_to_global_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_add)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(0, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_add(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_min)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(1, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_min(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_max)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(2, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_max(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_inc)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(3, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_inc(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.inc.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_dec)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(4, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_dec(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.dec.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_and)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(5, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_and(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.and.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_or)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(6, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_or(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.or.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_xor)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_im2col_reduce_hinted(7, map, 3, x, y, z, 0, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_xor(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.xor.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_im2col_reduce_hinted(0, map, 4, x, y, z, u, 0, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_4d(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_reduce_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_im2col_reduce_hinted(0, map, 5, x, y, z, u, v, &in_shared<b128>(), policy);
}
// CHECK-LABEL: .entry im2col_reduce_hinted_5d(
// SM70:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_reduce_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(im2col_prefetch_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u16 i, u64 policy) {
  cudax_im2col_prefetch_hinted(map, 3, x, y, z, 0, 0, i, 0, 0, policy);
}
// CHECK-LABEL: .entry im2col_prefetch_hinted_3d(
// SM70:     call{{.*}} {{cudax_im2col_prefetch_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_prefetch_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.3d.L2.global.im2col.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(im2col_prefetch_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j, u64 policy) {
  cudax_im2col_prefetch_hinted(map, 4, x, y, z, u, 0, i, j, 0, policy);
}
// CHECK-LABEL: .entry im2col_prefetch_hinted_4d(
// SM70:     call{{.*}} {{cudax_im2col_prefetch_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_prefetch_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.4d.L2.global.im2col.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(im2col_prefetch_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k, u64 policy) {
  cudax_im2col_prefetch_hinted(map, 5, x, y, z, u, v, i, j, k, policy);
}
// CHECK-LABEL: .entry im2col_prefetch_hinted_5d(
// SM70:     call{{.*}} {{cudax_im2col_prefetch_hinted|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_im2col_prefetch_hinted|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.5d.L2.global.im2col.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};
