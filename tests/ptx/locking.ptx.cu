// SPDX-License-Identifier: Apache-2.0
//
// locking: semaphores, mutexes, condition variables, once_flag, stop_source and stop_token in global memory. Releasing
// is one instruction that releases; acquiring is one that acquires, and waiters poll relaxed. Of the lanes that have
// waited for a lock together, one attempts. Where the loop of a wait stands behind the code, its load and its sleep
// come last; the polls in a row have the place of the wait.
import cudax.sync;
#include "kernel.hpp"

KERNEL(counting_release)(counting_semaphore<SCOPE>* s) { s->release(); }
// CHECK-LABEL: .entry counting_release(
// ATOMIC: red.release[[S]].global.add.u32

KERNEL(counting_release_of_none)(counting_semaphore<SCOPE>* s) { s->release(0); }
// CHECK-LABEL: .entry counting_release_of_none(

KERNEL(counting_try_acquire)(counting_semaphore<SCOPE>* s, bool* result) { *result = s->try_acquire(); }
// CHECK-LABEL: .entry counting_try_acquire(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.add.u32
// ATOMIC: red.relaxed[[S]].global.add.u32

KERNEL(counting_acquire)(counting_semaphore<SCOPE>* s) { s->acquire(); }
// CHECK-LABEL: .entry counting_acquire(
// ATOMIC: atom.acquire[[S]].global.add.u32
// ATOMIC: red.relaxed[[S]].global.add.u32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32

KERNEL(binary_release)(binary_semaphore<SCOPE>* s) { s->release(); }
// CHECK-LABEL: .entry binary_release(
// ATOMIC: st.release[[S]].global.b32

KERNEL(binary_acquire)(binary_semaphore<SCOPE>* s) { s->acquire(); }
// CHECK-LABEL: .entry binary_acquire(
// ATOMIC: atom.acquire[[S]].global.exch.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  activemask.b32
// ATOMIC: atom.acquire[[S]].global.exch.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32

KERNEL(fair_release)(fair_semaphore<SCOPE>* s) { s->release(2); }
// CHECK-LABEL: .entry fair_release(
// ATOMIC: red.release[[S]].global.add.u32

KERNEL(fair_acquire)(fair_semaphore<SCOPE>* s) { s->acquire(); }
// CHECK-LABEL: .entry fair_acquire(
// ATOMIC: atom.relaxed[[S]].global.add.u32
// WIDE:   ld.acquire[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];

KERNEL(fair_try_acquire)(fair_semaphore<SCOPE>* s, bool* result) { *result = s->try_acquire(); }
// CHECK-LABEL: .entry fair_try_acquire(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.relaxed[[S]].global.cas.b32
// FENCE:  [[FENCE]];

KERNEL(mutex_unlock)(mutex<SCOPE>* m) { m->unlock(); }
// CHECK-LABEL: .entry mutex_unlock(
// ATOMIC: st.release[[S]].global.b32

KERNEL(mutex_lock)(mutex<SCOPE>* m) { m->lock(); }
// CHECK-LABEL: .entry mutex_lock(
// ATOMIC: atom.acquire[[S]].global.exch.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// CHECK:  activemask.b32
// ATOMIC: atom.acquire[[S]].global.exch.b32

KERNEL(mutex_try_lock)(mutex<SCOPE>* m, bool* result) { *result = m->try_lock(); }
// CHECK-LABEL: .entry mutex_try_lock(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.exch.b32

KERNEL(ticket_lock)(ticket_mutex<SCOPE>* m) { m->lock(); }
// CHECK-LABEL: .entry ticket_lock(
// ATOMIC: atom.relaxed[[S]].global.add.u32
// WIDE:   ld.acquire[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];

KERNEL(ticket_unlock)(ticket_mutex<SCOPE>* m) { m->unlock(); }
// CHECK-LABEL: .entry ticket_unlock(
// ATOMIC: red.release[[S]].global.add.u32

KERNEL(ticket_try_lock)(ticket_mutex<SCOPE>* m, bool* result) { *result = m->try_lock(); }
// CHECK-LABEL: .entry ticket_try_lock(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.relaxed[[S]].global.cas.b32
// FENCE:  [[FENCE]];

