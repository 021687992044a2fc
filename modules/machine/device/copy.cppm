// SPDX-License-Identifier: Apache-2.0
//
// copy: copies that run while the thread continues: asynchronous copies, which each thread makes (sm_80), and bulk
// copies (sm_90), also of tiles of a tensor. PTX ISA, "cp.async", "cp.async.bulk", "cp.async.bulk.tensor",
// "fence.proxy.tensormap". The host has neither: has_async_copy() and has_bulk_copy() return false there, so no other
// function of this unit is called.
module;
#include "../../base/macros.hpp"
export module cudax.sync:device_copy;
import :bits;
import :device_abi;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine::gpu {

/// Return whether the device has these copies. The results are constants after device LTO.
inline bool has_async_copy() noexcept { return CUDAX_HERE(entry::cudax_has_async_copy(), false); }
inline bool has_bulk_copy() noexcept { return CUDAX_HERE(entry::cudax_has_bulk_copy(), false); }

/// A cache policy: how L2 treats what a copy accesses in global memory. The numbers are those of arch/abi.hpp.
inline u64 cache_policy(u32 primary, u32 rest, float fraction) noexcept {
  return CUDAX_HERE(entry::cudax_cache_policy(primary, rest, fraction), 0);
}

/// The options of copies by the asynchronous proxy, as bits abi::copy_..., and the operands that they add.
struct copy_options : abi::copy_operands {
  u32 which = 0;
};

/// A tile of a tensor, and the rank of its map.
struct tile : abi::tile {
  u32 rank = 0;
};

} // namespace cudax::machine::gpu

/// Copies of the calling thread from global to its block's shared memory. commit() closes a group: the copies that the
/// thread began since its last commit.
/// Requires: has_async_copy(); otherwise a call stops the kernel
namespace cudax::machine::gpu::async_copy {

/// Begins a copy of `Bytes` bytes. Both addresses must be aligned to `Bytes`.
template <size_t Bytes>
void begin(void* shared, void const* global) noexcept {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  CUDAX_HERE(entry::cudax_async_copy(shared, global, Bytes), void());
}

/// Begins a copy of the first `valid` of `Bytes` bytes, which writes zeros to the others. It reads the valid ones only.
template <size_t Bytes>
void begin_filled(void* shared, void const* global, u32 valid) noexcept {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  CUDAX_HERE(entry::cudax_async_copy_filled(shared, global, Bytes, valid), void());
}

/// Closes the current group.
inline void commit() noexcept { CUDAX_HERE(entry::cudax_async_copy_commit(), void()); }

/// wait_group blocks until at most `pending` of the thread's groups are incomplete; a number above 8 counts as 8.
/// wait_all blocks until all copies of the thread are complete.
inline void wait_group(u32 pending) noexcept { CUDAX_HERE(entry::cudax_async_copy_wait_group(pending), void()); }
inline void wait_all() noexcept { CUDAX_HERE(entry::cudax_async_copy_wait_all(), void()); }

/// Makes an arrival at the barrier object when the thread's earlier copies are complete. The current phase awaits this
/// arrival in addition to those that it already awaits.
inline void arrive_additional(void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_async_copy_arrive_additional(barrier), void());
}

} // namespace cudax::machine::gpu::async_copy

/// Copies by the asynchronous proxy. Sizes and addresses are multiples of 16 bytes. Unless has_bulk_copy(), the
/// calling thread copies during the call: what expects the bytes, and copies to other blocks, stop the kernel.
namespace cudax::machine::gpu::bulk_copy {

/// Begins a copy. It completes `bytes` of the bytes that the barrier object expects.
inline void to_shared(void* shared, void const* global, u32 bytes, void* barrier,
                      copy_options const& options = {}) noexcept {
  CUDAX_HERE(entry::cudax_bulk_copy_to_shared(shared, global, bytes, barrier, options.which, options), void());
}

/// Begins a copy, which belongs to the thread's current group.
inline void to_global(void* global, void const* shared, u32 bytes, copy_options const& options = {}) noexcept {
  CUDAX_HERE(entry::cudax_bulk_copy_to_global(global, shared, bytes, options.which, options), void());
}

/// Begins a copy to the shared memory of another block of the cluster. It completes its bytes at that block's barrier.
inline void to_cluster(void* remote, void const* shared, u32 bytes, void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_bulk_copy_to_cluster(remote, shared, bytes, barrier), void());
}

/// Begins a copy from global memory to the same place in each block whose bit is set in `blocks`. Each of them
/// completes its bytes at the barrier at the place of `barrier`.
inline void multicast(void* shared, void const* global, u32 bytes, void* barrier, u32 blocks,
                      copy_options const& options = {}) noexcept {
  CUDAX_HERE(entry::cudax_bulk_copy_multicast(shared, global, bytes, barrier, blocks, options.which, options), void());
}

/// Begin a reduction of an array, which belongs to the thread's current group, or which completes its bytes at the
/// barrier of another block. `operation` and `type` are the integers of arch/abi.hpp.
inline void reduce_to_global(int operation, int type, void* global, void const* shared, u32 bytes,
                             copy_options const& options = {}) noexcept {
  CUDAX_HERE(entry::cudax_bulk_reduce_to_global(operation, type, global, shared, bytes, options.which, options),
             void());
}
inline void reduce_to_cluster(int operation, int type, void* remote, void const* shared, u32 bytes,
                              void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_bulk_reduce_to_cluster(operation, type, remote, shared, bytes, barrier), void());
}

