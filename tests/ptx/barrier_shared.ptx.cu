// SPDX-License-Identifier: Apache-2.0
//
// barrier_shared: a barrier of a block in shared memory is an mbarrier for sm_80 and later, and no code of the
// software's phases remains where the address space is known. Before sm_80, and with a completion, it is a word. Timed
// waits and groups: barrier_shared_wait.
import cudax.sync;
#include "kernel.hpp"

// At block scope, and at thread scope, which means the block.
#define block_barrier barrier<SCOPE>

// mbarrier.init takes no count of 0: a barrier that expects no arrival is made for one arrival, which drops out.
KERNEL(shared_init)(int count) { init(&in_shared<block_barrier>(), count); }
// CHECK-LABEL: .entry shared_init(
// SM70-NOT:    mbarrier
// FROM80-NOT:  st.shared
// FROM80:      max.u32 [[COUNT:%r[0-9]+]], {{.*}}, 1;
// FROM80:      mbarrier.init.shared::cta.b64 {{.*}}, [[COUNT]];
// SM80:        mbarrier.arrive_drop.shared::cta.b64
// FROM90:      mbarrier.arrive_drop.release.cta.shared::cta.b64
// FROM80-NOT:  st.shared

KERNEL(shared_init_three)() { init(&in_shared<block_barrier>(), 3); }
// CHECK-LABEL: .entry shared_init_three(
// SM70-NOT:    mbarrier
// FROM80:      mov.b32 [[THREE:%r[0-9]+]], 3;
// FROM80:      mbarrier.init.shared::cta.b64 {{.*}}, [[THREE]];
// FROM80-NOT:  mbarrier

KERNEL(shared_init_zero)() { init(&in_shared<block_barrier>(), 0); }
// CHECK-LABEL: .entry shared_init_zero(
// SM70-NOT:    mbarrier
// FROM80:      mov.b32 [[ONE:%r[0-9]+]], 1;
// FROM80:      mbarrier.init.shared::cta.b64 {{.*}}, [[ONE]];
// SM80:        mbarrier.arrive_drop.shared::cta.b64
// FROM90:      mbarrier.arrive_drop.release.cta.shared::cta.b64 {{.*}}, [[ONE]];
// FROM80-NOT:  mbarrier

KERNEL(shared_destroy)() { destroy(&in_shared<block_barrier>()); }
// CHECK-LABEL: .entry shared_destroy(
// SM70-NOT:    mbarrier
// FROM80-NOT:  bra
// FROM80:      mbarrier.inval.shared::cta.b64
// FROM80-NOT:  {{mbarrier|bra}}

// One in global memory is no mbarrier.
KERNEL(global_destroy)(block_barrier* b) { destroy(b); }
// CHECK-LABEL: .entry global_destroy(
// CHECK-NOT:   mbarrier

KERNEL(shared_arrive)(block_barrier::arrival_token* token) { *token = in_shared<block_barrier>().arrive(); }
// CHECK-LABEL: .entry shared_arrive(
// SM70:        atom.release.cta.shared.add.u64
// SM70:        {{atom|red}}.relaxed.cta.shared.add.u64
// FROM80-NOT:  bra
// SM80:        mbarrier.arrive.shared::cta.b64
// FROM90:      mbarrier.arrive.release.cta.shared::cta.b64
// FROM80-NOT:  bra

KERNEL(shared_arrive_and_wait)() { in_shared<block_barrier>().arrive_and_wait(); }
// CHECK-LABEL: .entry shared_arrive_and_wait(
// SM70:        atom.release.cta.shared.add.u64
// SM70:        {{atom|red}}.relaxed.cta.shared.add.u64
// SM70:        ld.relaxed.cta.shared.b64
// SM70:        nanosleep.u32
// SM70:        fence.acq_rel.cta;
// SM80:        mbarrier.arrive.shared::cta.b64
// SM80:        mbarrier.test_wait.shared::cta.b64
// FROM90:      mbarrier.arrive.release.cta.shared::cta.b64
// FROM90:      mbarrier.try_wait.acquire.cta.shared::cta.b64

KERNEL(shared_arrive_and_drop)() { in_shared<block_barrier>().arrive_and_drop(); }
// CHECK-LABEL: .entry shared_arrive_and_drop(
// SM70:        atom.release.cta.shared.add.u64
// SM70:        {{atom|red}}.relaxed.cta.shared.add.u64
// FROM80-NOT:  bra
// SM80:        mbarrier.arrive_drop.shared::cta.b64
// FROM90:      mbarrier.arrive_drop.release.cta.shared::cta.b64
// FROM80-NOT:  bra

KERNEL(shared_try_wait_parity)(bool* result) { *result = in_shared<block_barrier>().try_wait_parity(true); }
// CHECK-LABEL: .entry shared_try_wait_parity(
// SM70:        ld.relaxed.cta.shared.b64
// SM70:        fence.acq_rel.cta;
// FROM80-NOT:  bra
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// FROM80-NOT:  bra

struct KERNEL_NAME(counting, CASE) {
  int* runs;
  __device__ void operator()() noexcept { ++*runs; }
};
KERNEL(shared_completion)() { in_shared<barrier<SCOPE, KERNEL_NAME(counting, CASE)>>().arrive_and_drop(); }
// A completion is the program's code, which no mbarrier runs.
// CHECK-LABEL: .entry shared_completion(
// SM70:        atom.release.cta.shared.add.u64
// SM80:        atom.release.cta.shared.add.u64
// FROM90:      atom.release.cta.add.u64
// SM70:        fence.acq_rel.cta;
// SM80:        fence.acq_rel.cta;
// FROM90:      fence.acquire.cta;
// CHECK:       st.release.cta.shared.b64

#undef block_barrier