// The first polls in a row wait for the readers, the second ones for another writer. The loops follow, that one first.
KERNEL(shared_lock_)(shared_mutex<SCOPE>* m) { m->lock(); }
// CHECK-LABEL: .entry shared_lock_(
// ATOMIC: atom.acquire[[S]].global.or.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  activemask.b32
// ATOMIC: atom.acquire[[S]].global.or.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32

KERNEL(shared_try_lock)(shared_mutex<SCOPE>* m, bool* result) { *result = m->try_lock(); }
// CHECK-LABEL: .entry shared_try_lock(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.cas.b32

KERNEL(shared_unlock)(shared_mutex<SCOPE>* m) { m->unlock(); }
// CHECK-LABEL: .entry shared_unlock(
// ATOMIC: red.release[[S]].global.and.b32

KERNEL(shared_lock_shared)(shared_mutex<SCOPE>* m) { m->lock_shared(); }
// CHECK-LABEL: .entry shared_lock_shared(
// ATOMIC: atom.acquire[[S]].global.add.u32
// ATOMIC: red.relaxed[[S]].global.add.u32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32

KERNEL(shared_try_lock_shared)(shared_mutex<SCOPE>* m, bool* result) { *result = m->try_lock_shared(); }
// CHECK-LABEL: .entry shared_try_lock_shared(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.add.u32
// ATOMIC: red.relaxed[[S]].global.add.u32

KERNEL(shared_unlock_shared)(shared_mutex<SCOPE>* m) { m->unlock_shared(); }
// CHECK-LABEL: .entry shared_unlock_shared(
// ATOMIC: red.release[[S]].global.add.u32

// A writer that gives up while readers are inside withdraws its claim.
KERNEL(shared_try_lock_for)(shared_mutex<SCOPE>* m, bool* result) { *result = m->try_lock_for(nanoseconds(5)); }
// CHECK-LABEL: .entry shared_try_lock_for(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.cas.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.or.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// ATOMIC: ld.relaxed[[S]].global.b32
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// ATOMIC: red.relaxed[[S]].global.and.b32

KERNEL(condition_notify)(condition_variable_any<SCOPE>* c) { c->notify_one(); }
// CHECK-LABEL: .entry condition_notify(
// ATOMIC: red.relaxed[[S]].global.add.u64

/// A lock of which the compiler knows that it does nothing.
struct KERNEL_NAME(no_lock, CASE) {
  __device__ void lock() {}
  __device__ void unlock() {}
};
KERNEL(condition_wait)(condition_variable_any<SCOPE>* c) {
  KERNEL_NAME(no_lock, CASE) none;
  c->wait(none);
}
// What it reads before it unlocks is one of the polls in a row here, because nothing is in between.
// CHECK-LABEL: .entry condition_wait(
// ATOMIC: ld.relaxed[[S]].global.b64
// CHECK:  nanosleep.u32

/// A mutex of SCOPE of which the compiler knows the address, as the outer mutex of a cohort in shared memory.
__device__ mutex<SCOPE> KERNEL_NAME(of_all, CASE);
struct KERNEL_NAME(outer, CASE) {
  __device__ void lock() noexcept { KERNEL_NAME(of_all, CASE).lock(); }
  __device__ bool try_lock() noexcept { return KERNEL_NAME(of_all, CASE).try_lock(); }
  __device__ void unlock() noexcept { KERNEL_NAME(of_all, CASE).unlock(); }
};
using KERNEL_NAME(cohort, CASE) = cohort_mutex<KERNEL_NAME(outer, CASE)>;

KERNEL(cohort_lock)() { in_shared<KERNEL_NAME(cohort, CASE)>().lock(); }
// CHECK-LABEL: .entry cohort_lock(
// CHECK:    atom.relaxed.cta.shared.add.u32
// CHECK:    ld.relaxed.cta.shared.b32
// CHECK:    nanosleep.u32
// ATOMIC70: fence.acq_rel.cta;
// ATOMIC90: fence.acquire.cta;
// ATOMIC:   atom.acquire[[S]].global.exch.b32
// ATOMIC:   ld.relaxed[[S]].global.b32
// CHECK:    nanosleep.u32
// CHECK:    activemask.b32
// ATOMIC:   atom.acquire[[S]].global.exch.b32

