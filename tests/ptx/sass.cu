// SPDX-License-Identifier: Apache-2.0
//
// sass: what ptxas makes, for sm_90, of PTX that was chosen for the instruction that it becomes. The lines of a kernel
// have its name as prefix.
import cudax.sync;
#define CASE sm_90
#include "kernel.hpp"

// A reduction on global memory is REDG, which gives more throughput than ATOMG.
KERNEL(store_add)(u32* object, u32 value) {
  atomic_ref<u32, thread_scope_device>(*object).store_add(value, memory_order_relaxed);
}
// store_add-NOT: ATOM
// store_add:     REDG.E.ADD.STRONG.GPU
// store_add-NOT: ATOM

KERNEL(store_or_byte)(u8* object, u8 value) {
  atomic_ref<u8, thread_scope_device>(*object).store_or(value, memory_order_relaxed);
}
// store_or_byte:     REDG.E.OR.STRONG.GPU
// store_or_byte-NOT: BRA {{.*}}+0x

KERNEL(fetch_add)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, thread_scope_device>(*object).fetch_add(value, memory_order_relaxed);
}
// fetch_add: ATOMG.E.ADD.STRONG.GPU

// An addition whose result is not used is a reduction, also where it releases.
KERNEL(fetch_add_unused)(u32* object, u32 value) {
  atomic_ref<u32, thread_scope_device>(*object).fetch_add(value, memory_order_relaxed);
}
// fetch_add_unused-NOT: ATOM
// fetch_add_unused:     REDG.E.ADD.STRONG.GPU
// fetch_add_unused-NOT: ATOM

KERNEL(fetch_add_release_unused)(u32* object, u32 value) {
  atomic_ref<u32, thread_scope_device>(*object).fetch_add(value, memory_order_release);
}
// fetch_add_release_unused-NOT: {{ATOM|LDS|MEMBAR.ALL.CTA}}
// fetch_add_release_unused:     MEMBAR.ALL.GPU
// fetch_add_release_unused-NOT: {{ATOM|LDS|MEMBAR.ALL.CTA}}
// fetch_add_release_unused:     REDG.E.ADD.STRONG.GPU
// fetch_add_release_unused-NOT: {{ATOM|LDS|MEMBAR.ALL.CTA}}

// Except where it acquires, which a reduction cannot.
KERNEL(fetch_add_acquire_unused)(u32* object, u32 value, u32* result) {
  atomic_ref<u32, thread_scope_device>(*object).fetch_add(value, memory_order_acquire);
  *result = object[1];
}
// fetch_add_acquire_unused: ATOMG.E.ADD.STRONG.GPU
// fetch_add_acquire_unused: CCTL.IVALL

// Through a pointer in a structure, too (arch/sm_70/atom_add.ll).
struct counters {
  u32* first;
};
KERNEL(fetch_add_in_structure)(counters all, u32 value) {
  atomic_ref<u32, thread_scope_device>(all.first[threadIdx.x]).fetch_add(value, memory_order_relaxed);
}
// fetch_add_in_structure-NOT: ATOM
// fetch_add_in_structure:     REDG.E.ADD.STRONG.GPU
// fetch_add_in_structure-NOT: ATOM

KERNEL(fetch_add_shared)(u32 value, u32* result) {
  *result = atomic_ref<u32, thread_scope_block>(in_shared<u32>()).fetch_add(value, memory_order_relaxed);
}
// fetch_add_shared: ATOMS.ADD

// A release is one MEMBAR. For a program that contains code which ptxas does not see it also has MEMBAR.ALL.CTA and
// loads from shared memory, which are not executed (arch/README.md, "What ptxas 13.0 does").
KERNEL(fetch_add_acq_rel)(u32* object, u32 value, u32* result) {
  *result = atomic_ref<u32, thread_scope_device>(*object).fetch_add(value, memory_order_acq_rel);
}
// fetch_add_acq_rel-NOT: {{LDS|MEMBAR.ALL.CTA}}
// fetch_add_acq_rel: MEMBAR.ALL.GPU
// fetch_add_acq_rel: ATOMG.E.ADD.STRONG.GPU
// fetch_add_acq_rel: CCTL.IVALL

// ptxas makes atom.cas.b16 and atom.add.noftz.f16 of compare-and-swap of the word around the object (arch/README.md,
// "Sub-word objects").
KERNEL(compare_exchange_half_word)(u16* object, u16* expected, u16 desired) {
  atomic_ref<u16, thread_scope_device>(*object).compare_exchange_strong(*expected, desired, memory_order_relaxed);
}
// compare_exchange_half_word: ATOMG.E.CAS.STRONG.GPU

KERNEL(fetch_add_half)(_Float16* object, _Float16 value, _Float16* result) {
  *result = atomic_ref<_Float16, thread_scope_device>(*object).fetch_add(value, memory_order_relaxed);
}
// fetch_add_half: ATOMG.E.CAS.STRONG.GPU

KERNEL(compare_exchange_wide)(b128* object, b128* expected, b128 desired) {
  atomic_ref<b128, thread_scope_device>(*object).compare_exchange_strong(*expected, desired, memory_order_relaxed);
}
// compare_exchange_wide: ATOMG.E.CAS.128.STRONG.GPU

