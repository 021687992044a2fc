// SPDX-License-Identifier: Apache-2.0
//
// copying: what memcpy_async and a thread's pipeline become where spaces, sizes and alignments are known: the copies,
// one proxy fence before each bulk copy, and the waits. No query and no other kind of copy remains.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

using block_barrier = barrier<thread_scope_block>;

/// Behind the barrier.
__device__ char* in_stage() { return &in_shared<char>() + 128; }

KERNEL(copy_a_unit)(char const* from) {
  memcpy_async(in_stage(), from, aligned_size_t<16>(16), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_a_unit(
// CHECK-NOT:  bra
// SM70:       ld.global
// SM70:       st.shared
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80:     cp.async.mbarrier.arrive.shared::cta.b64
// CHECK-NOT:  bra

KERNEL(copy_small)(int const* from) {
  memcpy_async(reinterpret_cast<int*>(in_stage()), from, 4, in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_small(
// SM70:       st.shared
// FROM80:     cp.async.ca.shared::cta.global {{.*}}, 4;
// FROM80:     cp.async.mbarrier.arrive.shared::cta.b64

KERNEL(copy_in_bulk)(char const* from) {
  memcpy_async(in_stage(), from, aligned_size_t<16>(1024), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry copy_in_bulk(
// SM70:       st.shared
// SM80-COUNT-8: cp.async.cg.shared::cta.global {{.*}}, 16;
// SM80:       cp.async.mbarrier.arrive.shared::cta.b64
// FROM90-NOT: bra
// FROM90-NOT: cp.async.cg
// FROM90:     mbarrier.expect_tx.relaxed.cta.shared::cta.b64
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// FROM90-NOT: bra
// FROM90-NOT: cp.async

// The barrier is a word in global memory: the thread waits for its units.
KERNEL(copy_and_wait)(char const* from, barrier<thread_scope_device>* b) {
  memcpy_async(in_stage(), from, aligned_size_t<16>(16), *b);
}
// CHECK-LABEL: .entry copy_and_wait(
// SM70:       st.shared
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80-NOT: mbarrier
// FROM80:     cp.async.wait_all;
// CHECK-NOT:  bra

KERNEL(copy_to_global)(char* to) { memcpy_async(to, in_stage(), aligned_size_t<16>(256), in_shared<block_barrier>()); }
// CHECK-LABEL: .entry copy_to_global(
// SM70:       st.global
// SM80:       st.global
// FROM90-NOT: st.global
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.global.shared::cta.bulk_group
// FROM90:     cp.async.bulk.commit_group;
// FROM90:     cp.async.bulk.wait_group 0;
// FROM90-NOT: bra

KERNEL(pipeline_of_a_thread)(char const* from) {
  auto p = make_pipeline();
  p.producer_acquire();
  memcpy_async(in_stage(), from, aligned_size_t<16>(16), p);
  p.producer_commit();
  p.producer_acquire();
  memcpy_async(in_stage() + 16, from, aligned_size_t<16>(16), p);
  p.producer_commit();
  p.consumer_wait();
  p.consumer_release();
}
// No bulk copy has begun, so there is no group of them.
// CHECK-LABEL: .entry pipeline_of_a_thread(
// CHECK-NOT:  bra
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80:     cp.async.commit_group;
// FROM80:     cp.async.cg.shared::cta.global {{.*}}, 16;
// FROM80:     cp.async.commit_group;
// FROM80:     cp.async.wait_group 1;
// CHECK-NOT:  bra

// Elsewhere it stops: a program asks first.
KERNEL(bytes)(char const* from) {
  if (cudax_has_bulk_copy())
    device::memcpy_async_tx(in_stage(), from, aligned_size_t<16>(64), in_shared<block_barrier>());
}
// CHECK-LABEL: .entry bytes(
// FROM90:     fence.proxy.async.global;
// FROM90:     fence.proxy.async.shared::cta;
// FROM90:     cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