// Either the mutex is released, at its scope, and then the turn ends; or the lock is passed on. Both end by a release
// at block scope, which is one instruction or two.
KERNEL(cohort_unlock)() { in_shared<KERNEL_NAME(cohort, CASE)>().unlock(); }
// CHECK-LABEL: .entry cohort_unlock(
// CHECK:    ld.relaxed.cta.shared.b32
// CHECK:    ld.relaxed.cta.shared.b32
// ATOMIC:   st.release[[S]].global.b32
// CHECK:    st.release.cta.shared.b32
// CHECK:    st.release.cta.shared.b32

KERNEL(cohort_try_lock)(bool* result) { *result = in_shared<KERNEL_NAME(cohort, CASE)>().try_lock(); }
// CHECK-LABEL: .entry cohort_try_lock(
// CHECK:    ld.relaxed.cta.shared.b32
// CHECK:    ld.relaxed.cta.shared.b32
// CHECK:    atom.relaxed.cta.shared.cas.b32
// ATOMIC70: fence.acq_rel.cta;
// ATOMIC90: fence.acquire.cta;
// ATOMIC:   ld.relaxed[[S]].global.b32
// ATOMIC:   atom.acquire[[S]].global.exch.b32
// CHECK:    ld.relaxed.cta.shared.b32
// CHECK:    st.release.cta.shared.b32

// A cohort of SCOPE, in global memory: its queue has the orders of a ticket_mutex.
using KERNEL_NAME(wide_cohort, CASE) = cohort_mutex<KERNEL_NAME(outer, CASE), SCOPE>;

KERNEL(wide_cohort_lock)(KERNEL_NAME(wide_cohort, CASE) * m) { m->lock(); }
// CHECK-LABEL: .entry wide_cohort_lock(
// ATOMIC: atom.relaxed[[S]].global.add.u32
// WIDE:   ld.acquire[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// FENCE:  [[FENCE]];
// ATOMIC: atom.acquire[[S]].global.exch.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// CHECK:  activemask.b32
// ATOMIC: atom.acquire[[S]].global.exch.b32

KERNEL(wide_cohort_unlock)(KERNEL_NAME(wide_cohort, CASE) * m) { m->unlock(); }
// CHECK-LABEL: .entry wide_cohort_unlock(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: st.release[[S]].global.b32
// ATOMIC: st.release[[S]].global.b32
// ATOMIC: st.release[[S]].global.b32

KERNEL(wide_cohort_try_lock)(KERNEL_NAME(wide_cohort, CASE) * m, bool* result) { *result = m->try_lock(); }
// CHECK-LABEL: .entry wide_cohort_try_lock(
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.relaxed[[S]].global.cas.b32
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.exch.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// ATOMIC: st.release[[S]].global.b32

KERNEL(stop_requested)(stop_token<SCOPE> t, bool* result) { *result = t.stop_requested(); }
// CHECK-LABEL: .entry stop_requested(
// ATOMIC: ld.relaxed[[S]].global.b32
// FENCE:  [[FENCE]];

KERNEL(request_stop)(stop_source<SCOPE> s, bool* result) { *result = s.request_stop(); }
// Between host and device each claims, and a fence stands before it looks for the other's claim. Only the first request
// stores the word, with release; the others wait for it.
// CHECK-LABEL: .entry request_stop(
// ATOMIC: ld.relaxed[[S]].global.b32
// FENCE:  [[FENCE]];
// ATOMIC: atom.relaxed[[S]].cas.b32
// SYSTEM: fence.sc.sys;
// SYSTEM: ld.relaxed.sys.global.b32
// SYSTEM: st.relaxed.sys.global.b32
// ATOMIC: st.release[[S]].global.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].global.b32
// FENCE:  [[FENCE]];
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32

KERNEL(call_once_)(basic_once_flag<SCOPE>* o, int* data) {
  call_once(*o, [&] { *data = 1; });
}
// CHECK-LABEL: .entry call_once_(
// ATOMIC: ld.acquire[[S]].global.b32
// ATOMIC: atom.acquire[[S]].global.cas.b32
// ATOMIC: ld.relaxed[[S]].global.b32
// CHECK:  nanosleep.u32
// ATOMIC: st.release[[S]].global.b32
