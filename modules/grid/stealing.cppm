// SPDX-License-Identifier: Apache-2.0
//
// stealing: hands further indices of a grid to blocks that have finished their own indices.
// Indices are stolen in units. A unit is the blocks of a cluster; without clusters it is one block. When a cluster of
// indices is stolen, each block works on the index at its own place in that cluster. The first thread of the unit finds
// the next unit, by a cancelled launch (canceled_block.cppm) or by counting (work_queue.cppm), and hands it out through
// shared memory.
//
// In each round the first thread writes the index into each block's slot, the unit synchronizes (meet), and every
// thread reads its block's slot. One synchronization in a round suffices, because there are two slots, used in turn: a
// slot is written again two rounds later, and the synchronization of the round in between separates this write from
// the reads. The synchronization before the first round is needed if earlier code of this kernel used the slots. A
// cluster needs it also because the shared memory of a block exists only after the block has begun. After the last
// synchronization no thread accesses another block's memory, so blocks may end. Each synchronization orders memory: the
// writes of the slots before their reads, and all that a unit did for one index before all that it does for the next.
module;
#include "../base/macros.hpp"
export module cudax.sync:stealing;
import :bits;
import :device_group;
import :device_launch;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// Types such as dim3 and uint3: constructed from three numbers, with members x, y and z.
template <class D>
concept dimensions_like = __is_class(D) && requires(D d, u32 n) {
  D{n, n, n};
  u32(d.x), u32(d.y), u32(d.z);
};

} // namespace cudax

export namespace cudax {

/// The index of a block in a grid. It is 0 in dimensions that the grid does not have.
/// Source:   extension; converts to dim3, to uint3 and to types of their shape, so functions may take these
/// Example:
///     __device__ unsigned row_major(cudax::block_index block) {
///       return block.y * gridDim.x + block.x;
///     }
struct block_index {
  u32 x, y, z;

  template <dimensions_like D>
  constexpr operator D() const noexcept {
    return D{x, y, z};
  }
  friend bool operator==(block_index const&, block_index const&) = default;
};

} // namespace cudax

namespace cudax::grid_detail::stealing {
using namespace machine;

/// The functions that can be called with the index of a block.
template <class F>
concept works = requires(F& f, block_index index) { f(index); };

/// Returns `index` with 0 in the dimensions that a grid of Rank dimensions does not have.
template <int Rank>
constexpr block_index in_rank(block_index index) noexcept {
  return {index.x, Rank > 1 ? index.y : 0, Rank > 2 ? index.z : 0};
}

/// What the first thread of a unit hands to a block.
struct alignas(16) slot { // one store
  block_index first;      // of the unit's first block
  u32 found;              // 0: no unit is left
};

/// An object in each block's shared memory, which all ways of stealing in a kernel use.
struct shared_state {
  gpu::cancellation_answer answer; // of a request to cancel a launch
  u64 answer_barrier;              // the barrier object at which the answer completes its bytes
  slot slots[2];
};

inline shared_state& here() noexcept {
  CUDAX_BLOCK_SHARED shared_state object;
  return object;
}

inline block_index own_index() noexcept {
  return {gpu::block_index(dimension::x), gpu::block_index(dimension::y), gpu::block_index(dimension::z)};
}
inline block_index grid_extent() noexcept {
  return {gpu::grid_extent(dimension::x), gpu::grid_extent(dimension::y), gpu::grid_extent(dimension::z)};
}
inline block_index unit_extent() noexcept {
  return {gpu::cluster_extent(dimension::x), gpu::cluster_extent(dimension::y), gpu::cluster_extent(dimension::z)};
}
inline u64 count(block_index extent) noexcept { return u64(extent.x) * extent.y * extent.z; }

/// Returns whether the calling thread is the first of its unit.
inline bool is_first_of_unit() noexcept { return gpu::group_rank(level::cluster) == 0; }

/// Returns the position of block `own` in its unit.
inline block_index place_in_unit(block_index own, block_index unit) noexcept {
  return {own.x % unit.x, own.y % unit.y, own.z % unit.z};
}

/// Blocks until all threads of the unit have called, and orders memory among them.
inline void meet(u32 blocks) noexcept {
  if (blocks == 1) gpu::sync_block(); // cheaper than sync_cluster
  else gpu::sync_cluster();
}

/// Calls f with the indices that `next` finds, until `next` finds none. Only the first thread of the unit calls
/// next(first), which sets `first` to the index of the next unit's first block and returns whether there is one. After
/// it has returned false, it is not called again.
template <int Rank, class Next, class F>
void share_out(Next& next, F& f) {
  shared_state& mine = here();
  block_index const unit = unit_extent();
  u32 const blocks = u32(count(unit));
  bool const is_first = is_first_of_unit();
  meet(blocks);
  for (u32 round = 0;; round ^= 1) {
    if (is_first) {
      slot next_unit{};
      next_unit.found = next(next_unit.first);
      if (blocks == 1) mine.slots[round] = next_unit;
      else
        for (u32 block = 0; block < blocks; ++block) *gpu::cluster_shared(&mine.slots[round], block) = next_unit;
    }
    meet(blocks);
    slot const got = mine.slots[round];
    if (!got.found) return;
    block_index index = got.first;
    if (blocks != 1) {
      block_index const offset = place_in_unit(own_index(), unit);
      index = {index.x + offset.x, index.y + offset.y, index.z + offset.z};
    }
    f(in_rank<Rank>(index));
  }
}

} // namespace cudax::grid_detail::stealing

CUDAX_EVERYWHERE_END
