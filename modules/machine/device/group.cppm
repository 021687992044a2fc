// SPDX-License-Identifier: Apache-2.0
//
// group: the groups of threads that a device has: their barriers, sizes and ranks, and where a block is.
// On the host the calling thread is alone: every group has size 1 and rank 0, and meeting does nothing.
module;
#include "../../../arch/abi.hpp"
#include "../../base/macros.hpp"
export module cudax.sync:device_group;
import :bits;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine {

/// The groups that a thread belongs to. The values are those of arch/abi.hpp.
enum class level : int { thread, warp, block, cluster, grid };

/// The dimensions of a grid. The values are those of arch/abi.hpp.
enum class dimension : int { x, y, z };

} // namespace cudax::machine

namespace cudax::machine::gpu {

/// Returns the number of threads in the calling thread's group. The last warp of a block may be smaller than the
/// others.
inline u64 group_size(level of) noexcept { return CUDAX_HERE(cudax_group_size(int(of)), 1); }

/// Returns the calling thread's rank in its group: x counts fastest, then y and z.
inline u64 group_rank(level of) noexcept { return CUDAX_HERE(cudax_group_rank(int(of)), 0); }

/// Returns the calling thread's lane in its warp.
inline u32 lane() noexcept { return CUDAX_HERE(cudax_lane(), 0); }

/// Block until every thread of the group has called. Everything sequenced before the call, in every thread, happens
/// before everything sequenced after it, at the group's scope.
/// Requires: all threads of the group that have not ended call; of a warp, the lanes of `mask`, which holds the
///           caller's; a grid was launched cooperatively
inline void sync_warp(u32 mask) noexcept { CUDAX_HERE(cudax_warp_sync(mask), void()); }
inline void sync_block() noexcept { CUDAX_HERE(cudax_block_sync(), void()); }
inline void sync_cluster() noexcept { CUDAX_HERE(cudax_cluster_sync(), void()); }
inline void sync_grid() noexcept { CUDAX_HERE(cudax_grid_sync(), void()); }

/// Replaces `word` by the word of the lane `delta` lanes above. Beyond lane 31 it stays; it becomes any value where
/// that lane is not in `mask`. Orders no memory.
/// Requires: all lanes of `mask` call with the same mask, which holds the caller's. `word` may be indeterminate
inline void shuffle_down(u32& word, u32 delta, u32 mask) noexcept {
  CUDAX_HERE(cudax_shuffle_down(&word, delta, mask), void());
}

/// Return the index of the calling thread's block in the grid, and the extents, in blocks, of the grid and of a
/// cluster. Before sm_90 a cluster is one block.
inline u32 block_index(dimension along) noexcept { return CUDAX_HERE(cudax_block_index(int(along)), 0); }
inline u32 grid_extent(dimension along) noexcept { return CUDAX_HERE(cudax_grid_extent(int(along)), 1); }
inline u32 cluster_extent(dimension along) noexcept { return CUDAX_HERE(cudax_cluster_extent(int(along)), 1); }

/// Returns the address, in the shared memory of the cluster's block of rank `block`, of what is at `object` in the
/// caller's.
template <class T>
T* cluster_shared(T* object, u32 block) noexcept {
  return CUDAX_HERE((T*)cudax_cluster_shared(object, block), object);
}

} // namespace cudax::machine::gpu

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
