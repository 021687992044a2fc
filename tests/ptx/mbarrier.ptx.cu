// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: barrier objects in shared memory, which require sm_80; transactions, remote arrivals, waits that may
// suspend the thread, and fences of shared memory alone, which require sm_90. Where the instruction is missing, a call
// that no check guards stops the kernel.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

KERNEL(shared_barrier_init)(u32 count) { cudax_shared_barrier_init(&in_shared<u64>(), count); }
// CHECK-LABEL: .entry shared_barrier_init(
// SM70:     call{{.*}} {{cudax_shared_barrier_init|vprintf}}
// SM70-NOT: ret;
// FROM80:   mbarrier.init.shared::cta.b64

KERNEL(shared_barrier_invalidate)() { cudax_shared_barrier_invalidate(&in_shared<u64>()); }
// CHECK-LABEL: .entry shared_barrier_invalidate(
// SM70:     call{{.*}} {{cudax_shared_barrier_invalidate|vprintf}}
// SM70-NOT: ret;
// FROM80:   mbarrier.inval.shared::cta.b64

KERNEL(shared_barrier_arrive)(u64* token) { *token = cudax_shared_barrier_arrive(&in_shared<u64>(), 1); }
// CHECK-LABEL: .entry shared_barrier_arrive(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive|vprintf}}
// SM70-NOT: ret;
// SM80:     mbarrier.arrive.shared::cta.b64
// FROM90:   mov.b32 [[ONE:%r[0-9]+]], 1;
// FROM90:   mbarrier.arrive.release.cta.shared::cta.b64 {{.*}}, [[ONE]];

KERNEL(shared_barrier_arrive_three)(u64* token) { *token = cudax_shared_barrier_arrive(&in_shared<u64>(), 3); }
// CHECK-LABEL: .entry shared_barrier_arrive_three(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive|vprintf}}
// SM70-NOT: ret;
// SM80:     mov.b32 [[TWO:%r[0-9]+]], 2;
// SM80:     mbarrier.arrive.noComplete.shared::cta.b64 {{.*}}, [[TWO]];
// SM80:     mbarrier.arrive.shared::cta.b64
// FROM90:   mov.b32 [[THREE:%r[0-9]+]], 3;
// FROM90:   mbarrier.arrive.release.cta.shared::cta.b64 {{.*}}, [[THREE]];

KERNEL(shared_barrier_arrive_drop)(u64* token) { *token = cudax_shared_barrier_arrive_drop(&in_shared<u64>(), 1); }
// CHECK-LABEL: .entry shared_barrier_arrive_drop(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_drop|vprintf}}
// SM70-NOT: ret;
// SM80:     mbarrier.arrive_drop.shared::cta.b64
// FROM90:   mov.b32 [[ONE:%r[0-9]+]], 1;
// FROM90:   mbarrier.arrive_drop.release.cta.shared::cta.b64 {{.*}}, [[ONE]];

KERNEL(shared_barrier_arrive_drop_three)(u64* token) {
  *token = cudax_shared_barrier_arrive_drop(&in_shared<u64>(), 3);
}
// CHECK-LABEL: .entry shared_barrier_arrive_drop_three(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_drop|vprintf}}
// SM70-NOT: ret;
// SM80:     mov.b32 [[TWO:%r[0-9]+]], 2;
// SM80:     mbarrier.arrive_drop.noComplete.shared::cta.b64 {{.*}}, [[TWO]];
// SM80:     mbarrier.arrive_drop.shared::cta.b64
// FROM90:   mov.b32 [[THREE:%r[0-9]+]], 3;
// FROM90:   mbarrier.arrive_drop.release.cta.shared::cta.b64 {{.*}}, [[THREE]];

KERNEL(shared_barrier_arrive_expect_bytes)(u32 bytes, u64* token) {
  *token = cudax_shared_barrier_arrive_expect_bytes(&in_shared<u64>(), 1, bytes);
}
// CHECK-LABEL: .entry shared_barrier_arrive_expect_bytes(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.arrive.expect_tx.release.cta.shared::cta.b64

KERNEL(shared_barrier_arrive_expect_bytes_three)(u32 bytes, u64* token) {
  *token = cudax_shared_barrier_arrive_expect_bytes(&in_shared<u64>(), 3, bytes);
}
// CHECK-LABEL: .entry shared_barrier_arrive_expect_bytes_three(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM90:   mbarrier.arrive.release.cta.shared::cta.b64

KERNEL(shared_barrier_expect_bytes)(u32 bytes) { cudax_shared_barrier_expect_bytes(&in_shared<u64>(), bytes); }
// CHECK-LABEL: .entry shared_barrier_expect_bytes(
// SM70:     call{{.*}} {{cudax_shared_barrier_expect_bytes|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_expect_bytes|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.expect_tx.relaxed.cta.shared::cta.b64

