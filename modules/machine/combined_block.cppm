// SPDX-License-Identifier: Apache-2.0
//
// combined_block: fetch and reduce for all threads of a block that call together for one object.
// Each warp combines the operands of its lanes, and its last lane stores the result in shared memory. The first warp
// combines these results and performs one operation on the object. A fetch then stores, for each warp, the value that
// the first thread of the warp gets. So the threads get the results that their own operations would have had, one
// immediately after the other, in the order of the threads' ranks.
//
// Orders: as in combine.cppm, with barriers of the block instead of barriers of the lanes. The fence of a seq_cst
// operation stands before the first barrier, in each thread; the thread that performs the operation also releases.
//
// Two barriers are enough, also for calls one after the other. `of_warp` is read before the second barrier and next
// written after it. `first_of_warp` is read after the second barrier, and next written after the first barrier of the
// next call.
module;
#include "../base/macros.hpp"
export module cudax.sync:combined_block;
import :bits;
import :combine;
import :combined;
import :device_group;
import :lanes;
import :machine;
import :modify;
import :order;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// The caller's place in its block.
class block_place {
  u32 rank_ = u32(gpu::group_rank(level::block)), size_ = u32(gpu::group_size(level::block));

public:
  inline u32 rank() const noexcept { return rank_; }
  inline u32 warp() const noexcept { return rank_ / 32; }
  inline u32 warps() const noexcept { return (size_ + 31) / 32; }
  /// The lanes of the caller's warp. The last warp may have fewer than 32.
  inline peers lanes() const noexcept {
    u32 const rest = size_ - 32 * warp();
    return peers(lowest_lanes(rest < 32 ? rest : 32));
  }
  /// Whether the caller is one of the first lanes of the first warp, one for each warp; and these lanes.
  inline bool is_for_warps() const noexcept { return rank_ < warps(); }
  inline peers for_warps() const noexcept { return peers(lowest_lanes(warps())); }
};

/// The words through which the warps of a block combine.
template <class V>
struct block_words {
  V of_warp[32], first_of_warp[32];
};
template <class V>
block_words<V>& words_of_block() noexcept {
  CUDAX_BLOCK_SHARED block_words<V> object;
  return object;
}

/// Performs fetch for all threads of the block.
/// Requires: all threads of the block call it with the same object and order
template <modification M, thread_scope S, class V>
[[clang::always_inline]] V fetch_by_block(void* object, V operand, memory_order order) noexcept {
  block_place const me;
  peers const lanes = me.lanes();
  if (me.warps() == 1) return fetch_for<M, S>(lanes, object, operand, order);

  if (order == memory_order::seq_cst) fence<S>(memory_order::seq_cst);
  auto& words = words_of_block<V>();
  V const through = lanes.inclusive_scan(operand, combined_operand<M, V>);
  if (lanes.is_last()) words.of_warp[me.warp()] = through;
  gpu::sync_block();
  if (me.is_for_warps()) {
    peers const warps = me.for_warps();
    V const through_warp = warps.inclusive_scan(words.of_warp[me.rank()], combined_operand<M, V>);
    V before{};
    if (warps.is_last()) before = fetch<M, S, V, false>(object, through_warp, modify_order(order));
    before = warps.from(warps.last(), before);
    V const earlier = warps.from(warps.below(), through_warp);
    words.first_of_warp[me.rank()] = me.rank() == 0 ? before : modified<M>(before, earlier);
  }
  gpu::sync_block();
  V const first = words.first_of_warp[me.warp()];
  V const earlier = lanes.from(lanes.below(), through);
  return lanes.rank() == 0 ? first : modified<M>(first, earlier);
}

/// Performs reduce for all threads of the block.
/// Requires: all threads of the block call it with the same object and order
template <modification M, thread_scope S, class V>
[[clang::always_inline]] void reduce_by_block(void* object, V operand, memory_order order) noexcept {
  block_place const me;
  peers const lanes = me.lanes();
  if (me.warps() == 1) return reduce_for<M, S>(lanes, object, operand, order);

  if (order == memory_order::seq_cst) fence<S>(memory_order::seq_cst);
  auto& words = words_of_block<V>();
  V const all = lanes.template reduce<M>(operand, combined_operand<M, V>);
  if (lanes.is_last()) words.of_warp[me.warp()] = all;
  gpu::sync_block();
  if (me.is_for_warps()) {
    peers const warps = me.for_warps();
    V const all_warps = warps.template reduce<M>(words.of_warp[me.rank()], combined_operand<M, V>);
    if (warps.is_last()) reduce<M, S, V, false>(object, all_warps, reduce_order(order));
  }
  gpu::sync_block();
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
