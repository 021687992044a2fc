// SPDX-License-Identifier: Apache-2.0
//
// group: the groups of threads that a device has: their barriers, sizes and ranks, what the lanes of a warp tell each
// other, and the index of a block.
// On the host the calling thread is alone: every group has size 1, its rank is 0, and a barrier does nothing.
module;
#include "../../base/macros.hpp"
export module cudax.sync:device_group;
import :bits;
import :device_abi;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine {

/// The groups that a thread belongs to. The values are those of arch/abi.hpp.
enum class level : int { thread, warp, block, cluster, grid, blocks_of_cluster };

/// The dimensions of a grid. The values are those of arch/abi.hpp.
enum class dimension : int { x, y, z };

} // namespace cudax::machine

namespace cudax::machine::gpu {

/// Returns the number of threads in the calling thread's group, or of blocks in its cluster. The last warp of a block
/// may be smaller than the others.
inline u64 group_size(level of) noexcept { return CUDAX_HERE(entry::cudax_group_size(int(of)), 1); }

/// Returns the calling thread's rank in its group, or its block's rank in the cluster: x counts fastest, then y and z.
inline u64 group_rank(level of) noexcept { return CUDAX_HERE(entry::cudax_group_rank(int(of)), 0); }

/// Returns the calling thread's lane in its warp.
inline u32 lane() noexcept { return CUDAX_HERE(entry::cudax_lane(), 0); }

/// Block until every thread of the group has called. Everything sequenced before the call, in every thread, happens
/// before everything sequenced after it, at the group's scope.
/// Requires: all threads of the group that have not exited call it. For sync_warp the group is the lanes of `mask`,
///           which must include the caller's lane. For sync_grid the grid was launched cooperatively, and the first
///           thread of each block has not exited, because it arrives for its block
inline void sync_warp(u32 mask) noexcept { CUDAX_HERE(entry::cudax_warp_sync(mask), void()); }
inline void sync_block() noexcept { CUDAX_HERE(entry::cudax_block_sync(), void()); }
inline void sync_cluster() noexcept { CUDAX_HERE(entry::cudax_cluster_sync(), void()); }
inline void sync_grid() noexcept { CUDAX_HERE(entry::cudax_grid_sync(), void()); }

/// The block's barriers 1 to 15. arrive does not wait for other warps; sync waits until `threads` threads, a multiple
/// of 32, have called. What precedes an arrive or a sync happens before what follows a sync of the same phase, at block
/// scope. reduce_named is a sync that returns what the predicates of all threads give.
/// Requires: all lanes of the caller's warp call; with `aligned`, all 32 lanes, and this very call
inline void arrive_named(u32 id, u32 threads, bool aligned = false) noexcept {
  CUDAX_HERE(entry::cudax_named_barrier_arrive(id, threads, aligned), void());
}
inline void sync_named(u32 id, u32 threads, bool aligned = false) noexcept {
  CUDAX_HERE(entry::cudax_named_barrier_sync(id, threads, aligned), void());
}
/// The values are those of arch/abi.hpp.
enum class predicates : int { count, all, any };
inline u32 reduce_named(u32 id, u32 threads, bool predicate, predicates how) noexcept {
  return CUDAX_HERE(entry::cudax_named_barrier_reduce(id, threads, predicate, int(how)), u32(predicate));
}

/// Returns true in one lane of the caller's warp, the same lane in each call. Orders no memory.
/// Requires: all lanes of the caller's warp call
inline bool elect() noexcept { return CUDAX_HERE(entry::cudax_elect(~0u), true); }

/// The warps `first` to `first + count - 1` of the block as a group: its size, and the rank of a caller that is in it.
inline u64 warps_size(u32 count) noexcept { return CUDAX_HERE(u64(count) * 32, 1); }
inline u64 warps_rank(u32 first) noexcept { return CUDAX_HERE(entry::cudax_group_rank(2) - u64(first) * 32, 0); }

/// Returns whether the calling thread is in that group. On the host every group is the calling thread.
inline bool is_in_warps(u32 first, u32 count) noexcept { return CUDAX_HERE(warps_rank(first) < u64(count) * 32, true); }

/// The barriers of a cluster and a grid in two calls: arrive, then wait. After arrive_cluster_relaxed nothing is
/// ordered. wait_grid gets what the thread's arrive_grid returned. grid_is_valid returns whether the grid was launched
/// cooperatively.
/// Requires: each thread of the group calls the two alternately. Each may block until all threads of the block have
///           called it
inline void arrive_cluster() noexcept { CUDAX_HERE(entry::cudax_cluster_arrive(), void()); }
inline void arrive_cluster_relaxed() noexcept { CUDAX_HERE(entry::cudax_cluster_arrive_relaxed(), void()); }
inline void wait_cluster() noexcept { CUDAX_HERE(entry::cudax_cluster_wait(), void()); }
inline u32 arrive_grid() noexcept { return CUDAX_HERE(entry::cudax_grid_arrive(), 0); }
inline void wait_grid([[maybe_unused]] u32 token) noexcept { CUDAX_HERE(entry::cudax_grid_wait(token), void()); }
inline bool grid_is_valid() noexcept { return CUDAX_HERE(entry::cudax_grid_is_valid(), true); }

/// wait_for_prerequisites blocks until the grids on which this grid depends have completed; what they did happens
/// before what follows the call. let_dependents_start permits the dependent grid to start; it orders nothing. Before
/// sm_90 a grid starts only after its prerequisites have completed, and both do nothing.
inline void wait_for_prerequisites() noexcept { CUDAX_HERE(entry::cudax_grid_wait_for_prerequisites(), void()); }
inline void let_dependents_start() noexcept { CUDAX_HERE(entry::cudax_grid_let_dependents_start(), void()); }

/// Give each thread of the caller's warp up to `count` registers, or take all but `count` away from it. An increase
/// blocks until the block's pool has enough. The host has no such number.
/// Requires: an SM with a letter: for others the program does not link. `count` is a multiple of 8 from 24 to 256. All
///           warps of the warpgroup call
inline void increase_registers(u32 count) noexcept { CUDAX_HERE(entry::cudax_increase_registers(count), void()); }
inline void decrease_registers(u32 count) noexcept { CUDAX_HERE(entry::cudax_decrease_registers(count), void()); }

/// Replaces `word` with the word of the lane `delta` lanes above. If that lane would be above 31, `word` keeps its
/// value. If that lane is not in `mask`, `word` gets an unspecified value. Orders no memory.
/// Requires: all lanes of `mask` call it with the same mask, which includes the caller's lane. `word` may be
///           indeterminate
inline void shuffle_down(u32& word, u32 delta, u32 mask) noexcept {
  CUDAX_HERE(entry::cudax_shuffle_down(&word, delta, mask), void());
}

/// Returns the lanes that execute this call together with the caller: a set that includes the caller and that all its
/// lanes get.
inline u32 active_mask() noexcept { return CUDAX_HERE(entry::cudax_active_mask(), 1); }

/// Replaces `word` with the word of the lane `lane`. If that lane is not in `mask`, `word` gets an unspecified value.
/// Orders no memory.
/// Requires: all lanes of `mask` call it with the same mask, which includes the caller's lane. `word` may be
///           indeterminate
inline void shuffle_from(u32& word, u32 lane, u32 mask) noexcept {
  CUDAX_HERE(entry::cudax_shuffle_from(&word, lane, mask), void());
}

/// Returns whether all 32 lanes of the caller's warp execute this call together. Then they all take the branch that
/// depends on the result. On the host the calling thread is the whole warp.
inline bool warp_is_together() noexcept { return CUDAX_HERE(entry::cudax_active_mask() == ~0u, true); }

/// As sync_block, where all lanes of the caller's warp make this very call, as in a branch on warp_is_together().
inline void sync_block_together() noexcept { CUDAX_HERE(entry::cudax_block_sync_together(), void()); }

/// match returns the lanes of `mask` whose key equals the caller's, ballot those whose predicate is true. Order no
/// memory.
/// Requires: all lanes of `mask` call it with the same mask, which includes the caller's lane
inline u32 match(u64 key, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_match(key, mask), mask); }
inline u32 ballot(bool predicate, u32 mask) noexcept {
  return CUDAX_HERE(entry::cudax_ballot(predicate, mask), predicate);
}