KERNEL(shared_barrier_complete_bytes)(u32 bytes) { cudax_shared_barrier_complete_bytes(&in_shared<u64>(), bytes); }
// CHECK-LABEL: .entry shared_barrier_complete_bytes(
// SM70:     call{{.*}} {{cudax_shared_barrier_complete_bytes|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_complete_bytes|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.complete_tx.relaxed.cta.shared::cta.b64

KERNEL(shared_barrier_expect_bytes_remote)(u64* const* barrier, u32 bytes) {
  cudax_shared_barrier_expect_bytes_remote(*barrier, bytes);
}
// CHECK-LABEL: .entry shared_barrier_expect_bytes_remote(
// SM70:     call{{.*}} {{cudax_shared_barrier_expect_bytes_remote|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_expect_bytes_remote|vprintf}}
// SM80-NOT: ret;
// FROM90:   cvta.to.shared::cluster.u64
// FROM90:   mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64

KERNEL(shared_barrier_complete_bytes_remote)(u64* const* barrier, u32 bytes) {
  cudax_shared_barrier_complete_bytes_remote(*barrier, bytes);
}
// CHECK-LABEL: .entry shared_barrier_complete_bytes_remote(
// SM70:     call{{.*}} {{cudax_shared_barrier_complete_bytes_remote|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_complete_bytes_remote|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64

KERNEL(shared_barrier_arrive_expect_bytes_remote)(u64* const* barrier, u32 bytes) {
  cudax_shared_barrier_arrive_expect_bytes_remote(*barrier, 1, bytes, 3);
}
// CHECK-LABEL: .entry shared_barrier_arrive_expect_bytes_remote(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes_remote|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes_remote|vprintf}}
// SM80-NOT: ret;
// FROM90:   cvta.to.shared::cluster.u64
// FROM90:   mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _,

KERNEL(shared_barrier_arrive_expect_bytes_remote_three)(u64* const* barrier, u32 bytes) {
  cudax_shared_barrier_arrive_expect_bytes_remote(*barrier, 3, bytes, 3);
}
// CHECK-LABEL: .entry shared_barrier_arrive_expect_bytes_remote_three(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes_remote|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes_remote|vprintf}}
// SM80-NOT: ret;
// FROM90:   cvta.to.shared::cluster.u64
// FROM90:   mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64
// FROM90:   mbarrier.arrive.release.cluster.shared::cluster.b64 _,

KERNEL(shared_barrier_fence_init)() { cudax_shared_barrier_fence_init(); }
// CHECK-LABEL: .entry shared_barrier_fence_init(
// SM70:     call{{.*}} {{cudax_shared_barrier_fence_init|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_fence_init|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.mbarrier_init.release.cluster;

KERNEL(shared_barrier_arrive_remote)(u64* const* barrier) { cudax_shared_barrier_arrive_remote(*barrier, 1, 3); }
// CHECK-LABEL: .entry shared_barrier_arrive_remote(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_remote|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_arrive_remote|vprintf}}
// SM80-NOT: ret;
// FROM90:   cvta.to.shared::cluster.u64
// FROM90:   mbarrier.arrive.release.cluster.shared::cluster.b64 _,

KERNEL(shared_barrier_test_wait)(u64 token, bool* result) {
  *result = cudax_shared_barrier_test_wait(&in_shared<u64>(), token);
}
// CHECK-LABEL: .entry shared_barrier_test_wait(
// SM70:     call{{.*}} {{cudax_shared_barrier_test_wait|vprintf}}
// SM70-NOT: ret;
// SM80:     mbarrier.test_wait.shared::cta.b64
// FROM90:   mbarrier.test_wait.acquire.cta.shared::cta.b64

KERNEL(shared_barrier_test_wait_parity)(u32 parity, bool* result) {
  *result = cudax_shared_barrier_test_wait_parity(&in_shared<u64>(), parity);
}
// CHECK-LABEL: .entry shared_barrier_test_wait_parity(
// SM70:     call{{.*}} {{cudax_shared_barrier_test_wait_parity|vprintf}}
// SM70-NOT: ret;
// SM80:     mbarrier.test_wait.parity.shared::cta.b64
// FROM90:   mbarrier.test_wait.parity.acquire.cta.shared::cta.b64

KERNEL(shared_barrier_try_wait)(u64 token, bool* result) {
  *result = cudax_shared_barrier_try_wait(&in_shared<u64>(), token);
}
// CHECK-LABEL: .entry shared_barrier_try_wait(
// SM70:     call{{.*}} {{cudax_shared_barrier_try_wait|vprintf}}
// SM70-NOT: ret;
// SM80:     mbarrier.test_wait.shared::cta.b64
// FROM90:   mbarrier.try_wait.acquire.cta.shared::cta.b64

