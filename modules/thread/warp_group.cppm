// SPDX-License-Identifier: Apache-2.0
//
// warp_group: some warps of a block as a thread group. The object is empty: which warps, and which barrier, is its
// type. Warps of a block meet at a named barrier, so a group of several warps needs an id, which the program chooses. A
// group of one warp needs none. Which warps a warpgroup has, and so its id, follows from the calling thread's rank.
module;
#include "../base/macros.hpp"
export module cudax.sync:warp_group;
import :bits;
import :device_group;
import :machine;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {

/// The warps First to First + Count - 1 of the caller's block; they meet at the block's barrier Id. On the host the
/// group is the calling thread.
template <int First, int Count, int Id>
class warp_group {
  static_assert(Count >= 1,
                "cudax.sync: this_block.warps<First, Count>: the group has no warp; use a count of 1 or more");
  static_assert(First >= 0 && First < 32 && Count <= 32 - First,
                "cudax.sync: this_block.warps<First, Count>: a block has at most 32 warps, 0 to 31");
  static_assert(
      Count <= 1 || (Id >= 1 && Id <= 15),
      "cudax.sync: this_block.warps<First, Count, Id>: warps meet at a barrier of the block; give its id, from "
      "1 to 15, that no other code of the kernel uses (named_barrier_ids)");
  static_assert(
      Count != 1 || Id == 0,
      "cudax.sync: this_block.warps<First, 1, Id>: one warp meets without a barrier of the block; leave the id "
      "out");

  static void ensure_member() noexcept {
    CUDAX_ENSURE(contains(), "warps<First, Count>: thread %lld of the block is not in the group; check contains()",
                 machine::gpu::group_rank(machine::level::block));
  }

public:
  /// The scope that includes the group.
  static constexpr cudax::thread_scope thread_scope = thread_scope_block;

  /// Returns the number of threads in the group.
  static inline u64 size() noexcept { return machine::gpu::warps_size(Count); }

  /// Returns the rank of the calling thread in the group.
  /// Requires: contains()
  static inline u64 thread_rank() noexcept {
    ensure_member();
    return machine::gpu::warps_rank(First);
  }

  /// Returns whether the calling thread is in the group.
  static inline bool contains() noexcept { return machine::gpu::is_in_warps(First, Count); }

  /// Blocks until every thread of the group has called it, and orders memory among the threads.
  /// Source:   PTX ISA, "barrier" and "bar.warp.sync"
  /// Requires: contains(), and all threads of the group call it. The block has all warps of the group
  static inline void sync() noexcept {
    ensure_member();
    if constexpr (Count == 1) machine::gpu::sync_warp(~0u);
    else machine::gpu::sync_named(Id, Count * 32);
  }

  /// Returns true in one thread of the group, the same in each call: in a lane of the first warp. Orders no memory.
  /// Requires: contains(), and all lanes of the caller's warp call together
  static inline bool elect() noexcept {
    ensure_member();
    return machine::gpu::is_in_warps(First, 1) && machine::gpu::elect();
  }
};

/// The caller's warpgroup: the warps 4 i to 4 i + 3 of the block, which meet at the block's barrier Id + i.
template <int Id>
class own_warpgroup {
  static_assert(Id >= 1 && Id <= 15,
                "cudax.sync: this_warpgroup.group<Id>: warps meet at a barrier of the block; give the id of the first "
                "warpgroup's, from 1 to 15, that no other code of the kernel uses (named_barrier_ids)");
  static constexpr u32 warps = 4;

public:
  /// The scope that includes the group.
  static constexpr cudax::thread_scope thread_scope = thread_scope_block;

  /// Returns the number of threads in the group: 128, and 1 on the host.
  static inline u64 size() noexcept { return machine::gpu::warps_size(warps); }

  /// Returns the rank of the calling thread in the group.
  static inline u64 thread_rank() noexcept { return machine::gpu::group_rank(machine::level::block) % size(); }

  /// Blocks until every thread of the group has called it, and orders memory among the threads.
  /// Source:   PTX ISA, "barrier"
  /// Requires: all threads of the group call it, and the block has all of them
  static inline void sync() noexcept {
    u32 const id = Id + u32(machine::gpu::group_rank(machine::level::block)) / (warps * 32);
    CUDAX_ENSURE(id <= 15,
                 "this_warpgroup.group<Id>: the barrier %lld of this warpgroup does not exist; begin at a "
                 "lower id",
                 id);
    machine::gpu::sync_named(id, warps * 32);
  }

  /// Returns true in one thread of the group, the same in each call: in a lane of the first warp. Orders no memory.
  /// Requires: all lanes of the caller's warp call together
  static inline bool elect() noexcept { return thread_rank() < 32 && machine::gpu::elect(); }
};

} // namespace cudax::thread_detail

CUDAX_EVERYWHERE_END
