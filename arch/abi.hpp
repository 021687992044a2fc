// SPDX-License-Identifier: Apache-2.0
//
// abi: the boundary between the module (modules/) and the per-SM code (arch/).
//
// One line per device entry point; those of the atomic operations come from the rows of operations.def. An entry takes its memory order and thread scope as integers with the values of
// cudax::memory_order (0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst) and cudax::thread_scope
// (0 system, 1 device, 2 block, 4 cluster): after device LTO they are constants, the switches behind them fold, and a
// call is its PTX instruction. The interface units include this file and nothing else of arch/, so one device BMI
// serves every SM.
//
// Objects are named by untyped pointers: an entry reads and writes bytes and never tells the optimiser a type.
// An object may lie in any state space; in local memory (automatic storage) it is accessed plainly, since no other
// thread can reach it. Pointers are aligned to the size of the object.
#pragma once

#if defined(__CUDA__)

// Hidden: device LTO then drops the entries that a program does not call. Visible ones would stay in every program, some
// 70 KB and a second of linking for each SM.
#define CUDAX_ENTRY extern "C" __attribute__((device, visibility("hidden")))

namespace cudax::abi {
using u8 = unsigned char;
using u16 = unsigned short;
using s8 = signed char;
using s16 = short;
using u32 = unsigned;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;
using b128 = unsigned __int128;
using f32 = float;
using f64 = double;
} // namespace cudax::abi

// clang-format off
// Loads. Orders: relaxed, consume, acquire, seq_cst.
#define CUDAX_LOAD(operation, type, word, ...) \
  CUDAX_ENTRY cudax::abi::word cudax_##operation##_##type(void const* object, int order, int scope);
// Stores. Orders: relaxed, release, seq_cst.
#define CUDAX_STORE(operation, type, word, ...) \
  CUDAX_ENTRY void cudax_##operation##_##type(void* object, cudax::abi::word value, int order, int scope);
// Exchange: returns the value before. Every order. b128 requires sm_90 (wide.cu).
#define CUDAX_EXCHANGE(operation, type, word, ...) \
  CUDAX_ENTRY cudax::abi::word cudax_##operation##_##type(void* object, cudax::abi::word value, int order, int scope);
// Compare-and-swap, strong: stores `desired` where the object holds `expected`; returns the value before. `order` is the
// union of the success and the failure order and holds on both paths. b128 requires sm_90 (wide.cu).
#define CUDAX_COMPARE(operation, type, word, ...) \
  CUDAX_ENTRY cudax::abi::word cudax_##operation##_##type(void* object, cudax::abi::word expected, cudax::abi::word desired, int order, int scope);
// Fetch-and-modify: returns the value before. Every order.
#define CUDAX_FETCH(operation, type, word, ...) \
  CUDAX_ENTRY cudax::abi::word cudax_##operation##_##type(void* object, cudax::abi::word operand, int order, int scope);
// Reductions: fetch-and-modify without a result. Orders: relaxed, release, seq_cst.
#define CUDAX_REDUCE(operation, type, word, ...) \
  CUDAX_ENTRY void cudax_##operation##_##type(void* object, cudax::abi::word operand, int order, int scope);
#include "operations.def"

// Fence. Every order; relaxed does nothing.
CUDAX_ENTRY void cudax_fence(int order, int scope);

// Time and waiting. Nanoseconds; cudax_cycles counts cycles of the SM.
CUDAX_ENTRY void cudax_sleep(cudax::abi::u32 nanoseconds);
CUDAX_ENTRY cudax::abi::u64 cudax_nanoseconds();
CUDAX_ENTRY cudax::abi::u64 cudax_cycles();

