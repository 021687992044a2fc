// SPDX-License-Identifier: Apache-2.0
//
// copy: asynchronous copies, which require sm_80; bulk copies, which the thread itself makes before sm_90.
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

KERNEL(async_copy_filled_4)(b128* from, u32 valid) { cudax_async_copy_filled(&in_shared<b128>(), from, 4, valid); }
// CHECK-LABEL: .entry async_copy_filled_4(
// SM70:     call{{.*}} {{cudax_async_copy_filled|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.ca.shared::cta.global {{.*}}, 4, %r{{[0-9]+}};

KERNEL(async_copy_filled_8)(b128* from, u32 valid) { cudax_async_copy_filled(&in_shared<b128>(), from, 8, valid); }
// CHECK-LABEL: .entry async_copy_filled_8(
// SM70:     call{{.*}} {{cudax_async_copy_filled|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.ca.shared::cta.global {{.*}}, 8, %r{{[0-9]+}};

KERNEL(async_copy_filled_16)(b128* from, u32 valid) { cudax_async_copy_filled(&in_shared<b128>(), from, 16, valid); }
// CHECK-LABEL: .entry async_copy_filled_16(
// SM70:     call{{.*}} {{cudax_async_copy_filled|vprintf}}
// SM70-NOT: ret;
// FROM80:   cp.async.cg.shared::cta.global {{.*}}, 16, %r{{[0-9]+}};

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
  cudax_bulk_copy_to_shared(&in_shared<b128>() + 1, from, bytes, &in_shared<u64>(), 0, {});
}
// CHECK-LABEL: .entry bulk_copy_to_shared(
// SM70:     ld.global.v2.b64
// SM70:     st.shared.v2.b64
// SM80:     ld.global.v2.b64
// SM80:     st.shared.v2.b64
// FROM90:   cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes

KERNEL(bulk_copy_to_global)(b128* to, u32 bytes) { cudax_bulk_copy_to_global(to, &in_shared<b128>(), bytes, 0, {}); }
// CHECK-LABEL: .entry bulk_copy_to_global(
// SM70:     ld.shared.v2.b64
// SM70:     st.global.v2.b64
// SM80:     ld.shared.v2.b64
// SM80:     st.global.v2.b64
// FROM90:   cp.async.bulk.global.shared::cta.bulk_group