KERNEL(load_acquire)(u32* object, u32* result) {
  *result = atomic_ref<u32, thread_scope_device>(*object).load(memory_order_acquire);
}
// load_acquire:     LDG.E.STRONG.GPU
// load_acquire:     CCTL.IVALL
// load_acquire-NOT: MEMBAR

KERNEL(store_release)(u32* object, u32 value) {
  atomic_ref<u32, thread_scope_device>(*object).store(value, memory_order_release);
}
// store_release-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_release:     MEMBAR.ALL.GPU
// store_release-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_release:     STG.E.STRONG.GPU
// store_release-NOT: CCTL

// The same in a kernel that writes to shared memory.
KERNEL(store_release_shared)(u32* object, u32 value) {
  in_shared<u32>() = value;
  atomic_ref<u32, thread_scope_device>(*object).store(value, memory_order_release);
}
// store_release_shared-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_release_shared:     MEMBAR.ALL.GPU
// store_release_shared-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_release_shared:     STG.E.STRONG.GPU

KERNEL(store_release_system)(u32* object, u32 value) {
  atomic_ref<u32, thread_scope_system>(*object).store(value, memory_order_release);
}
// store_release_system-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_release_system:     MEMBAR.ALL.SYS
// store_release_system-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_release_system:     STG.E.STRONG.SYS

KERNEL(store_seq_cst)(u32* object, u32 value) {
  atomic_ref<u32, thread_scope_device>(*object).store(value, memory_order_seq_cst);
}
// store_seq_cst-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_seq_cst:     MEMBAR.SC.GPU
// store_seq_cst-NOT: {{LDS|MEMBAR.ALL.CTA}}
// store_seq_cst:     STG.E.STRONG.GPU

// One-sided fences stay one-sided.
KERNEL(fence_acquire)(u32* object) {
  *object = 1;
  atomic_thread_fence(memory_order_acquire, thread_scope_device);
  *object = 2;
}
// fence_acquire-NOT: MEMBAR
// fence_acquire:     CCTL.IVALL
// fence_acquire-NOT: MEMBAR

KERNEL(fence_release)(u32* object) {
  *object = 1;
  atomic_thread_fence(memory_order_release, thread_scope_device);
  *object = 2;
}
// fence_release-NOT: {{CCTL|LDS|MEMBAR.ALL.CTA}}
// fence_release:     MEMBAR.ALL.GPU
// fence_release-NOT: {{CCTL|LDS|MEMBAR.ALL.CTA}}

// The low byte of the bits of a number, not the number converted (arch/sm_70/st.hpp).
KERNEL(store_byte_of_float)(u8* object, f32* number) {
  f32 const twice = *number + *number;
  atomic_ref<u8, thread_scope_device>(*object).store(u8(__builtin_bit_cast(u32, twice)), memory_order_relaxed);
}
// store_byte_of_float-NOT: F2I
// store_byte_of_float:     STG.E.U8.STRONG.GPU

// A barrier of a block in shared memory is the machine's own: arrivals and looks are SYNCS, and nothing stands beside
// them, neither an access to the object nor a fence.
using block_barrier = barrier<thread_scope_block>;

KERNEL(barrier_arrive_and_wait)() { in_shared<block_barrier>().arrive_and_wait(); }
// barrier_arrive_and_wait-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_arrive_and_wait:     SYNCS.ARRIVE.TRANS64
// barrier_arrive_and_wait-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_arrive_and_wait:     SYNCS.PHASECHK.TRANS64.TRYWAIT
// barrier_arrive_and_wait-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}

KERNEL(barrier_arrive_and_drop)() { in_shared<block_barrier>().arrive_and_drop(); }
// barrier_arrive_and_drop-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_arrive_and_drop:     SYNCS.ARRIVE.TRANS64.OPTOUT
// barrier_arrive_and_drop-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}

KERNEL(barrier_wait_parity)() { in_shared<block_barrier>().wait_parity(true); }
// barrier_wait_parity-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_wait_parity:     SYNCS.PHASECHK.TRANS64.TRYWAIT
// barrier_wait_parity-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}

KERNEL(barrier_try_wait_for)(block_barrier::arrival_token* token, bool* result) {
  *result = in_shared<block_barrier>().try_wait_for(*token, nanoseconds(1000));
}
// barrier_try_wait_for-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_try_wait_for:     SYNCS.PHASECHK.TRANS64
// barrier_try_wait_for-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_try_wait_for:     SYNCS.PHASECHK.TRANS64
// barrier_try_wait_for-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}

KERNEL(barrier_group)() { in_shared<block_barrier>().arrive_and_wait(this_block); }
// barrier_group-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_group:     BAR.SYNC
// barrier_group-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_group:     SYNCS.ARRIVE.TRANS64
// barrier_group-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}
// barrier_group:     SYNCS.PHASECHK.TRANS64.TRYWAIT
// barrier_group-NOT: {{ATOM|LDS|STS|RED|MEMBAR|CCTL}}