// Barrier objects of 8 bytes in the block's shared memory (PTX ISA, "mbarrier"), for threads of the block: arrivals release,
// successful waits acquire, both at block scope. There from sm_80; a caller asks cudax_has_shared_barrier() first, and where it is
// false a call stops the kernel. A phase ends when all its arrivals and bytes have come; tokens name a phase, and so does its
// parity, 0 for the first. Arrivals: 1 to 2^20 - 1, no more than are pending. Transactions and remote arrivals are there
// where cudax_has_bulk_copy() is. cudax_shared_barrier_init is to be made visible to the block, by cudax_block_sync say.
CUDAX_ENTRY bool cudax_is_shared(void const* object); // in the block's own shared memory; other blocks' is not
CUDAX_ENTRY bool cudax_is_global(void const* object);
CUDAX_ENTRY bool cudax_has_shared_barrier();
CUDAX_ENTRY void cudax_shared_barrier_init(void* barrier, cudax::abi::u32 count);
CUDAX_ENTRY void cudax_shared_barrier_invalidate(void* barrier);
CUDAX_ENTRY cudax::abi::u64 cudax_shared_barrier_arrive(void* barrier, cudax::abi::u32 count);
CUDAX_ENTRY cudax::abi::u64 cudax_shared_barrier_arrive_drop(void* barrier, cudax::abi::u32 count);
CUDAX_ENTRY cudax::abi::u64 cudax_shared_barrier_arrive_expect_bytes(void* barrier, cudax::abi::u32 count, cudax::abi::u32 bytes);
CUDAX_ENTRY void cudax_shared_barrier_expect_bytes(void* barrier, cudax::abi::u32 bytes); // relaxed
// The barrier of any block of the cluster; releases at cluster scope. Who waits for it uses cudax_shared_barrier_try_wait_cluster.
CUDAX_ENTRY void cudax_shared_barrier_arrive_remote(void* barrier, cudax::abi::u32 count);
// Whether the phase is over. A try_wait may suspend the thread for as long as the machine finds right, and fail; on sm_80 it
// looks once. With a limit of the caller's the machine code would sleep and look a second time behind each look that failed.
CUDAX_ENTRY bool cudax_shared_barrier_test_wait(void* barrier, cudax::abi::u64 token);
CUDAX_ENTRY bool cudax_shared_barrier_test_wait_parity(void* barrier, cudax::abi::u32 parity);
CUDAX_ENTRY bool cudax_shared_barrier_try_wait(void* barrier, cudax::abi::u64 token);
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_parity(void* barrier, cudax::abi::u32 parity);
// The same, acquire at cluster scope, for barriers at which other blocks arrive: an arrival of cluster scope and a wait of block
// scope in another block do not synchronise.
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_cluster(void* barrier, cudax::abi::u64 token);
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_parity_cluster(void* barrier, cudax::abi::u32 parity);
CUDAX_ENTRY cudax::abi::u32 cudax_shared_barrier_pending(cudax::abi::u64 token); // what was pending before the arrival

// Barriers of all threads that a group has: what each did before happens before what each does behind, at the group's scope.
// Threads of a warp may arrive apart. Of a warp: the lanes of `mask`, the caller's among them. Before sm_90 a cluster is one
// block. A grid that was not launched cooperatively is stopped.
CUDAX_ENTRY void cudax_block_sync();
CUDAX_ENTRY void cudax_warp_sync(cudax::abi::u32 mask);
CUDAX_ENTRY void cudax_cluster_sync();
CUDAX_ENTRY void cudax_grid_sync();

// Who and how many. Levels: 0 thread, 1 warp, 2 block, 3 cluster, 4 grid. Ranks run fastest along x; the last warp of a block
// may be smaller than the others.
CUDAX_ENTRY cudax::abi::u32 cudax_active_mask();
CUDAX_ENTRY cudax::abi::u32 cudax_lane();
CUDAX_ENTRY cudax::abi::u64 cudax_group_size(int level);
CUDAX_ENTRY cudax::abi::u64 cudax_group_rank(int level);

// Replaces the word by that of the lane `delta` lanes above: it stays beyond lane 31, and becomes any where that lane is not in
// `mask`. All lanes of `mask` call it, with one mask, the caller's among them. It orders no memory. By its address, because a
// word may be indeterminate, of a lane that has no value or in padding, and a parameter may not.
CUDAX_ENTRY void cudax_shuffle_down(cudax::abi::u32* word, cudax::abi::u32 delta, cudax::abi::u32 mask);

