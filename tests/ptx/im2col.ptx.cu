// SPDX-License-Identifier: Apache-2.0
//
// im2col: the entries for copies of tensors in mode im2col, of each rank, without and with cache policies. No switch
// over ranks or reductions remains.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(tensor_copy_to_shared_im2col_3d)(void const* map, s32 x, s32 y, s32 z, u16 i) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64, abi::copy_im2col,
                              {0, {i}});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_im2col_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}};

KERNEL(tensor_copy_to_shared_im2col_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64, abi::copy_im2col,
                              {0, {i, j}});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_im2col_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(tensor_copy_to_shared_im2col_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64, abi::copy_im2col,
                              {0, {i, j, k}});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_im2col_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(tensor_copy_multicast_im2col_3d)(void const* map, s32 x, s32 y, s32 z, u16 i) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64, 3, abi::copy_im2col,
                              {0, {i}});
}
// CHECK-LABEL: .entry tensor_copy_multicast_im2col_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}};

KERNEL(tensor_copy_multicast_im2col_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64, 3, abi::copy_im2col,
                              {0, {i, j}});
}
// CHECK-LABEL: .entry tensor_copy_multicast_im2col_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}};

KERNEL(tensor_copy_multicast_im2col_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64, 3,
                              abi::copy_im2col, {0, {i, j, k}});
}
// CHECK-LABEL: .entry tensor_copy_multicast_im2col_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}};

