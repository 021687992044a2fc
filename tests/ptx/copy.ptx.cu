// SPDX-License-Identifier: Apache-2.0
//
// copy: asynchronous copies, which require sm_80; bulk copies, which require sm_90.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(async_copy_4)(b128* from) { cudax_async_copy(&in_shared<b128>(), from, 4); }
// CHECK-LABEL: .entry async_copy_4(
// SM70:     call{{.*}} {{cudax_async_copy|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.ca.shared::cta.global {{.*}}, 4;

KERNEL(async_copy_8)(b128* from) { cudax_async_copy(&in_shared<b128>(), from, 8); }
// CHECK-LABEL: .entry async_copy_8(
// SM70:     call{{.*}} {{cudax_async_copy|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.ca.shared::cta.global {{.*}}, 8;

KERNEL(async_copy_16)(b128* from) { cudax_async_copy(&in_shared<b128>(), from, 16); }
// CHECK-LABEL: .entry async_copy_16(
// SM70:     call{{.*}} {{cudax_async_copy|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.cg.shared::cta.global {{.*}}, 16;

KERNEL(async_copy_commit)() { cudax_async_copy_commit(); }
// CHECK-LABEL: .entry async_copy_commit(
// SM70:     call{{.*}} {{cudax_async_copy_commit|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.commit_group;

KERNEL(async_copy_wait_group)() { cudax_async_copy_wait_group(2); }
// CHECK-LABEL: .entry async_copy_wait_group(
// SM70:     call{{.*}} {{cudax_async_copy_wait_group|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.wait_group 2;

KERNEL(async_copy_wait_group_many)() { cudax_async_copy_wait_group(9); }
// CHECK-LABEL: .entry async_copy_wait_group_many(
// SM70:     call{{.*}} {{cudax_async_copy_wait_group|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.wait_group 8;

KERNEL(async_copy_wait_all)() { cudax_async_copy_wait_all(); }
// CHECK-LABEL: .entry async_copy_wait_all(
// SM70:     call{{.*}} {{cudax_async_copy_wait_all|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.wait_all;

KERNEL(async_copy_arrive)() { cudax_async_copy_arrive(&in_shared<u64>()); }
// CHECK-LABEL: .entry async_copy_arrive(
// SM70:     call{{.*}} {{cudax_async_copy_arrive|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.mbarrier.arrive.noinc.shared::cta.b64

KERNEL(async_copy_arrive_additional)() { cudax_async_copy_arrive_additional(&in_shared<u64>()); }
// CHECK-LABEL: .entry async_copy_arrive_additional(
// SM70:     call{{.*}} {{cudax_async_copy_arrive_additional|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.mbarrier.arrive.shared::cta.b64

KERNEL(bulk_copy_to_shared)(b128* from, u32 bytes) {
  cudax_bulk_copy_to_shared(&in_shared<b128>() + 1, from, bytes, &in_shared<u64>());
}
// CHECK-LABEL: .entry bulk_copy_to_shared(
// SM70:     call{{.*}} {{cudax_bulk_copy_to_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_copy_to_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes

KERNEL(bulk_copy_to_global)(b128* to, u32 bytes) { cudax_bulk_copy_to_global(to, &in_shared<b128>(), bytes); }
// CHECK-LABEL: .entry bulk_copy_to_global(
// SM70:     call{{.*}} {{cudax_bulk_copy_to_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_copy_to_global|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.global.shared::cta.bulk_group

KERNEL(bulk_copy_to_cluster)(b128* remote, u64* barrier, u32 bytes) {
  cudax_bulk_copy_to_cluster(remote, &in_shared<b128>(), bytes, barrier);
}
// CHECK-LABEL: .entry bulk_copy_to_cluster(
// SM70:     call{{.*}} {{cudax_bulk_copy_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_copy_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes

KERNEL(bulk_copy_multicast)(b128* from, u32 bytes, u32 blocks) {
  cudax_bulk_copy_multicast(&in_shared<b128>() + 1, from, bytes, &in_shared<u64>(), blocks);
}
// CHECK-LABEL: .entry bulk_copy_multicast(
// SM70:     call{{.*}} {{cudax_bulk_copy_multicast|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_copy_multicast|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster

KERNEL(bulk_prefetch)(b128* from, u32 bytes) { cudax_bulk_prefetch(from, bytes); }
// CHECK-LABEL: .entry bulk_prefetch(
// SM70:     call{{.*}} {{cudax_bulk_prefetch|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_prefetch|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.prefetch.L2.global

KERNEL(bulk_commit)() { cudax_bulk_commit(); }
// CHECK-LABEL: .entry bulk_commit(
// SM70:     call{{.*}} {{cudax_bulk_commit|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_commit|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.commit_group;

KERNEL(bulk_wait_group)() { cudax_bulk_wait_group(0); }
// CHECK-LABEL: .entry bulk_wait_group(
// SM70:     call{{.*}} {{cudax_bulk_wait_group|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_wait_group|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.wait_group 0;

KERNEL(bulk_wait_group_read)() { cudax_bulk_wait_group_read(7); }
// CHECK-LABEL: .entry bulk_wait_group_read(
// SM70:     call{{.*}} {{cudax_bulk_wait_group_read|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_wait_group_read|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.wait_group.read 7;

KERNEL(fence_proxy_async_global)() { cudax_fence_proxy_async_global(); }
// CHECK-LABEL: .entry fence_proxy_async_global(
// SM70:     call{{.*}} {{cudax_fence_proxy_async_global|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_proxy_async_global|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.proxy.async.global;

KERNEL(fence_proxy_async_shared)() { cudax_fence_proxy_async_shared(); }
// CHECK-LABEL: .entry fence_proxy_async_shared(
// SM70:     call{{.*}} {{cudax_fence_proxy_async_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_proxy_async_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.proxy.async.shared::cta;

KERNEL(fence_proxy_async_cluster)() { cudax_fence_proxy_async_cluster(); }
// CHECK-LABEL: .entry fence_proxy_async_cluster(
// SM70:     call{{.*}} {{cudax_fence_proxy_async_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_proxy_async_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.proxy.async.shared::cluster;

// A number of bytes that only the run knows: a branch for each.
KERNEL(any_number_of_bytes)(b128* from, u32 bytes) {
  if (cudax_has_async_copy()) cudax_async_copy(&in_shared<b128>(), from, bytes);
}
// CHECK-LABEL: .entry any_number_of_bytes(
// FROM80: cp.async.ca.shared::cta.global {{.*}}, 4;
// FROM80: cp.async.ca.shared::cta.global {{.*}}, 8;
// FROM80: cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80: call{{.*}} vprintf
// FROM80: trap;

KERNEL(asked)(b128* from, b128* to) {
  if (cudax_has_bulk_copy()) cudax_bulk_copy_to_global(to, &in_shared<b128>(), 16);
  else if (cudax_has_async_copy()) cudax_async_copy(&in_shared<b128>(), from, 16);
  else *to = in_shared<b128>();
}
// CHECK-LABEL: .entry asked(
// CHECK-NOT: bra
// SM70:      st.global
// SM80:      cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM90:    cp.async.bulk.global.shared::cta.bulk_group