/// Hints that global memory will be read: it may be brought into L2.
inline void prefetch(void const* global, u32 bytes, copy_options const& options = {}) noexcept {
  CUDAX_HERE(entry::cudax_bulk_prefetch(global, bytes, options.which, options), void());
}

/// Closes the current group of copies to global memory.
inline void commit() noexcept { CUDAX_HERE(entry::cudax_bulk_commit(), void()); }

/// Blocks until at most `pending` of the thread's groups are incomplete.
inline void wait_group(u32 pending) noexcept { CUDAX_HERE(entry::cudax_bulk_wait_group(pending), void()); }
/// Blocks until all but at most `pending` of the thread's groups have read their sources.
inline void wait_group_read(u32 pending) noexcept { CUDAX_HERE(entry::cudax_bulk_wait_group_read(pending), void()); }

/// Order plain accesses before the copies' accesses to the same memory: global memory, this block's shared memory, or
/// either of them. fence_cluster is for the shared memory of every block of the cluster.
inline void fence_global() noexcept { CUDAX_HERE(entry::cudax_fence_proxy_async_global(), void()); }
inline void fence_shared() noexcept { CUDAX_HERE(entry::cudax_fence_proxy_async_shared(), void()); }
inline void fence_cluster() noexcept { CUDAX_HERE(entry::cudax_fence_proxy_async_cluster(), void()); }
inline void fence() noexcept {
  fence_global();
  fence_shared();
}

} // namespace cudax::machine::gpu::bulk_copy

/// Stores and reductions of one value in the shared memory of a block of the cluster, through the generic proxy. They
/// complete their bytes at the barrier object of that block.
/// Requires: the address is a multiple of the size; unless has_bulk_copy(), it is in the own block
namespace cudax::machine::gpu::async_store {

inline void store(void* remote, u32 value, void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_store_async_u32(remote, value, barrier), void());
}
inline void store(void* remote, u64 value, void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_store_async_u64(remote, value, barrier), void());
}
inline void store(void* remote, u128 value, void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_store_async_two_u64(remote, u64(value), u64(value >> 64), barrier), void());
}
inline void reduce(int operation, int type, void* remote, u64 value, void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_reduce_async(operation, type, remote, value, barrier), void());
}

} // namespace cudax::machine::gpu::async_store

/// Copies of tiles of a tensor. Tiles in shared memory are aligned to 128 bytes.
/// Requires: has_bulk_copy(); otherwise a call stops the kernel
namespace cudax::machine::gpu::tensor_copy {

/// Begins a copy. It completes the bytes of the tile at the barrier object.
inline void to_shared(void* shared, tile const& tile, void* barrier, copy_options const& options) noexcept {
  CUDAX_HERE(entry::cudax_tensor_copy_to_shared(shared, tile.rank, tile, barrier, options.which, options), void());
}

/// As bulk_copy::multicast.
inline void multicast(void* shared, tile const& tile, void* barrier, u32 blocks, copy_options const& options) noexcept {
  CUDAX_HERE(entry::cudax_tensor_copy_multicast(shared, tile.rank, tile, barrier, blocks, options.which, options),
             void());
}

/// Begin a copy, or a reduction, which belongs to the thread's current group of bulk copies. `reduction` is a number of
/// arch/abi.hpp.
inline void to_global(tile const& tile, void const* shared, copy_options const& options) noexcept {
  CUDAX_HERE(entry::cudax_tensor_copy_to_global(tile.rank, tile, shared, options.which, options), void());
}
inline void reduce(u32 reduction, tile const& tile, void const* shared, copy_options const& options) noexcept {
  CUDAX_HERE(entry::cudax_tensor_reduce(reduction, tile.rank, tile, shared, options.which, options), void());
}

/// Hint that a tile will be read, or that a map will be used.
inline void prefetch(tile const& tile, copy_options const& options) noexcept {
  CUDAX_HERE(entry::cudax_tensor_prefetch(tile.rank, tile, options.which, options), void());
}
inline void prefetch_map(void const* map) noexcept { CUDAX_HERE(entry::cudax_tensor_map_prefetch(map), void()); }

/// Order writes of a map in global memory before copies that use it: the writer releases, the copies' thread acquires.
inline void release_maps(int scope) noexcept { CUDAX_HERE(entry::cudax_fence_tensor_map_release(scope), void()); }
inline void acquire_map(void const* map, int scope) noexcept {
  CUDAX_HERE(entry::cudax_fence_tensor_map_acquire(map, scope), void());
}

/// Copies a map from shared to global memory and releases it.
/// Requires: all lanes of the warp call. It does not order their accesses of the maps before and after the call
inline void publish_map(void* to, void const* from, int scope) noexcept {
  CUDAX_HERE(entry::cudax_tensor_map_publish(to, from, scope), void());
}

/// Replace a field of a map of tiles in shared or global memory. Dimensions count from 0, the innermost; the stride
/// leads to the next element of the next dimension, in bytes.
/// Requires: an SM with a letter: for others the program does not link
inline void replace_address(void* map, void const* address) noexcept {
  CUDAX_HERE(entry::cudax_tensor_map_replace_address(map, address), void());
}
inline void replace_extent(void* map, u32 dimension, u32 extent) noexcept {
  CUDAX_HERE(entry::cudax_tensor_map_replace_extent(map, dimension, extent), void());
}
inline void replace_stride(void* map, u32 dimension, u64 stride) noexcept {
  CUDAX_HERE(entry::cudax_tensor_map_replace_stride(map, dimension, stride), void());
}

} // namespace cudax::machine::gpu::tensor_copy

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