KERNEL(shared_barrier_try_wait_parity)(u32 parity, bool* result) {
  *result = cudax_shared_barrier_try_wait_parity(&in_shared<u64>(), parity);
}
// CHECK-LABEL: .entry shared_barrier_try_wait_parity(
// SM70:     call{{.*}} {{cudax_shared_barrier_try_wait_parity|vprintf}}
// SM70-NOT: ret;
// SM80:     mbarrier.test_wait.parity.shared::cta.b64
// FROM90:   mbarrier.try_wait.parity.acquire.cta.shared::cta.b64

KERNEL(shared_barrier_test_wait_cluster)(u64 token, bool* result) {
  *result = cudax_shared_barrier_test_wait_cluster(&in_shared<u64>(), token, 2);
}
// CHECK-LABEL: .entry shared_barrier_test_wait_cluster(
// SM70:     call{{.*}} {{cudax_shared_barrier_test_wait_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_test_wait_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.test_wait.acquire.cluster.shared::cta.b64

KERNEL(shared_barrier_test_wait_parity_cluster)(u32 parity, bool* result) {
  *result = cudax_shared_barrier_test_wait_parity_cluster(&in_shared<u64>(), parity, 2);
}
// CHECK-LABEL: .entry shared_barrier_test_wait_parity_cluster(
// SM70:     call{{.*}} {{cudax_shared_barrier_test_wait_parity_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_test_wait_parity_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64

KERNEL(shared_barrier_try_wait_cluster)(u64 token, bool* result) {
  *result = cudax_shared_barrier_try_wait_cluster(&in_shared<u64>(), token, 2);
}
// CHECK-LABEL: .entry shared_barrier_try_wait_cluster(
// SM70:     call{{.*}} {{cudax_shared_barrier_try_wait_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_try_wait_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.try_wait.acquire.cluster.shared::cta.b64

KERNEL(shared_barrier_try_wait_parity_cluster)(u32 parity, bool* result) {
  *result = cudax_shared_barrier_try_wait_parity_cluster(&in_shared<u64>(), parity, 2);
}
// CHECK-LABEL: .entry shared_barrier_try_wait_parity_cluster(
// SM70:     call{{.*}} {{cudax_shared_barrier_try_wait_parity_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_try_wait_parity_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64

// Relaxed, at cluster scope: fences order memory.
KERNEL(shared_barrier_arrive_expect_bytes_remote_relaxed)(u64* const* barrier, u32 bytes) {
  cudax_shared_barrier_arrive_expect_bytes_remote(*barrier, 1, bytes, 0);
}
// CHECK-LABEL: .entry shared_barrier_arrive_expect_bytes_remote_relaxed(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes_remote|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_arrive_expect_bytes_remote|vprintf}}
// SM80-NOT: ret;
// FROM90:   cvta.to.shared::cluster.u64
// FROM90:   mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _,

KERNEL(shared_barrier_arrive_remote_relaxed)(u64* const* barrier) {
  cudax_shared_barrier_arrive_remote(*barrier, 1, 0);
}
// CHECK-LABEL: .entry shared_barrier_arrive_remote_relaxed(
// SM70:     call{{.*}} {{cudax_shared_barrier_arrive_remote|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_arrive_remote|vprintf}}
// SM80-NOT: ret;
// FROM90:   cvta.to.shared::cluster.u64
// FROM90:   mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _,

KERNEL(shared_barrier_test_wait_cluster_relaxed)(u64 token, bool* result) {
  *result = cudax_shared_barrier_test_wait_cluster(&in_shared<u64>(), token, 0);
}
// CHECK-LABEL: .entry shared_barrier_test_wait_cluster_relaxed(
// SM70:     call{{.*}} {{cudax_shared_barrier_test_wait_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_test_wait_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.test_wait.relaxed.cluster.shared::cta.b64

KERNEL(shared_barrier_test_wait_parity_cluster_relaxed)(u32 parity, bool* result) {
  *result = cudax_shared_barrier_test_wait_parity_cluster(&in_shared<u64>(), parity, 0);
}
// CHECK-LABEL: .entry shared_barrier_test_wait_parity_cluster_relaxed(
// SM70:     call{{.*}} {{cudax_shared_barrier_test_wait_parity_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_test_wait_parity_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64

KERNEL(shared_barrier_try_wait_cluster_relaxed)(u64 token, bool* result) {
  *result = cudax_shared_barrier_try_wait_cluster(&in_shared<u64>(), token, 0);
}
// CHECK-LABEL: .entry shared_barrier_try_wait_cluster_relaxed(
// SM70:     call{{.*}} {{cudax_shared_barrier_try_wait_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_try_wait_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.try_wait.relaxed.cluster.shared::cta.b64

