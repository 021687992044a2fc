// SPDX-License-Identifier: Apache-2.0
//
// reduce_block: combines the values of a block's threads into one value, in the order of the threads' ranks.
// Lane i of a warp combines its value with the value of lane i + 1. Then it combines the result with that of lane
// i + 2, which covers two lanes, then with that of lane i + 4, and so on. The result of lane i always covers lanes i,
// i + 1, ..., in this order, so the operation only needs to be associative. The first lane of each warp stores its
// result in shared memory, and the first warp combines these results in the same way.
module;
#include "../base/macros.hpp"
export module cudax.sync:reduce_block;
import :bits;
import :device_group;
import :reduce_state;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::grid_detail::reducing {
using namespace machine;

inline constexpr u32 lanes_in_warp = 32, most_warps = 32;
/// How many loads a thread has in flight: 4 if their values fit in 64 bytes, otherwise 2 if these fit, otherwise 1. It
/// is the size of an array, so it cannot be a figure of arch/sm_70/tuning.hpp, which is a constant only after device
/// LTO. reduce_range.cppm needs a power of two.
template <class T>
inline constexpr u32 at_once = 1u << ((sizeof(T) <= 32) + (sizeof(T) <= 16));

constexpr u32 least(u64 a, u64 b) noexcept { return u32(a < b ? a : b); }

/// Returns how many integers are at least `from` and less than `count`; returns `most` if there are more than that.
constexpr u32 count_from(u64 count, u64 from, u32 most) noexcept {
  return count <= from ? 0 : least(count - from, most);
}

/// Returns the cell of the lane `delta` lanes above. It shuffles word by word.
template <class T>
cell<T> shuffle_down(cell<T> const& mine, u32 delta, u32 mask) noexcept {
  constexpr size_t words = (sizeof(T) + 3) / 4;
  u32 word[words] = {};
  __builtin_memcpy(word, &mine, sizeof(T));
#pragma unroll
  for (size_t i = 0; i < words; ++i) gpu::shuffle_down(word[i], delta, mask);
  cell<T> result;
  __builtin_memcpy(&result, word, sizeof(T));
  return result;
}

/// Combines the values of the first `count` lanes; the first lane gets the result. All lanes of `mask` call it.
template <class T, class Op>
cell<T> fold_warp(cell<T> mine, u32 count, u32 mask, Op& op) {
  u32 const lane = gpu::lane();
#pragma unroll
  for (u32 delta = 1; delta < lanes_in_warp; delta *= 2) {
    cell<T> const above = shuffle_down(mine, delta, mask);
    if (lane + delta < count) mine = combine(mine, above, op);
  }
  return mine;
}

/// A block's shared memory, for all reductions of T.
template <class T>
struct block_place {
  cell_storage<T> of_warp[most_warps];
  cell_storage<T> result;
  u32 is_last;
};
template <class T>
block_place<T>& place_of() noexcept {
  static_assert(sizeof(block_place<T>) <= 48 * 1024,
                "cudax.sync: reduce: 33 values of T do not fit in 48 KiB of shared memory; reduce smaller ones");
  CUDAX_BLOCK_SHARED block_place<T> object;
  return object;
}

/// Combines the values of the block's first `count` threads; the thread of rank 0 gets the result. All threads of the
/// block call it, and it calls sync_block() once: everything sequenced before the call, in every thread, happens before
/// everything sequenced after it in the thread of rank 0.
/// Requires: the block has synchronized after the last read of of_warp
template <class T, class Op>
cell<T> fold_block(cell<T> mine, u32 count, Op& op) {
  auto* const of_warp = place_of<T>().of_warp;
  u32 const rank = u32(gpu::group_rank(level::block)), threads = u32(gpu::group_size(level::block));
  u32 const warp = rank / lanes_in_warp;
  u32 const lanes = count_from(threads, warp * lanes_in_warp, lanes_in_warp); // the last warp may have fewer
  u32 const in_warp = count_from(count, warp * lanes_in_warp, lanes_in_warp);
  // For a mask that is not a constant, the lanes compare their masks, which takes longer than fold_warp itself.
  if (lanes == lanes_in_warp) mine = fold_warp(mine, in_warp, ~0u, op);
  else mine = fold_warp(mine, in_warp, ~0u >> (lanes_in_warp - lanes), op);
  if (rank % lanes_in_warp == 0) of_warp[warp].put(mine);
  gpu::sync_block();
  if (warp != 0) return mine;
  u32 const warps = (count + lanes_in_warp - 1) / lanes_in_warp;
  if (warps <= 1) return mine;
  // The block has more than one warp, so the first warp has all its lanes.
  return fold_warp(rank < warps ? of_warp[rank].get() : mine, warps, ~0u, op);
}

} // namespace cudax::grid_detail::reducing

CUDAX_EVERYWHERE_END