// Why operations on integers query local memory where the space is not known, and others do not (arch/README.md, "The
// state space of all else"): ptxas combines the former if lanes use one address, and an automatic object has the same
// address in all lanes.
KERNEL(uniform_fetch_add)(u32** objects, u32* results) {
  results[threadIdx.x] = atomic_ref<u32, thread_scope_device>(**objects).fetch_add(1, memory_order_relaxed);
}
// uniform_fetch_add: {{U?POPC}}

KERNEL(uniform_store_max)(u32** objects) {
  atomic_ref<u32, thread_scope_device>(**objects).store_max(threadIdx.x, memory_order_relaxed);
}
// uniform_store_max: REDUX.MAX

KERNEL(uniform_exchange)(u32** objects, u32* results) {
  results[threadIdx.x] = atomic_ref<u32, thread_scope_device>(**objects).exchange(1, memory_order_relaxed);
}
// uniform_exchange-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}
// uniform_exchange:     ATOM.E.EXCH.STRONG.GPU
// uniform_exchange-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}

KERNEL(uniform_compare_exchange)(u32** objects, bool* results) {
  u32 expected = 0;
  results[threadIdx.x] =
      atomic_ref<u32, thread_scope_device>(**objects).compare_exchange_strong(expected, 1, memory_order_relaxed);
}
// uniform_compare_exchange-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}
// uniform_compare_exchange:     ATOM.E.CAS.STRONG.GPU
// uniform_compare_exchange-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}

KERNEL(uniform_store_add_double)(f64** objects) {
  atomic_ref<f64, thread_scope_device>(**objects).store_add(1, memory_order_relaxed);
}
// uniform_store_add_double-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}
// uniform_store_add_double:     ADD.F64.RN.STRONG.GPU
// uniform_store_add_double-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}

KERNEL(uniform_fetch_add_float)(f32** objects, f32* results) {
  results[threadIdx.x] = atomic_ref<f32, thread_scope_device>(**objects).fetch_add(1, memory_order_relaxed);
}
// uniform_fetch_add_float-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}
// uniform_fetch_add_float:     ADD.F32{{.*}}.STRONG.GPU
// uniform_fetch_add_float-NOT: {{VOTE|POPC|REDUX|MATCH|ELECT|QSPC.E.L}}

// Lanes of one warp that wait for each other: the convergence before an aligned barrier stays below the store that ends
// a wait (arch/README.md, "Lanes that wait for each other").
using flag = atomic<u32, thread_scope_device>;

KERNEL(lanes_lock)(flag* lock, u32* count) {
  while (lock->exchange(1, memory_order_acquire)) {}
  ++*count;
  lock->store(0, memory_order_release);
  __syncthreads();
}
// lanes_lock-NOT: WARPSYNC
// lanes_lock:     ATOMG.E.EXCH.STRONG.GPU
// lanes_lock-NOT: WARPSYNC
// lanes_lock:     STG.E.STRONG.GPU
// lanes_lock-NOT: WARPSYNC
// lanes_lock:     PMTRIG
// lanes_lock:     WARPSYNC
// lanes_lock:     BAR.SYNC

KERNEL(lanes_mutex)(mutex<thread_scope_device>* lock, u32* count) {
  lock->lock();
  ++*count;
  lock->unlock();
  __syncthreads();
}
// lanes_mutex-NOT: WARPSYNC.ALL
// lanes_mutex:     PMTRIG
// lanes_mutex:     WARPSYNC.ALL
// lanes_mutex:     BAR.SYNC

KERNEL(lanes_chain)(flag* flags) {
  while (!flags[threadIdx.x].load(memory_order_relaxed)) {}
  flags[threadIdx.x + 1].store(1, memory_order_relaxed);
  __syncthreads();
}
// lanes_chain-NOT: WARPSYNC
// lanes_chain:     STG.E.STRONG.GPU
// lanes_chain-NOT: WARPSYNC
// lanes_chain:     PMTRIG
// lanes_chain:     WARPSYNC
// lanes_chain:     BAR.SYNC

KERNEL(lanes_chain_wide)(b128* flags) {
  auto const at = [flags](u32 i) { return atomic_ref<b128, thread_scope_device>(flags[i]); };
  while (at(threadIdx.x).load(memory_order_relaxed).low == 0) {}
  at(threadIdx.x + 1).store(b128{1, 1}, memory_order_relaxed);
  __syncthreads();
}
// lanes_chain_wide-NOT: WARPSYNC
// lanes_chain_wide:     STG.E.128.STRONG.GPU
// lanes_chain_wide-NOT: WARPSYNC
// lanes_chain_wide:     PMTRIG
// lanes_chain_wide:     WARPSYNC
// lanes_chain_wide:     BAR.SYNC

// The polls of a wait: eight in a row, with nothing but the comparison in between, and that of the loop.
KERNEL(polls)(u32* object, u32 old) { atomic_ref<u32, thread_scope_device>(*object).wait(old, memory_order_relaxed); }
// polls-COUNT-8: LDG.E.STRONG.GPU
// polls-NOT:     NANOSLEEP
// polls:         LDG.E.STRONG.GPU
// polls:         NANOSLEEP