// Where a block is: its index in the grid, and the extents, in blocks, of the grid and of a cluster; before sm_90 a cluster is
// one block. Dimensions: 0, 1, 2 for x, y, z. A block's index in its cluster is the remainder of its index and the extents of
// the cluster. The address, in the shared memory of the cluster's block of that rank, of what is at `shared` in the caller's.
CUDAX_ENTRY cudax::abi::u32 cudax_block_index(int dimension);
CUDAX_ENTRY cudax::abi::u32 cudax_grid_extent(int dimension);
CUDAX_ENTRY cudax::abi::u32 cudax_cluster_extent(int dimension);
CUDAX_ENTRY void* cudax_cluster_shared(void* shared, cudax::abi::u32 block);

// Asynchronous copies by a thread, from global to the block's shared memory; sm_80, ask cudax_has_async_copy(). 4, 8 or 16 bytes,
// to which both addresses are aligned. A thread's copies since its last commit are a group; wait_group waits until at most
// `pending` (more than 8 count as 8) groups of the thread are not complete, wait_all for every copy. An arrival at `barrier`
// follows when the thread's earlier copies are complete; it is one that cudax_shared_barrier_init counted.
CUDAX_ENTRY bool cudax_has_async_copy();
CUDAX_ENTRY void cudax_async_copy(void* shared, void const* global, cudax::abi::u32 bytes);
CUDAX_ENTRY void cudax_async_copy_commit();
CUDAX_ENTRY void cudax_async_copy_wait_group(cudax::abi::u32 pending);
CUDAX_ENTRY void cudax_async_copy_wait_all();
CUDAX_ENTRY void cudax_async_copy_arrive(void* barrier);
CUDAX_ENTRY void cudax_async_copy_arrive_additional(void* barrier); // one more arrival than the phase awaits: it awaits both

// Bulk copies, by the asynchronous proxy; sm_90, ask cudax_has_bulk_copy(). Sizes and addresses are multiples of 16 bytes. To
// shared memory, a copy completes `bytes` of the transactions that `barrier` expects. From there, copies are in groups as
// above, and wait_group_read waits only until their sources have been read. cudax_fence_bulk_copy stands between plain
// accesses and the copies' accesses to the same memory, global or this block's shared memory.
CUDAX_ENTRY bool cudax_has_bulk_copy();
CUDAX_ENTRY void cudax_bulk_copy_to_shared(void* shared, void const* global, cudax::abi::u32 bytes, void* barrier);
CUDAX_ENTRY void cudax_bulk_copy_to_global(void* global, void const* shared, cudax::abi::u32 bytes);
CUDAX_ENTRY void cudax_bulk_commit();
CUDAX_ENTRY void cudax_bulk_wait_group(cudax::abi::u32 pending);
CUDAX_ENTRY void cudax_bulk_wait_group_read(cudax::abi::u32 pending);
CUDAX_ENTRY void cudax_fence_bulk_copy();

// Cancelling the launch of a block of the grid that has not begun; sm_100, ask cudax_has_launch_cancellation(). The answer
// goes to 16 bytes of shared memory, aligned to 16, by the asynchronous proxy, and completes 16 bytes at `barrier`. `low` and
// `high` are its halves. The index is there only where the answer says that a block was cancelled. Dimensions: 0, 1, 2 for x,
// y, z. After an answer that nothing was cancelled, a further request is undefined.
CUDAX_ENTRY bool cudax_has_launch_cancellation();
CUDAX_ENTRY void cudax_cancel_launch(void* answer, void* barrier);
CUDAX_ENTRY bool cudax_launch_is_canceled(cudax::abi::u64 low, cudax::abi::u64 high);
CUDAX_ENTRY cudax::abi::u32 cudax_canceled_block(cudax::abi::u64 low, cudax::abi::u64 high, int dimension);

// Tuning: figures measured on a GPU, constants of a generation (sm_70/tuning.hpp says what each is). Bytes, polls, nanoseconds.
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_bulk_copy_bytes();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_bulk_copy_bytes_of_thread();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_bulk_copy_bytes_always();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_direct_polls();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_first_sleep();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_longest_sleep();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_operations_per_nanosecond();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_shortest_pause();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_longest_pause();

// Prints `sentence`, which holds one %lld for `value`, and ends the kernel with an error.
CUDAX_ENTRY void cudax_stop(char const* sentence, long long value);
// clang-format on

#endif