KERNEL(tensor_copy_to_global_im2col_3d)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_copy_to_global(3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_im2col_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_copy_to_global_im2col_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_tensor_copy_to_global(4, {map, {x, y, z, u}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_im2col_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_copy_to_global_im2col_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_tensor_copy_to_global(5, {map, {x, y, z, u, v}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_copy_to_global_im2col_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_add)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(0, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_add(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_min)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(1, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_min(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_max)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(2, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_max(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_inc)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(3, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_inc(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.inc.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_dec)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(4, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_dec(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.dec.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_and)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(5, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_and(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.and.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_or)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(6, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_or(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.or.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_xor)(void const* map, s32 x, s32 y, s32 z) {
  cudax_tensor_reduce(7, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_xor(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.xor.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_4d)(void const* map, s32 x, s32 y, s32 z, s32 u) {
  cudax_tensor_reduce(0, 4, {map, {x, y, z, u}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_4d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_reduce_im2col_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  cudax_tensor_reduce(0, 5, {map, {x, y, z, u, v}}, &in_shared<b128>(), abi::copy_im2col, {});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_5d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.im2col_no_offs.bulk_group [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}];

KERNEL(tensor_prefetch_im2col_3d)(void const* map, s32 x, s32 y, s32 z, u16 i) {
  cudax_tensor_prefetch(3, {map, {x, y, z}}, abi::copy_im2col, {0, {i}});
}
// CHECK-LABEL: .entry tensor_prefetch_im2col_3d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}{{[}]}};

KERNEL(tensor_prefetch_im2col_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j) {
  cudax_tensor_prefetch(4, {map, {x, y, z, u}}, abi::copy_im2col, {0, {i, j}});
}
// CHECK-LABEL: .entry tensor_prefetch_im2col_4d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(tensor_prefetch_im2col_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  cudax_tensor_prefetch(5, {map, {x, y, z, u, v}}, abi::copy_im2col, {0, {i, j, k}});
}
// CHECK-LABEL: .entry tensor_prefetch_im2col_5d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}};

KERNEL(tensor_copy_to_shared_im2col_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u16 i, u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64,
                              abi::copy_hinted | abi::copy_im2col, {policy, {i}});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_im2col_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_to_shared_im2col_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j, u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64,
                              abi::copy_hinted | abi::copy_im2col, {policy, {i, j}});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_im2col_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_to_shared_im2col_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k,
                                               u64 policy) {
  cudax_tensor_copy_to_shared(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64,
                              abi::copy_hinted | abi::copy_im2col, {policy, {i, j, k}});
}
// CHECK-LABEL: .entry tensor_copy_to_shared_im2col_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_im2col_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u16 i, u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 3, {map, {x, y, z}}, &in_shared<b128>() + 64, 3,
                              abi::copy_hinted | abi::copy_im2col, {policy, {i}});
}
// CHECK-LABEL: .entry tensor_copy_multicast_im2col_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_im2col_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j, u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 4, {map, {x, y, z, u}}, &in_shared<b128>() + 64, 3,
                              abi::copy_hinted | abi::copy_im2col, {policy, {i, j}});
}
// CHECK-LABEL: .entry tensor_copy_multicast_im2col_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_multicast_im2col_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k,
                                               u64 policy) {
  cudax_tensor_copy_multicast(&in_shared<b128>(), 5, {map, {x, y, z, u, v}}, &in_shared<b128>() + 64, 3,
                              abi::copy_hinted | abi::copy_im2col, {policy, {i, j, k}});
}
// CHECK-LABEL: .entry tensor_copy_multicast_im2col_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_im2col_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_copy_to_global(3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_im2col_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_im2col_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_tensor_copy_to_global(4, {map, {x, y, z, u}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_im2col_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_copy_to_global_im2col_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_tensor_copy_to_global(5, {map, {x, y, z, u, v}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col,
                              {policy});
}
// CHECK-LABEL: .entry tensor_copy_to_global_im2col_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_add)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(0, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_add(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_min)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(1, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_min(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_max)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(2, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_max(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_inc)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(3, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_inc(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.inc.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_dec)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(4, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_dec(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.dec.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_and)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(5, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_and(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.and.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_or)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(6, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_or(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.or.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_xor)(void const* map, s32 x, s32 y, s32 z, u64 policy) {
  cudax_tensor_reduce(7, 3, {map, {x, y, z}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_xor(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.3d.global.shared::cta.xor.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u64 policy) {
  cudax_tensor_reduce(0, 4, {map, {x, y, z, u}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_reduce_im2col_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  cudax_tensor_reduce(0, 5, {map, {x, y, z, u, v}}, &in_shared<b128>(), abi::copy_hinted | abi::copy_im2col, {policy});
}
// CHECK-LABEL: .entry tensor_reduce_im2col_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_reduce|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.im2col_no_offs.bulk_group.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], [{{.*}}], {{%rd[0-9]+}};

KERNEL(tensor_prefetch_im2col_hinted_3d)(void const* map, s32 x, s32 y, s32 z, u16 i, u64 policy) {
  cudax_tensor_prefetch(3, {map, {x, y, z}}, abi::copy_hinted | abi::copy_im2col, {policy, {i}});
}
// CHECK-LABEL: .entry tensor_prefetch_im2col_hinted_3d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.3d.L2.global.im2col.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(tensor_prefetch_im2col_hinted_4d)(void const* map, s32 x, s32 y, s32 z, s32 u, u16 i, u16 j, u64 policy) {
  cudax_tensor_prefetch(4, {map, {x, y, z, u}}, abi::copy_hinted | abi::copy_im2col, {policy, {i, j}});
}
// CHECK-LABEL: .entry tensor_prefetch_im2col_hinted_4d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.4d.L2.global.im2col.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};

KERNEL(tensor_prefetch_im2col_hinted_5d)(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k,
                                         u64 policy) {
  cudax_tensor_prefetch(5, {map, {x, y, z, u, v}}, abi::copy_hinted | abi::copy_im2col, {policy, {i, j, k}});
}
// CHECK-LABEL: .entry tensor_prefetch_im2col_hinted_5d(
// SM70:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   cp.async.bulk.prefetch.tensor.5d.L2.global.im2col.L2::cache_hint [{{.*}}, {{[{]}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{[}]}}], {{[{]}}{{%rs[0-9]+}}, {{%rs[0-9]+}}, {{%rs[0-9]+}}{{[}]}}, {{%rd[0-9]+}};
