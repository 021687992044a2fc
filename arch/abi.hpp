// SPDX-License-Identifier: Apache-2.0
//
// abi: the boundary between the module (modules/) and the per-SM code (arch/).
//
// One line per device entry point; the lines of the atomic operations come from the rows of operations.def. An entry
// takes its memory order and thread scope as integers with the values of cudax::memory_order (0 relaxed, 1 consume, 2
// acquire, 3 release, 4 acq_rel, 5 seq_cst) and cudax::thread_scope (0 system, 1 device, 2 block, 4 cluster): after
// device LTO they are constants, the switches on them fold, and a call becomes its PTX instruction. Of arch/ the
// interface units include only this file and operations.def, so one device BMI is right for every SM.
//
// Pointers to objects are untyped: an entry reads and writes bytes and never tells the optimiser a type. An object may
// lie in any state space; in local memory (automatic storage) order and scope have no effect, since no other thread can
// reach it. Pointers are aligned to the size of the object.
//
// The options of a copy are an integer, too: bits, which fold as orders do. What only some options need is a structure.
//
// The entries are C functions and yet declared in a namespace. As global names, clang 22 would store them again in the
// BMI of each unit that merges the global names of more than four units, 20 KB each time.
#pragma once

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

/// The options of copies by the asynchronous proxy, which add to the text of the instruction, as bits; and those that
/// bulk copies and copies of tensors have.
enum : u32 {
  copy_hinted = 1, ///< a cache policy, from cudax_cache_policy
  copy_im2col = 2, ///< mode im2col, of tensors of 3 to 5 dimensions: channels, pixels in 1 to 3 dimensions, images

  bulk_copy_options = copy_hinted,
  tensor_copy_options = copy_hinted | copy_im2col,
};

// Of the global module, as the entries: a program of tests has them from the modules and from this header.
extern "C++" {
/// The operands that options add. Those of other options are not used.
struct copy_operands {
  u64 policy = 0;
  /// Each pixel is read at these offsets from its place, as many as there are dimensions of pixels: 0 to 2^16 - 1,
  /// 2^8 - 1 or 2^5 - 1 for the ranks 3, 4 and 5. Writes have no offsets.
  u16 offsets[3] = {};
};

/// A tile of a tensor: the map, which is in parameter, constant or global memory, and whose box is the tile, and the
/// coordinates of the tile's first element, as many as the rank of the map says, that of the innermost dimension first.
/// In mode im2col the first element is the first pixel's first channel.
struct tile {
  void const* map = nullptr;
  s32 at[5] = {};
};
}
} // namespace cudax::abi

#if defined(__CUDA__)

// Hidden, so that device LTO drops the entries that a program does not call. Visible ones would stay in every program:
// about 70 KB and one second of linking for each SM.
#define CUDAX_ENTRY extern "C" __attribute__((device, visibility("hidden")))

