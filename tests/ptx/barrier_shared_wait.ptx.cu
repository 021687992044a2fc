// SPDX-License-Identifier: Apache-2.0
//
// barrier_shared_wait: every wait of a barrier of a block in shared memory, and its group forms, for sm_80 and later.
// No code of the software's phases remains: no atomic operation, no fence, no load or store of the object, which the
// check forbids.
import cudax.sync;
#include "kernel.hpp"

using block_barrier = barrier<thread_scope_block>;

// --- of a token ------------------------------------------------------------------------------------------------------

KERNEL(shared_wait)(block_barrier::arrival_token* token) {
  in_shared<block_barrier>().wait(static_cast<block_barrier::arrival_token&&>(*token));
}
// CHECK-LABEL: .entry shared_wait(
// FROM80-NOT:  {{ld|st}}.shared
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.try_wait.acquire.cta.shared::cta.b64
// FROM80-NOT:  {{ld|st}}.shared

KERNEL(shared_try_wait)(block_barrier::arrival_token* token, bool* result) {
  *result = in_shared<block_barrier>().try_wait(*token);
}
// CHECK-LABEL: .entry shared_try_wait(
// FROM80-NOT:  {{ld|st}}.shared
// FROM80-NOT:  bra
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.test_wait.acquire.cta.shared::cta.b64
// FROM80-NOT:  bra
// FROM80-NOT:  {{ld|st}}.shared

// A timed wait looks, and sleeps between its later looks. Their loop stands behind the return.
KERNEL(shared_try_wait_for)(block_barrier::arrival_token* token, bool* result) {
  *result = in_shared<block_barrier>().try_wait_for(*token, nanoseconds(1000));
}
// CHECK-LABEL: .entry shared_try_wait_for(
// FROM80-NOT:  {{ld|st}}.shared
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.test_wait.acquire.cta.shared::cta.b64
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.test_wait.acquire.cta.shared::cta.b64
// FROM80:      nanosleep.u32
// FROM80-NOT:  {{ld|st}}.shared

// With a clock that could be set: it is read again after a wait, and the barrier is polled a last time.
KERNEL(shared_try_wait_until)(block_barrier::arrival_token* token, steady_clock::time_point* point, bool* result) {
  *result = in_shared<block_barrier>().try_wait_until(*token, *point);
}
// CHECK-LABEL: .entry shared_try_wait_until(
// FROM80-NOT:  {{ld|st}}.shared
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.test_wait.acquire.cta.shared::cta.b64
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.test_wait.acquire.cta.shared::cta.b64
// FROM80:      nanosleep.u32
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.test_wait.acquire.cta.shared::cta.b64
// FROM80-NOT:  {{ld|st}}.shared

// --- of a parity -----------------------------------------------------------------------------------------------------

KERNEL(shared_wait_parity)() { in_shared<block_barrier>().wait_parity(false); }
// CHECK-LABEL: .entry shared_wait_parity(
// FROM80-NOT:  {{ld|st}}.shared
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.try_wait.parity.acquire.cta.shared::cta.b64
// FROM80-NOT:  {{ld|st}}.shared

KERNEL(shared_try_wait_parity_for)(bool* result) {
  *result = in_shared<block_barrier>().try_wait_parity_for(true, nanoseconds(1000));
}
// CHECK-LABEL: .entry shared_try_wait_parity_for(
// FROM80-NOT:  {{ld|st}}.shared
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// FROM80:      nanosleep.u32
// FROM80-NOT:  {{ld|st}}.shared

KERNEL(shared_try_wait_parity_until)(steady_clock::time_point* point, bool* result) {
  *result = in_shared<block_barrier>().try_wait_parity_until(true, *point);
}
// CHECK-LABEL: .entry shared_try_wait_parity_until(
// FROM80-NOT:  {{ld|st}}.shared
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// FROM80:      nanosleep.u32
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// FROM80-NOT:  {{ld|st}}.shared

// --- of a group: it meets, and its first thread arrives and waits ----------------------------------------------------

KERNEL(shared_arrive_of_group)(block_barrier::arrival_token* token) {
  *token = in_shared<block_barrier>().arrive(this_block);
}
// CHECK-LABEL: .entry shared_arrive_of_group(
// FROM80-NOT:  {{ld|st}}.shared
// FROM80:      barrier.sync 0;
// SM80:        mbarrier.arrive.shared::cta.b64
// FROM90:      mbarrier.arrive.release.cta.shared::cta.b64
// FROM80-NOT:  {{ld|st}}.shared

KERNEL(shared_wait_of_group)(block_barrier::arrival_token* token) {
  in_shared<block_barrier>().wait(this_block, static_cast<block_barrier::arrival_token&&>(*token));
}
// CHECK-LABEL: .entry shared_wait_of_group(
// FROM80-NOT:  {{ld|st}}.shared
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.try_wait.acquire.cta.shared::cta.b64
// FROM80:      barrier.sync 0;
// FROM80-NOT:  {{ld|st}}.shared

KERNEL(shared_arrive_and_wait_of_group)() { in_shared<block_barrier>().arrive_and_wait(this_block); }
// CHECK-LABEL: .entry shared_arrive_and_wait_of_group(
// FROM80-NOT:  {{ld|st}}.shared
// FROM80:      barrier.sync 0;
// SM80:        mbarrier.arrive.shared::cta.b64
// FROM90:      mbarrier.arrive.release.cta.shared::cta.b64
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.try_wait.acquire.cta.shared::cta.b64
// FROM80:      barrier.sync 0;
// FROM80-NOT:  {{ld|st}}.shared