KERNEL(bulk_copy_to_cluster)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_copy_to_cluster(*remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_copy_to_cluster(
// SM70:     call{{.*}} {{cudax_bulk_copy_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_copy_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes

KERNEL(bulk_copy_multicast)(b128* from, u32 bytes, u32 blocks) {
  cudax_bulk_copy_multicast(&in_shared<b128>() + 1, from, bytes, &in_shared<u64>(), blocks, 0, {});
}
// CHECK-LABEL: .entry bulk_copy_multicast(
// SM70:     ld.global.v2.b64
// SM70:     st.shared.v2.b64
// SM80:     ld.global.v2.b64
// SM80:     st.shared.v2.b64
// FROM90:   cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster

KERNEL(bulk_prefetch)(b128* from, u32 bytes) { cudax_bulk_prefetch(from, bytes, 0, {}); }
// CHECK-LABEL: .entry bulk_prefetch(
// SM70:     prefetch.global.L2 [
// SM80:     prefetch.global.L2 [
// FROM90:   cp.async.bulk.prefetch.L2.global

// With cache policies.
KERNEL(cache_policy_first)(u64* policy, float fraction) {
  policy[0] = cudax_cache_policy(0, 0, fraction);
  policy[1] = cudax_cache_policy(0, 3, fraction);
}
// CHECK-LABEL: .entry cache_policy_first(
// FROM80-NOT: bra
// FROM80:   createpolicy.fractional.L2::evict_first.L2::evict_first.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};
// FROM80:   createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};

KERNEL(cache_policy_normal)(u64* policy, float fraction) {
  policy[0] = cudax_cache_policy(1, 0, fraction);
  policy[1] = cudax_cache_policy(1, 3, fraction);
}
// CHECK-LABEL: .entry cache_policy_normal(
// FROM80-NOT: bra
// FROM80:   createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};
// FROM80:   createpolicy.fractional.L2::evict_normal.L2::evict_unchanged.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};

KERNEL(cache_policy_last)(u64* policy, float fraction) {
  policy[0] = cudax_cache_policy(2, 0, fraction);
  policy[1] = cudax_cache_policy(2, 3, fraction);
}
// CHECK-LABEL: .entry cache_policy_last(
// FROM80-NOT: bra
// FROM80:   createpolicy.fractional.L2::evict_last.L2::evict_first.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};
// FROM80:   createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};

KERNEL(cache_policy_unchanged)(u64* policy, float fraction) {
  policy[0] = cudax_cache_policy(3, 0, fraction);
  policy[1] = cudax_cache_policy(3, 3, fraction);
}
// CHECK-LABEL: .entry cache_policy_unchanged(
// FROM80-NOT: bra
// FROM80:   createpolicy.fractional.L2::evict_unchanged.L2::evict_first.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};
// FROM80:   createpolicy.fractional.L2::evict_unchanged.L2::evict_unchanged.b64 {{%rd[0-9]+}}, {{%(r|f)[0-9]+}};

KERNEL(bulk_copy_to_shared_hinted)(b128* from, u32 bytes, u64 policy) {
  cudax_bulk_copy_to_shared(&in_shared<b128>() + 1, from, bytes, &in_shared<u64>(), abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_copy_to_shared_hinted(
// SM70:     ld.global.v2.b64
// SM70:     st.shared.v2.b64
// SM80:     ld.global.v2.b64
// SM80:     st.shared.v2.b64
// FROM90:   cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}], {{.*}}, [{{.*}}], {{%rd[0-9]+}};

KERNEL(bulk_copy_to_global_hinted)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_copy_to_global(to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_copy_to_global_hinted(
// SM70:     ld.shared.v2.b64
// SM70:     st.global.v2.b64
// SM80:     ld.shared.v2.b64
// SM80:     st.global.v2.b64
// FROM90:   cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_copy_multicast_hinted)(b128* from, u32 bytes, u32 blocks, u64 policy) {
  cudax_bulk_copy_multicast(&in_shared<b128>() + 1, from, bytes, &in_shared<u64>(), blocks, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_copy_multicast_hinted(
// SM70:     ld.global.v2.b64
// SM70:     st.shared.v2.b64
// SM80:     ld.global.v2.b64
// SM80:     st.shared.v2.b64
// FROM90:   cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [{{.*}}], {{.*}}, [{{.*}}], {{%rs[0-9]+}}, {{%rd[0-9]+}};

KERNEL(bulk_prefetch_hinted)(b128* from, u32 bytes, u64 policy) {
  cudax_bulk_prefetch(from, bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_prefetch_hinted(
// SM70:     prefetch.global.L2 [
// SM80:     prefetch.global.L2 [
// FROM90:   cp.async.bulk.prefetch.L2.global.L2::cache_hint [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_add)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(0, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(0, 2, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(0, 4, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(0, 5, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(0, 6, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(0, 7, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_add(
// SM70:     red.relaxed.gpu.global.add.u32
// SM70:     red.relaxed.gpu.global.add.u64
// SM70:     red.relaxed.gpu.global.add.f32
// SM70:     red.relaxed.gpu.global.add.f64
// SM70:     red.relaxed.gpu.global.add.noftz.f16
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM80:     red.relaxed.gpu.global.add.u32
// SM80:     red.relaxed.gpu.global.add.u64
// SM80:     red.relaxed.gpu.global.add.f32
// SM80:     red.relaxed.gpu.global.add.f64
// SM80:     red.relaxed.gpu.global.add.noftz.f16
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.f32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.f64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.f16 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.bf16 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_min)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(1, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(1, 1, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(1, 2, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(1, 3, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(1, 6, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(1, 7, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_min(
// SM70:     red.relaxed.gpu.global.min.u32
// SM70:     red.relaxed.gpu.global.min.s32
// SM70:     red.relaxed.gpu.global.min.u64
// SM70:     red.relaxed.gpu.global.min.s64
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM80:     red.relaxed.gpu.global.min.u32
// SM80:     red.relaxed.gpu.global.min.s32
// SM80:     red.relaxed.gpu.global.min.u64
// SM80:     red.relaxed.gpu.global.min.s64
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.u32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.s32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.u64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.s64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.f16 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.min.bf16 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_max)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(2, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(2, 1, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(2, 2, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(2, 3, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(2, 6, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(2, 7, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_max(
// SM70:     red.relaxed.gpu.global.max.u32
// SM70:     red.relaxed.gpu.global.max.s32
// SM70:     red.relaxed.gpu.global.max.u64
// SM70:     red.relaxed.gpu.global.max.s64
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM80:     red.relaxed.gpu.global.max.u32
// SM80:     red.relaxed.gpu.global.max.s32
// SM80:     red.relaxed.gpu.global.max.u64
// SM80:     red.relaxed.gpu.global.max.s64
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.max.u32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.max.s32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.max.u64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.max.s64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.max.f16 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.max.bf16 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_inc)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(3, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_inc(
// SM70:     red.relaxed.gpu.global.inc.u32
// SM80:     red.relaxed.gpu.global.inc.u32
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.inc.u32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_dec)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(4, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_dec(
// SM70:     red.relaxed.gpu.global.dec.u32
// SM80:     red.relaxed.gpu.global.dec.u32
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.dec.u32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_and)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(5, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(5, 2, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_and(
// SM70:     red.relaxed.gpu.global.and.b32
// SM70:     red.relaxed.gpu.global.and.b64
// SM80:     red.relaxed.gpu.global.and.b32
// SM80:     red.relaxed.gpu.global.and.b64
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.and.b32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.and.b64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_or)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(6, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(6, 2, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_or(
// SM70:     red.relaxed.gpu.global.or.b32
// SM70:     red.relaxed.gpu.global.or.b64
// SM80:     red.relaxed.gpu.global.or.b32
// SM80:     red.relaxed.gpu.global.or.b64
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.or.b32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.or.b64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

KERNEL(bulk_reduce_to_global_hinted_xor)(b128* to, u32 bytes, u64 policy) {
  cudax_bulk_reduce_to_global(7, 0, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
  cudax_bulk_reduce_to_global(7, 2, to, &in_shared<b128>(), bytes, abi::copy_hinted, {policy});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_hinted_xor(
// SM70:     red.relaxed.gpu.global.xor.b32
// SM70:     red.relaxed.gpu.global.xor.b64
// SM80:     red.relaxed.gpu.global.xor.b32
// SM80:     red.relaxed.gpu.global.xor.b64
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.xor.b32 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.xor.b64 [{{.*}}], [{{.*}}], {{.*}}, {{%rd[0-9]+}};

// Every operation with each of its types.
KERNEL(bulk_reduce_to_global_add)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(0, 0, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(0, 2, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(0, 4, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(0, 5, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(0, 6, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(0, 7, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_add(
// SM70:     red.relaxed.gpu.global.add.u32
// SM70:     red.relaxed.gpu.global.add.u64
// SM70:     red.relaxed.gpu.global.add.f32
// SM70:     red.relaxed.gpu.global.add.f64
// SM70:     red.relaxed.gpu.global.add.noftz.f16
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM80:     red.relaxed.gpu.global.add.u32
// SM80:     red.relaxed.gpu.global.add.u64
// SM80:     red.relaxed.gpu.global.add.f32
// SM80:     red.relaxed.gpu.global.add.f64
// SM80:     red.relaxed.gpu.global.add.noftz.f16
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [

KERNEL(bulk_reduce_to_global_min)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(1, 0, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(1, 1, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(1, 2, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(1, 3, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(1, 6, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(1, 7, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_min(
// SM70:     red.relaxed.gpu.global.min.u32
// SM70:     red.relaxed.gpu.global.min.s32
// SM70:     red.relaxed.gpu.global.min.u64
// SM70:     red.relaxed.gpu.global.min.s64
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM80:     red.relaxed.gpu.global.min.u32
// SM80:     red.relaxed.gpu.global.min.s32
// SM80:     red.relaxed.gpu.global.min.u64
// SM80:     red.relaxed.gpu.global.min.s64
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16 [

KERNEL(bulk_reduce_to_global_max)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(2, 0, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(2, 1, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(2, 2, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(2, 3, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(2, 6, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(2, 7, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_max(
// SM70:     red.relaxed.gpu.global.max.u32
// SM70:     red.relaxed.gpu.global.max.s32
// SM70:     red.relaxed.gpu.global.max.u64
// SM70:     red.relaxed.gpu.global.max.s64
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM70:     ld.relaxed.gpu.global.b16
// SM70:     atom.relaxed.gpu.global.cas.b16
// SM80:     red.relaxed.gpu.global.max.u32
// SM80:     red.relaxed.gpu.global.max.s32
// SM80:     red.relaxed.gpu.global.max.u64
// SM80:     red.relaxed.gpu.global.max.s64
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// SM80:     ld.relaxed.gpu.global.b16
// SM80:     atom.relaxed.gpu.global.cas.b16
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16 [

KERNEL(bulk_reduce_to_global_inc)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(3, 0, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_inc(
// SM70:     red.relaxed.gpu.global.inc.u32
// SM80:     red.relaxed.gpu.global.inc.u32
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [

KERNEL(bulk_reduce_to_global_dec)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(4, 0, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_dec(
// SM70:     red.relaxed.gpu.global.dec.u32
// SM80:     red.relaxed.gpu.global.dec.u32
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32 [

KERNEL(bulk_reduce_to_global_and)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(5, 0, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(5, 2, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_and(
// SM70:     red.relaxed.gpu.global.and.b32
// SM70:     red.relaxed.gpu.global.and.b64
// SM80:     red.relaxed.gpu.global.and.b32
// SM80:     red.relaxed.gpu.global.and.b64
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64 [

KERNEL(bulk_reduce_to_global_or)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(6, 0, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(6, 2, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_or(
// SM70:     red.relaxed.gpu.global.or.b32
// SM70:     red.relaxed.gpu.global.or.b64
// SM80:     red.relaxed.gpu.global.or.b32
// SM80:     red.relaxed.gpu.global.or.b64
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64 [

KERNEL(bulk_reduce_to_global_xor)(b128* to, u32 bytes) {
  cudax_bulk_reduce_to_global(7, 0, to, &in_shared<b128>(), bytes, 0, {});
  cudax_bulk_reduce_to_global(7, 2, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry bulk_reduce_to_global_xor(
// SM70:     red.relaxed.gpu.global.xor.b32
// SM70:     red.relaxed.gpu.global.xor.b64
// SM80:     red.relaxed.gpu.global.xor.b32
// SM80:     red.relaxed.gpu.global.xor.b64
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32 [
// FROM90:   cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [

KERNEL(bulk_reduce_to_cluster_add)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(0, 0, *remote, &in_shared<b128>(), bytes, *barrier);
  cudax_bulk_reduce_to_cluster(0, 2, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_add(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [

KERNEL(bulk_reduce_to_cluster_min)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(1, 0, *remote, &in_shared<b128>(), bytes, *barrier);
  cudax_bulk_reduce_to_cluster(1, 1, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_min(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.u32 [
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32 [

KERNEL(bulk_reduce_to_cluster_max)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(2, 0, *remote, &in_shared<b128>(), bytes, *barrier);
  cudax_bulk_reduce_to_cluster(2, 1, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_max(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u32 [
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32 [

KERNEL(bulk_reduce_to_cluster_inc)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(3, 0, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_inc(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32 [

KERNEL(bulk_reduce_to_cluster_dec)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(4, 0, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_dec(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.dec.u32 [

KERNEL(bulk_reduce_to_cluster_and)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(5, 0, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_and(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32 [

KERNEL(bulk_reduce_to_cluster_or)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(6, 0, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_or(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32 [

KERNEL(bulk_reduce_to_cluster_xor)(b128* const* remote, u64* const* barrier, u32 bytes) {
  cudax_bulk_reduce_to_cluster(7, 0, *remote, &in_shared<b128>(), bytes, *barrier);
}
// CHECK-LABEL: .entry bulk_reduce_to_cluster_xor(
// SM70:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_bulk_reduce_to_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32 [

KERNEL(store_async_u32)(b128* const* remote, u32 value, u64* const* barrier) {
  cudax_store_async_u32(*remote, value, *barrier);
}
// CHECK-LABEL: .entry store_async_u32(
// SM70:     st.shared.b32
// SM80:     st.shared.b32
// FROM90:   st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [

KERNEL(store_async_u64)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_store_async_u64(*remote, value, *barrier);
}
// CHECK-LABEL: .entry store_async_u64(
// SM70:     st.shared.b64
// SM80:     st.shared.b64
// FROM90:   st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [

KERNEL(store_async_two_u64)(b128* const* remote, u64 low, u64 high, u64* const* barrier) {
  cudax_store_async_two_u64(*remote, low, high, *barrier);
}
// CHECK-LABEL: .entry store_async_two_u64(
// SM70:     st.shared.v2.b64
// SM80:     st.shared.v2.b64
// FROM90:   st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [

KERNEL(reduce_async_add)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(0, 0, *remote, value, *barrier);
  cudax_reduce_async(0, 2, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_add(
// SM70:     red.relaxed.cta.shared.add.u32
// SM70:     red.relaxed.cta.shared.add.u64
// SM80:     red.relaxed.cta.shared.add.u32
// SM80:     red.relaxed.cta.shared.add.u64
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [

KERNEL(reduce_async_min)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(1, 0, *remote, value, *barrier);
  cudax_reduce_async(1, 1, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_min(
// SM70:     red.relaxed.cta.shared.min.u32
// SM70:     red.relaxed.cta.shared.min.s32
// SM80:     red.relaxed.cta.shared.min.u32
// SM80:     red.relaxed.cta.shared.min.s32
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32 [
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [

KERNEL(reduce_async_max)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(2, 0, *remote, value, *barrier);
  cudax_reduce_async(2, 1, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_max(
// SM70:     red.relaxed.cta.shared.max.u32
// SM70:     red.relaxed.cta.shared.max.s32
// SM80:     red.relaxed.cta.shared.max.u32
// SM80:     red.relaxed.cta.shared.max.s32
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [

KERNEL(reduce_async_inc)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(3, 0, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_inc(
// SM70:     red.relaxed.cta.shared.inc.u32
// SM80:     red.relaxed.cta.shared.inc.u32
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [

KERNEL(reduce_async_dec)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(4, 0, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_dec(
// SM70:     red.relaxed.cta.shared.dec.u32
// SM80:     red.relaxed.cta.shared.dec.u32
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.dec.u32 [

KERNEL(reduce_async_and)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(5, 0, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_and(
// SM70:     red.relaxed.cta.shared.and.b32
// SM80:     red.relaxed.cta.shared.and.b32
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32 [

KERNEL(reduce_async_or)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(6, 0, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_or(
// SM70:     red.relaxed.cta.shared.or.b32
// SM80:     red.relaxed.cta.shared.or.b32
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32 [

KERNEL(reduce_async_xor)(b128* const* remote, u64 value, u64* const* barrier) {
  cudax_reduce_async(7, 0, *remote, value, *barrier);
}
// CHECK-LABEL: .entry reduce_async_xor(
// SM70:     red.relaxed.cta.shared.xor.b32
// SM80:     red.relaxed.cta.shared.xor.b32
// FROM90:   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [

// A pair that PTX lacks: it stops.
KERNEL(no_such_reduction)(b128* to, u32 bytes) {
  if (cudax_has_bulk_copy()) cudax_bulk_reduce_to_global(1, 4, to, &in_shared<b128>(), bytes, 0, {});
}
// CHECK-LABEL: .entry no_such_reduction(
// FROM90:   call{{.*}} vprintf
// FROM90:   trap;

KERNEL(bulk_commit)() { cudax_bulk_commit(); }
// CHECK-LABEL: .entry bulk_commit(
// FROM90:   cp.async.bulk.commit_group;

KERNEL(bulk_wait_group)() { cudax_bulk_wait_group(0); }
// CHECK-LABEL: .entry bulk_wait_group(
// FROM90:   cp.async.bulk.wait_group 0;

KERNEL(bulk_wait_group_read)() { cudax_bulk_wait_group_read(7); }
// CHECK-LABEL: .entry bulk_wait_group_read(
// FROM90:   cp.async.bulk.wait_group.read 7;

KERNEL(fence_proxy_async_global)() { cudax_fence_proxy_async_global(); }
// CHECK-LABEL: .entry fence_proxy_async_global(
// FROM90:   fence.proxy.async.global;

KERNEL(fence_proxy_async_shared)() { cudax_fence_proxy_async_shared(); }
// CHECK-LABEL: .entry fence_proxy_async_shared(
// FROM90:   fence.proxy.async.shared::cta;

KERNEL(fence_proxy_async_cluster)() { cudax_fence_proxy_async_cluster(); }
// CHECK-LABEL: .entry fence_proxy_async_cluster(
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
  if (cudax_has_bulk_copy()) cudax_bulk_copy_to_global(to, &in_shared<b128>(), 16, 0, {});
  else if (cudax_has_async_copy()) cudax_async_copy(&in_shared<b128>(), from, 16);
  else *to = in_shared<b128>();
}
// CHECK-LABEL: .entry asked(
// CHECK-NOT: bra
// SM70:      st.global
// SM80:      cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM90:    cp.async.bulk.global.shared::cta.bulk_group