namespace cudax::entry {
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

// Two relaxed loads of 8 bytes, in no order, as one access of 16 bytes, to which the address is aligned. The first is in the
// low half.
CUDAX_ENTRY cudax::abi::b128 cudax_load_two_u64(void const* objects, int scope);

// Fence. Every order; relaxed does nothing.
CUDAX_ENTRY void cudax_fence(int order, int scope);
// Whether a fence that acquires is an instruction of its own; otherwise it is fence.acq_rel, which costs more.
CUDAX_ENTRY bool cudax_has_acquire_fence();

// Time and waiting. Nanoseconds; cudax_cycles counts cycles of the SM.
CUDAX_ENTRY void cudax_sleep(cudax::abi::u32 nanoseconds);
CUDAX_ENTRY cudax::abi::u64 cudax_nanoseconds();
CUDAX_ENTRY cudax::abi::u64 cudax_cycles();

// Barrier objects of 8 bytes in the block's shared memory (PTX ISA, "mbarrier"), for threads of the block: arrivals
// release, successful waits acquire, both at block scope. They require sm_80: the caller must check
// cudax_has_shared_barrier() first; where it is false a call stops the kernel. A phase ends when all its arrivals and
// bytes have arrived. A token names a phase; so does the phase's parity, which is 0 for the first. Arrivals: 1 to 2^20
// - 1, at most as many as are pending. Transactions and remote arrivals are available where cudax_has_bulk_copy() is
// true. The caller must make cudax_shared_barrier_init visible to the block, for example by cudax_block_sync.
CUDAX_ENTRY bool cudax_is_shared(void const* object); // in the block's own shared memory, not in another block's
CUDAX_ENTRY bool cudax_is_global(void const* object);
CUDAX_ENTRY bool cudax_is_local(void const* object); // in the thread's own memory: automatic storage
CUDAX_ENTRY bool cudax_has_shared_barrier();
CUDAX_ENTRY void cudax_shared_barrier_init(void* barrier, cudax::abi::u32 count);
CUDAX_ENTRY void cudax_shared_barrier_invalidate(void* barrier);
CUDAX_ENTRY cudax::abi::u64 cudax_shared_barrier_arrive(void* barrier, cudax::abi::u32 count);
CUDAX_ENTRY cudax::abi::u64 cudax_shared_barrier_arrive_drop(void* barrier, cudax::abi::u32 count);
CUDAX_ENTRY cudax::abi::u64 cudax_shared_barrier_arrive_expect_bytes(void* barrier, cudax::abi::u32 count, cudax::abi::u32 bytes);
CUDAX_ENTRY void cudax_shared_barrier_expect_bytes(void* barrier, cudax::abi::u32 bytes); // relaxed
CUDAX_ENTRY void cudax_shared_barrier_complete_bytes(void* barrier, cudax::abi::u32 bytes); // relaxed
// The same at the barrier of any block of the cluster. `order`, here and below: of cluster scope. An arrival releases or
// is relaxed, a wait acquires or is relaxed.
CUDAX_ENTRY void cudax_shared_barrier_expect_bytes_remote(void* barrier, cudax::abi::u32 bytes); // relaxed
CUDAX_ENTRY void cudax_shared_barrier_complete_bytes_remote(void* barrier, cudax::abi::u32 bytes); // relaxed
CUDAX_ENTRY void cudax_shared_barrier_arrive_expect_bytes_remote(void* barrier, cudax::abi::u32 count, cudax::abi::u32 bytes, int order);
// Releases, at cluster scope, the caller's earlier cudax_shared_barrier_init and nothing else.
CUDAX_ENTRY void cudax_shared_barrier_fence_init();
// Arrives at the barrier of any block of the cluster. The waiters must use cudax_shared_barrier_try_wait_cluster.
CUDAX_ENTRY void cudax_shared_barrier_arrive_remote(void* barrier, cudax::abi::u32 count, int order);
// One-sided fences of cluster scope, of shared memory alone: a release of what comes before in the own block's, an acquire
// of what comes after in that of every block of the cluster. With `for_async`, what comes after is what bulk copies do.
// Available where cudax_has_bulk_copy() is true.
CUDAX_ENTRY void cudax_fence_shared(int order, bool for_async);
// Whether the phase has completed. A try_wait may suspend the thread, for a time that the hardware chooses, and may then
// return false; on sm_80 it polls once. There is no parameter for that time: with one, the machine code would sleep and
// poll a second time after each poll that failed.
CUDAX_ENTRY bool cudax_shared_barrier_test_wait(void* barrier, cudax::abi::u64 token);
CUDAX_ENTRY bool cudax_shared_barrier_test_wait_parity(void* barrier, cudax::abi::u32 parity);
CUDAX_ENTRY bool cudax_shared_barrier_try_wait(void* barrier, cudax::abi::u64 token);
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_parity(void* barrier, cudax::abi::u32 parity);
// The same at cluster scope, for barriers at which other blocks arrive: an arrival of cluster scope and a wait of block
// scope in another block do not synchronise.
CUDAX_ENTRY bool cudax_shared_barrier_test_wait_cluster(void* barrier, cudax::abi::u64 token, int order);
CUDAX_ENTRY bool cudax_shared_barrier_test_wait_parity_cluster(void* barrier, cudax::abi::u32 parity, int order);
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_cluster(void* barrier, cudax::abi::u64 token, int order);
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_parity_cluster(void* barrier, cudax::abi::u32 parity, int order);
CUDAX_ENTRY cudax::abi::u32 cudax_shared_barrier_pending(cudax::abi::u64 token); // how many arrivals were pending

// Barriers of all threads of a group. Everything sequenced before the call, in every thread of the group, happens before
// everything sequenced after it, at the group's scope. Threads of a warp may arrive separately. The group of
// cudax_warp_sync is the lanes of `mask`, which must include the caller's. Before sm_90 a cluster is one block.
// cudax_block_sync_together is cudax_block_sync for a warp of which all 32 lanes make this very call.
// cudax_grid_sync stops a grid that was not launched cooperatively. The first thread of each block must not have exited:
// it arrives for its block.
CUDAX_ENTRY void cudax_block_sync();
CUDAX_ENTRY void cudax_block_sync_together();
CUDAX_ENTRY void cudax_warp_sync(cudax::abi::u32 mask);
CUDAX_ENTRY void cudax_cluster_sync();
CUDAX_ENTRY void cudax_grid_sync();
// The same in two calls: what precedes an arrival happens before what follows a wait, in every thread of the group.
// After cudax_cluster_arrive_relaxed it does not. Each thread calls the two alternately. Each may block until all
// threads of the block have called it. cudax_grid_wait gets what the thread's cudax_grid_arrive returned.
// cudax_grid_is_valid returns whether the grid was launched cooperatively.
CUDAX_ENTRY void cudax_cluster_arrive();
CUDAX_ENTRY void cudax_cluster_arrive_relaxed();
CUDAX_ENTRY void cudax_cluster_wait();
CUDAX_ENTRY cudax::abi::u32 cudax_grid_arrive();
CUDAX_ENTRY void cudax_grid_wait(cudax::abi::u32 token);
CUDAX_ENTRY bool cudax_grid_is_valid();
// Dependent launches. cudax_grid_wait_for_prerequisites returns when the grids on which this grid depends have completed;
// what they wrote is visible. cudax_grid_let_dependents_start permits the grid that depends on this one to start when
// every block has called it or has ended; it orders no memory. Before sm_90 no grid starts before its prerequisites have
// completed, and both do nothing.
CUDAX_ENTRY void cudax_grid_wait_for_prerequisites();
CUDAX_ENTRY void cudax_grid_let_dependents_start();

// How many registers each thread of the caller's warp owns: at least, or at most, `count`, a multiple of 8 from 24 to 256.
// Those that a warp gives up go to a pool of its block. An increase waits until the pool has enough. All warps of a warpgroup
// (four warps, the first of a rank that is a multiple of 4) call together. ptxas ignores it in a kernel without a bound for
// its registers, and in relocatable code. Requires an SM with a letter, sm_90a or later: for others it does not link.
CUDAX_ENTRY void cudax_increase_registers(cudax::abi::u32 count);
CUDAX_ENTRY void cudax_decrease_registers(cudax::abi::u32 count);

// The block's barriers 1 to 15; this library itself uses only barrier 0. `threads`, a multiple of 32, is how many threads
// complete a phase. arrive does not wait for other warps, sync waits until the phase is complete. All lanes of a warp
// make the call. What precedes an arrive or a sync happens before what follows a sync of the same phase, at block scope.
// With `aligned`, all 32 lanes of the warp make this very call. cudax_named_barrier_reduce is a sync that returns, to each
// thread, what the predicates of all threads give. how: 0 the number of those that are true, 1 whether all are, 2 whether
// any is.
CUDAX_ENTRY void cudax_named_barrier_arrive(cudax::abi::u32 id, cudax::abi::u32 threads, bool aligned);
CUDAX_ENTRY void cudax_named_barrier_sync(cudax::abi::u32 id, cudax::abi::u32 threads, bool aligned);
CUDAX_ENTRY cudax::abi::u32 cudax_named_barrier_reduce(cudax::abi::u32 id, cudax::abi::u32 threads, bool predicate, int how);

// True in one lane of `mask`, the same in each call. All lanes of `mask` make the call. Orders no memory.
CUDAX_ENTRY bool cudax_elect(cudax::abi::u32 mask);

// Ranks and sizes. Levels: 0 thread, 1 warp, 2 block, 3 cluster, 4 grid; 5 the blocks of a cluster: the rank of the caller's
// block, and the number of blocks. Ranks run fastest along x. The last warp of a block may be smaller than the others.
CUDAX_ENTRY cudax::abi::u32 cudax_active_mask();
CUDAX_ENTRY cudax::abi::u32 cudax_lane();
CUDAX_ENTRY cudax::abi::u64 cudax_group_size(int level);
CUDAX_ENTRY cudax::abi::u64 cudax_group_rank(int level);

// Replaces the word by that of the lane `delta` lanes above. Where that lane would be beyond 31 the word stays; where
// it is not in `mask` the word becomes any value. All lanes of `mask` must call it with the same mask, which includes
// the caller's lane. It orders no memory. The word is passed by its address because it may be indeterminate (padding,
// or a lane without a value), and a parameter may not.
CUDAX_ENTRY void cudax_shuffle_down(cudax::abi::u32* word, cudax::abi::u32 delta, cudax::abi::u32 mask);

// What the lanes of `mask` tell each other. All of them must call the function with the same mask, which includes the
// caller's lane. It orders no memory. cudax_shuffle_from replaces the word by that of the lane `lane`; where that lane is
// not in `mask` the word becomes any value. cudax_match returns the lanes whose key is the caller's, cudax_ballot those
// whose predicate is true.
CUDAX_ENTRY void cudax_shuffle_from(cudax::abi::u32* word, cudax::abi::u32 lane, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::u32 cudax_match(cudax::abi::u64 key, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::u32 cudax_ballot(bool predicate, cudax::abi::u32 mask);

// The reduction of the lanes' words, which every lane of `mask` gets. All of them must call the function with the same
// mask, which includes the caller's lane. It orders no memory. Requires sm_80: check cudax_has_lane_reduction().
CUDAX_ENTRY bool cudax_has_lane_reduction();
CUDAX_ENTRY cudax::abi::u32 cudax_lanes_add_u32(cudax::abi::u32 word, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::u32 cudax_lanes_max_u32(cudax::abi::u32 word, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::s32 cudax_lanes_max_s32(cudax::abi::s32 word, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::u32 cudax_lanes_min_u32(cudax::abi::u32 word, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::s32 cudax_lanes_min_s32(cudax::abi::s32 word, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::u32 cudax_lanes_and_u32(cudax::abi::u32 word, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::u32 cudax_lanes_or_u32(cudax::abi::u32 word, cudax::abi::u32 mask);
CUDAX_ENTRY cudax::abi::u32 cudax_lanes_xor_u32(cudax::abi::u32 word, cudax::abi::u32 mask);

// The block's index in the grid, and the extents, in blocks, of the grid and of a cluster. Before sm_90 a cluster is
// one block. Dimensions: 0, 1, 2 for x, y, z. A block's index in its cluster is its index modulo the extents of the
// cluster. cudax_cluster_shared returns the address that corresponds to `shared`, in the shared memory of the cluster's
// block of rank `block`.
CUDAX_ENTRY cudax::abi::u32 cudax_block_index(int dimension);
CUDAX_ENTRY cudax::abi::u32 cudax_grid_extent(int dimension);
CUDAX_ENTRY cudax::abi::u32 cudax_cluster_extent(int dimension);
CUDAX_ENTRY void* cudax_cluster_shared(void* shared, cudax::abi::u32 block);

// Asynchronous copies by a thread, from global to the block's shared memory. They require sm_80: check
// cudax_has_async_copy(). Sizes are 4, 8 or 16 bytes, and both addresses are aligned to the size. Of `_filled` the
// source has `valid` bytes, at most `bytes`; zeros follow them. A thread's copies since its last commit are a group.
// wait_group waits until at most `pending` groups of the thread (more than 8 count as 8) are incomplete, wait_all waits
// for every copy. cudax_async_copy_arrive arrives at `barrier` when the thread's earlier copies are complete; the
// arrival is one that cudax_shared_barrier_init counted.
CUDAX_ENTRY bool cudax_has_async_copy();
CUDAX_ENTRY void cudax_async_copy(void* shared, void const* global, cudax::abi::u32 bytes);
CUDAX_ENTRY void cudax_async_copy_filled(void* shared, void const* global, cudax::abi::u32 bytes, cudax::abi::u32 valid);
CUDAX_ENTRY void cudax_async_copy_commit();
CUDAX_ENTRY void cudax_async_copy_wait_group(cudax::abi::u32 pending);
CUDAX_ENTRY void cudax_async_copy_wait_all();
CUDAX_ENTRY void cudax_async_copy_arrive(void* barrier);
CUDAX_ENTRY void cudax_async_copy_arrive_additional(void* barrier); // adds an expected arrival to the phase, then arrives

// Bulk copies, by the asynchronous proxy. Sizes and addresses are multiples of 16 bytes. A copy to shared memory completes
// `bytes` of the transactions that `barrier` expects. Copies from shared memory form groups as above; wait_group_read
// waits only until their sources have been read. cudax_fence_proxy_async_... order plain accesses and the copies'
// accesses to the same memory, global or this block's shared memory. Before sm_90 cudax_has_bulk_copy() is false, and the
// calling thread copies during the call, by plain accesses: no barrier, group or fence has anything to do.
CUDAX_ENTRY bool cudax_has_bulk_copy();
CUDAX_ENTRY void cudax_bulk_copy_to_shared(void* shared, void const* global, cudax::abi::u32 bytes, void* barrier, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_bulk_copy_to_global(void* global, void const* shared, cudax::abi::u32 bytes, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
// From the block's shared memory to that of another block, whose barrier gets the bytes: requires sm_90. From global memory to the same
// place in each block whose bit is set in `blocks`; the barrier at the place of `barrier` there gets the bytes.
CUDAX_ENTRY void cudax_bulk_copy_to_cluster(void* remote, void const* shared, cudax::abi::u32 bytes, void* barrier);
CUDAX_ENTRY void cudax_bulk_copy_multicast(void* shared, void const* global, cudax::abi::u32 bytes, void* barrier, cudax::abi::u32 blocks, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_bulk_prefetch(void const* global, cudax::abi::u32 bytes, cudax::abi::u32 options, cudax::abi::copy_operands const& operands); // a hint: into L2
// Reductions that are made as bulk copies: each element of the target becomes the result of the operation with that of
// the source; each of these is relaxed at device scope. Operations: 0 add, 1 min, 2 max, 3 inc, 4 dec, 5 and, 6 or, 7 xor.
// Types: 0 u32, 1 s32, 2 u64, 3 s64, 4 f32, 5 f64, 6 f16, 7 bf16. Additions and bitwise operations have no signed types. A
// pair that PTX lacks stops the kernel. Before sm_90 as the copies, and the one to another block requires sm_90.
CUDAX_ENTRY void cudax_bulk_reduce_to_global(int operation, int type, void* global, void const* shared, cudax::abi::u32 bytes, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_bulk_reduce_to_cluster(int operation, int type, void* remote, void const* shared, cudax::abi::u32 bytes, void* barrier);
// Stores of 4, 8 and 16 bytes to the shared memory of a block of the cluster, and reductions of one element there, relaxed
// at cluster scope. `barrier`, in the same block, gets the bytes. They are no accesses by the asynchronous proxy. Before
// sm_90 they are plain stores and reductions in the block's own shared memory.
CUDAX_ENTRY void cudax_store_async_u32(void* remote, cudax::abi::u32 value, void* barrier);
CUDAX_ENTRY void cudax_store_async_u64(void* remote, cudax::abi::u64 value, void* barrier);
CUDAX_ENTRY void cudax_store_async_two_u64(void* remote, cudax::abi::u64 low, cudax::abi::u64 high, void* barrier);
CUDAX_ENTRY void cudax_reduce_async(int operation, int type, void* remote, cudax::abi::u64 value, void* barrier);
// A cache policy: how the L2 cache treats what a copy accesses in global memory, evicting it first (0), normally (1), last
// (2), or with the priority that it has (3): `primary` for the fraction, `rest`, which is 0 or 3, for the rest. Above 0, at
// most 1. Before sm_80 it is 0, and before sm_90 nothing uses it.
CUDAX_ENTRY cudax::abi::u64 cudax_cache_policy(cudax::abi::u32 primary, cudax::abi::u32 rest, float fraction);
CUDAX_ENTRY void cudax_bulk_commit();
CUDAX_ENTRY void cudax_bulk_wait_group(cudax::abi::u32 pending);
CUDAX_ENTRY void cudax_bulk_wait_group_read(cudax::abi::u32 pending);
CUDAX_ENTRY void cudax_fence_proxy_async_global();
CUDAX_ENTRY void cudax_fence_proxy_async_shared();
CUDAX_ENTRY void cudax_fence_proxy_async_cluster(); // the shared memory of every block of the cluster

// Copies of tiles of a tensor, by the asynchronous proxy. They require sm_90: check cudax_has_bulk_copy(). Ranks: 1 to 5.
// Tiles in shared memory are aligned to 128 bytes. Copies to shared memory complete the bytes of the tile at `barrier`; those to global
// memory belong to the groups of bulk copies. A multicast is as cudax_bulk_copy_multicast. Reductions: 0 add, 1 min, 2
// max, 3 inc, 4 dec, 5 and, 6 or, 7 xor. The prefetches are hints: of a tile, and of a map.
CUDAX_ENTRY void cudax_tensor_copy_to_shared(void* shared, cudax::abi::u32 rank, cudax::abi::tile const& tile, void* barrier, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_tensor_copy_multicast(void* shared, cudax::abi::u32 rank, cudax::abi::tile const& tile, void* barrier, cudax::abi::u32 blocks, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_tensor_copy_to_global(cudax::abi::u32 rank, cudax::abi::tile const& tile, void const* shared, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_tensor_reduce(cudax::abi::u32 reduction, cudax::abi::u32 rank, cudax::abi::tile const& tile, void const* shared, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_tensor_prefetch(cudax::abi::u32 rank, cudax::abi::tile const& tile, cudax::abi::u32 options, cudax::abi::copy_operands const& operands);
CUDAX_ENTRY void cudax_tensor_map_prefetch(void const* map);
// Between writes of a tensor map in global memory and copies that use it: the writer releases, the thread that begins the
// copies acquires. Requires sm_90.
CUDAX_ENTRY void cudax_fence_tensor_map_release(int scope);
CUDAX_ENTRY void cudax_fence_tensor_map_acquire(void const* map, int scope);
// Copies a tensor map from shared to global memory and releases it, as cudax_fence_tensor_map_release. Both places are
// multiples of 128. All lanes of the warp call together; the lanes' accesses of the maps before and after the call are
// ordered only if they synchronize. Requires sm_90.
CUDAX_ENTRY void cudax_tensor_map_publish(void* to, void const* from, int scope);
// Replace the address, the extent of a dimension (in elements) or the stride from an element of a dimension to the
// next element of the next dimension (in bytes) in a tensor map of tiles, in global or shared memory, a multiple of 128.
// Weak writes of the map. Dimensions: 0, the innermost, to 4. Requires an SM with a letter, sm_90a or later: for others it
// does not link.
CUDAX_ENTRY void cudax_tensor_map_replace_address(void* map, void const* address);
CUDAX_ENTRY void cudax_tensor_map_replace_extent(void* map, cudax::abi::u32 dimension, cudax::abi::u32 extent);
CUDAX_ENTRY void cudax_tensor_map_replace_stride(void* map, cudax::abi::u32 dimension, cudax::abi::u64 stride);

// Cancels the launch of a block of the grid that has not begun. Requires sm_100: check cudax_has_launch_cancellation(). The
// asynchronous proxy writes the answer to 16 bytes of shared memory, aligned to 16, and completes 16 bytes at
// `barrier`. `low` and `high` are the halves of the answer. It holds a block's index only where it says that a block
// was cancelled. Dimensions: 0, 1, 2 for x, y, z. A request after an answer that says that nothing was cancelled is
// undefined behavior.
CUDAX_ENTRY bool cudax_has_launch_cancellation();
CUDAX_ENTRY void cudax_cancel_launch(void* answer, void* barrier);
// The same, but every block of the caller's cluster gets the answer, at the same place of its shared memory, and 16 bytes
// at its barrier. Requires sm_100a or another SM with a letter: check cudax_has_launch_cancellation_multicast().
CUDAX_ENTRY bool cudax_has_launch_cancellation_multicast();
CUDAX_ENTRY void cudax_cancel_launch_multicast(void* answer, void* barrier);
CUDAX_ENTRY bool cudax_launch_is_canceled(cudax::abi::u64 low, cudax::abi::u64 high);
CUDAX_ENTRY cudax::abi::u32 cudax_canceled_block(cudax::abi::u64 low, cudax::abi::u64 high, int dimension);

// Tensor cores that the program operates by hand. cudax_tensor_core_commit arrives once at `barrier`, of any block of the
// cluster, when the operations that the thread has issued before are complete; the multicast form arrives at the barriers at
// the same place in the blocks whose bits are set. The forms ..._pair are for operations of .cta_group::2. The fences order
// such operations before, or after, a synchronization of threads. Requires sm_100a or sm_103a: for others it does not link.
CUDAX_ENTRY void cudax_tensor_core_commit(void* barrier);
CUDAX_ENTRY void cudax_tensor_core_commit_pair(void* barrier);
CUDAX_ENTRY void cudax_tensor_core_commit_multicast(void* barrier, cudax::abi::u32 blocks);
CUDAX_ENTRY void cudax_tensor_core_commit_multicast_pair(void* barrier, cudax::abi::u32 blocks);
CUDAX_ENTRY void cudax_tensor_core_fence_before();
CUDAX_ENTRY void cudax_tensor_core_fence_after();

// Tuning: figures measured on a GPU, constants of a generation (sm_70/tuning.hpp says what each is). Bytes, polls, nanoseconds.
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_bulk_copy_bytes();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_bulk_copy_bytes_of_thread();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_bulk_copy_bytes_always();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_bulk_copy_bytes_of_producer();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_direct_polls();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_first_sleep();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_longest_sleep();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_time_of_turn();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_operations_per_nanosecond();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_shortest_pause();
CUDAX_ENTRY cudax::abi::u32 cudax_tuning_longest_pause();

// Reports of long waits, for checked builds. cudax_hang_is_due returns once whether the wait that began at *began, on the
// clock of cudax_nanoseconds, has lasted longer than the limit of this image; *began is 0 before the first call.
// cudax_hang_report writes a report into the mailbox, unless the object has been reported; ends the kernel if that was
// requested. `first` and `second` are for the characters '#' in `text`. cudax_hang_configure sets the mailbox
// (runtime/interface/hang_mailbox.hpp), the limit in nanoseconds (0: no reports) and whether a report ends the kernel.
CUDAX_ENTRY bool cudax_hang_is_due(cudax::abi::u64* began);
CUDAX_ENTRY void cudax_hang_report(void const* object, char const* text, cudax::abi::u64 first, cudax::abi::u64 second);
CUDAX_ENTRY void cudax_hang_configure(void* mailbox, cudax::abi::u64 limit, bool traps);

// Prints `sentence`, in which one %lld stands for `value`, and ends the kernel with an error.
CUDAX_ENTRY void cudax_stop(char const* sentence, long long value);
// clang-format on
} // namespace cudax::entry

#endif
