// SPDX-License-Identifier: Apache-2.0
//
// group: threads that arrive together.
// A thread group knows how many threads it has and which of them is calling, and lets them meet. A latch or a barrier
// that is given a group counts one arrival for all of it: the group meets, its first thread arrives and waits, and the
// group meets again. The groups of cooperative groups are thread groups as they are.
module;
#include "../base/macros.hpp"
export module cudax.sync:group;
import :bits;
import :device_group;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Threads of which each knows its rank, from 0 to size() - 1, and that wait for each other in sync(), which orders
/// memory among them.
/// Source:   extension; the shape of a group of cooperative groups
template <class G>
concept thread_group = requires(G const& group) {
  requires integer<remove_cv<decltype(group.size())>>;
  requires integer<remove_cv<decltype(group.thread_rank())>>;
  group.sync();
};

} // namespace cudax

namespace cudax::machine {

/// The calling thread's group of a level. Members are static, so that an object costs nothing to hand over.
/// On the host every group is the calling thread alone.
template <level L>
class group {
public:
  /// The narrowest scope that holds the group; a warp is part of a block.
  static constexpr cudax::thread_scope thread_scope = L == level::thread    ? thread_scope_thread
                                                      : L == level::cluster ? thread_scope_cluster
                                                      : L == level::grid    ? thread_scope_device
                                                                            : thread_scope_block;

  /// How many threads the group has.
  static inline u64 size() noexcept {
    if constexpr (L != level::thread) return gpu::group_size(L);
    else return 1;
  }

  /// Which of them calls: x counts fastest, then y and z.
  static inline u64 thread_rank() noexcept {
    if constexpr (L != level::thread) return gpu::group_rank(L);
    else return 0;
  }

  /// Blocks until every thread of the group has called, and orders memory among them.
  /// Requires: all threads of the group that have not ended call it; a grid was launched cooperatively
  static inline void sync() noexcept {
    if constexpr (L == level::warp) gpu::sync_warp(~0u); // lanes that do not exist, or have ended, are not waited for
    else if constexpr (L == level::block) gpu::sync_block();
    else if constexpr (L == level::cluster) gpu::sync_cluster();
    else if constexpr (L == level::grid) gpu::sync_grid();
  }
};

} // namespace cudax::machine

export namespace cudax {

/// The calling thread's warp, block, cluster and grid as thread groups; `this_thread` is one, too. On the host each is
/// the calling thread. Before sm_90 a cluster is one block.
/// Source:   extension
inline constexpr machine::group<machine::level::warp> this_warp{};
inline constexpr machine::group<machine::level::block> this_block{};
inline constexpr machine::group<machine::level::cluster> this_cluster{};
inline constexpr machine::group<machine::level::grid> this_grid{};

} // namespace cudax

CUDAX_EVERYWHERE_END