KERNEL(shared_barrier_try_wait_parity_cluster_relaxed)(u32 parity, bool* result) {
  *result = cudax_shared_barrier_try_wait_parity_cluster(&in_shared<u64>(), parity, 0);
}
// CHECK-LABEL: .entry shared_barrier_try_wait_parity_cluster_relaxed(
// SM70:     call{{.*}} {{cudax_shared_barrier_try_wait_parity_cluster|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_shared_barrier_try_wait_parity_cluster|vprintf}}
// SM80-NOT: ret;
// FROM90:   mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64

// Of shared memory alone.
KERNEL(fence_shared_acquire)() { cudax_fence_shared(2, false); }
// CHECK-LABEL: .entry fence_shared_acquire(
// SM70:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.acquire.sync_restrict::shared::cluster.cluster;

KERNEL(fence_shared_acquire_for_async)() { cudax_fence_shared(2, true); }
// CHECK-LABEL: .entry fence_shared_acquire_for_async(
// SM70:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;

KERNEL(fence_shared_release)() { cudax_fence_shared(3, false); }
// CHECK-LABEL: .entry fence_shared_release(
// SM70:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.release.sync_restrict::shared::cta.cluster;

KERNEL(fence_shared_release_for_async)() { cudax_fence_shared(3, true); }
// CHECK-LABEL: .entry fence_shared_release_for_async(
// SM70:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_fence_shared|vprintf}}
// SM80-NOT: ret;
// FROM90:   fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;

KERNEL(shared_barrier_pending)(u64 token, u32* result) { *result = cudax_shared_barrier_pending(token); }
// CHECK-LABEL: .entry shared_barrier_pending(
// SM70:     call{{.*}} {{cudax_shared_barrier_pending|vprintf}}
// SM70-NOT: ret;
// FROM80:   mbarrier.pending_count.b64

// Both questions fold: one instruction from sm_80 on, and a store before.
KERNEL(asked)(u64* token, u32* other) {
  if (cudax_has_shared_barrier() && cudax_is_shared(&in_shared<u64>()))
    *token = cudax_shared_barrier_arrive(&in_shared<u64>(), 1);
  else *other = 1;
}
// CHECK-LABEL: .entry asked(
// CHECK-NOT: bra
// SM70:      st.global.b32
// FROM80:    mbarrier.arrive{{[a-z.]*}}.shared::cta.b64
// FROM80:    st.global.b64

// In global memory it is not. Where the compiler does not know, isspacep queries it at run time.
KERNEL(is_shared_global)(u32* object, bool* result) { *result = cudax_is_shared(object); }
// CHECK-LABEL: .entry is_shared_global(
// CHECK: st.global.b8 {{.*}}, 0;

KERNEL(is_global_shared)(bool* result) { *result = cudax_is_global(&in_shared<u32>()); }
// CHECK-LABEL: .entry is_global_shared(
// CHECK: st.global.b8 {{.*}}, 0;

KERNEL(is_global_unknown)(u32** object, bool* result) { *result = cudax_is_global(*object); }
// CHECK-LABEL: .entry is_global_unknown(
// CHECK: isspacep.global

KERNEL(is_shared_unknown)(u32** object, bool* result) { *result = cudax_is_shared(*object); }
// CHECK-LABEL: .entry is_shared_unknown(
// CHECK: isspacep.shared

KERNEL(is_local_global)(u32* object, bool* result) { *result = cudax_is_local(object); }
// CHECK-LABEL: .entry is_local_global(
// CHECK: st.global.b8 {{.*}}, 0;

KERNEL(is_local_unknown)(u32** object, bool* result) { *result = cudax_is_local(*object); }
// CHECK-LABEL: .entry is_local_unknown(
// CHECK: isspacep.local

// What a thread wrote before stays before its arrival, and what it reads after a wait stays after the wait.
KERNEL(stays)(u32* data, u64 token, bool* result) {
  data[0] = 1;
  if (cudax_has_shared_barrier()) cudax_shared_barrier_arrive(&in_shared<u64>(), 1);
  data[0] = 2;
  if (cudax_has_shared_barrier()) *result = cudax_shared_barrier_test_wait(&in_shared<u64>(), token);
  data[0] = 3;
}
// CHECK-LABEL: .entry stays(
// FROM80: st.global.b32 {{.*}}, 1;
// FROM80: mbarrier.arrive
// FROM80: st.global.b32 {{.*}}, 2;
// FROM80: mbarrier.test_wait
// CHECK:  st.global.b32 {{.*}}, 3;
