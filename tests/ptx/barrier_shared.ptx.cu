// SPDX-License-Identifier: Apache-2.0
//
// barrier_shared: a barrier of a block in shared memory is an mbarrier from sm_80, and nothing of the software's phases is
// left where the address space is known. Below, and with a completion, it is a word. Timed waits and groups:
// barrier_shared_wait.
import cudax.sync;
#include "kernel.hpp"

using block_barrier = barrier<thread_scope_block>;

KERNEL(shared_init)(int count) { init(&in_shared<block_barrier>(), count); }
// CHECK-LABEL: .entry shared_init(
// SM70-NOT:    mbarrier
// FROM80-NOT:  st.shared
// FROM80:      mbarrier.init.shared::cta.b64
// FROM80-NOT:  st.shared

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
// SM70:        ld.relaxed.cta.shared.u64
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
// SM70:        ld.relaxed.cta.shared.u64
// SM70:        fence.acq_rel.cta;
// FROM80-NOT:  bra
// SM80:        mbarrier.test_wait.parity.shared::cta.b64
// FROM90:      mbarrier.test_wait.parity.acquire.cta.shared::cta.b64
// FROM80-NOT:  bra

struct counting {
  int* runs;
  __device__ void operator()() noexcept { ++*runs; }
};
KERNEL(shared_completion)() { in_shared<barrier<thread_scope_block, counting>>().arrive_and_drop(); }
// A completion is the program's code, which no mbarrier runs.
// CHECK-LABEL: .entry shared_completion(
// CHECK:       atom.release.cta.shared.add.u64
// SM70:        fence.acq_rel.cta;
// SM80:        fence.acq_rel.cta;
// FROM90:      fence.acquire.cta;
// CHECK:       st.release.cta.shared.u64