/// Return the sum, the maximum, ... of the words of the lanes of `mask`, to each of them. Order no memory.
/// Requires: has_lane_reduction(). All lanes of `mask` call it with the same mask, which includes the caller's lane
inline bool has_lane_reduction() noexcept { return CUDAX_HERE(entry::cudax_has_lane_reduction(), false); }
inline u32 lanes_add(u32 word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_add_u32(word, mask), word); }
inline u32 lanes_max(u32 word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_max_u32(word, mask), word); }
inline int lanes_max(int word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_max_s32(word, mask), word); }
inline u32 lanes_min(u32 word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_min_u32(word, mask), word); }
inline int lanes_min(int word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_min_s32(word, mask), word); }
inline u32 lanes_and(u32 word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_and_u32(word, mask), word); }
inline u32 lanes_or(u32 word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_or_u32(word, mask), word); }
inline u32 lanes_xor(u32 word, u32 mask) noexcept { return CUDAX_HERE(entry::cudax_lanes_xor_u32(word, mask), word); }

/// block_index returns the index of the calling thread's block in the grid. grid_extent and cluster_extent return the
/// extents of the grid and of a cluster, in blocks. Before sm_90 a cluster is one block.
inline u32 block_index(dimension along) noexcept { return CUDAX_HERE(entry::cudax_block_index(int(along)), 0); }
inline u32 grid_extent(dimension along) noexcept { return CUDAX_HERE(entry::cudax_grid_extent(int(along)), 1); }
inline u32 cluster_extent(dimension along) noexcept { return CUDAX_HERE(entry::cudax_cluster_extent(int(along)), 1); }

/// Maps `object`, in the caller's shared memory, to the same place in the shared memory of the block with rank `block`
/// in the cluster. Returns the address of that place.
template <class T>
T* cluster_shared(T* object, u32 block) noexcept {
  return CUDAX_HERE((T*)entry::cudax_cluster_shared(object, block), object);
}

} // namespace cudax::machine::gpu

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
