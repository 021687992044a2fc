// SPDX-License-Identifier: Apache-2.0
//
// lanes: the lanes of a warp that execute a call together, in groups of peers: the lanes with the same key.
// All groups work at once: every lane takes part in every exchange of the warp's lanes, and each group combines the
// values of its own lanes, in the order of the lanes. The lanes of a group may be any subset of the warp. A scan finds
// the peer 1 rank below by the bits of the group's mask, the peer 2 ranks below by asking that peer for its own, and
// so on: after round k a lane's value covers 2^k lanes of its group.  Hillis and Steele, "Data Parallel Algorithms",
// Communications of the ACM 29 (1986), by pointer jumping
//
// Convergence. The lanes call activemask and then instructions `.sync` with the mask that they got. All lanes of that
// mask have executed this activemask together, so each lane has the same mask. Between activemask and a `.sync`, and
// between two of them, no lane can leave: the only branches depend on values that all lanes of the mask have in common,
// or end before the next `.sync`. So if the scheduler separates the lanes in between, the next `.sync` with the mask
// waits for all of them. clang treats the instructions as convergent and keeps this order. Lanes of the warp that do
// not take part, because they have exited or are elsewhere, are not in the mask and are not waited for. If the hardware
// runs the lanes one by one, each mask has one lane, and nothing is combined.
//
// What ptxas must not assume. The lanes of a warp can be in several sets at this place, each with its own mask. But
// ptxas (CUDA 13.0) takes the result of activemask for the same in the whole warp, and what it emits for a `.sync` with
// such a mask is wrong if two sets meet there: lanes read a value before it exists, or wait indefinitely (seen on an
// H200, also in code that nvcc compiles). Therefore each lane adds its own bit, which is in the mask anyway. Then the
// mask depends on the lane, and ptxas emits code for masks that differ (WARPSYNC.EXCLUSIVE). The result of match gets
// the bit for the same reason.
//
// None of this orders memory, except sync().
module;
#include "../base/macros.hpp"
export module cudax.sync:lanes;
import :bits;
import :device_group;
import :modify;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Returns the value of the lane `lane`, which is in `mask`. All lanes of `mask` call it with the same mask.
template <class V>
V from_lane(V const& value, u32 lane, u32 mask) noexcept {
  constexpr size_t words = (sizeof(V) + 3) / 4;
  u32 word[words] = {};
  __builtin_memcpy(word, __builtin_addressof(value), sizeof(V));
#pragma unroll
  for (size_t i = 0; i < words; ++i) gpu::shuffle_from(word[i], lane, mask);
  V result;
  __builtin_memcpy(__builtin_addressof(result), word, sizeof(V));
  return result;
}

/// The caller's group of lanes. The groups are disjoint, and together they are the mask.
class peers {
  u32 mask_;  // the lanes that execute the call together
  u32 lanes_; // those that have the caller's key, the caller included
  u32 lane_;

public:
  /// Finds the group of the lanes that call together with the same `key`. A lane that is `alone` is a group of its own.
  /// Requires: of the lanes with one key, all are alone or none is
  inline peers(u64 key, bool alone) noexcept : lane_(gpu::lane()) {
    u32 const own = 1u << lane_;
    mask_ = gpu::active_mask() | own; // `own`: see above
    u32 const same = gpu::match(key, mask_) | own;
    lanes_ = alone ? own : same;
  }

  /// The group is the lanes of `mask`, which are the ones that call.
  /// Requires: all lanes of `mask` call together with the caller, which is one of them
  explicit inline peers(u32 mask) noexcept : mask_(mask), lanes_(mask), lane_(gpu::lane()) {}

  /// Splits the group: only the lanes that also have the same `key` stay together.
  inline void split(u64 key) noexcept { lanes_ &= gpu::match(key, mask_); }

  /// Whether all lanes that call are one group: then they all get true, otherwise none does.
  inline bool are_all() const noexcept { return lanes_ == mask_; }
  inline u32 count() const noexcept { return u32(__builtin_popcount(lanes_)); }
  /// Returns how many lanes of the group are below the caller.
  inline u32 rank() const noexcept { return u32(__builtin_popcount(lower())); }
  /// The highest lane of the group. The result of a scan is complete there, so this lane acts for the group.
  inline u32 last() const noexcept { return highest(lanes_); }
  inline bool is_last() const noexcept { return lane_ == last(); }
  /// Returns the next lower lane of the group; the lowest one gets itself.
  inline u32 below() const noexcept { return lower() ? highest(lower()) : lane_; }

  /// Blocks until all lanes that call have called it. Everything sequenced before the call, in each of these lanes,
  /// happens before everything sequenced after it in each of them.
  inline void sync() const noexcept { gpu::sync_warp(mask_); }

  /// As sync, but only for the lanes of the caller's group: for an action of one of them that may block. If all lanes
  /// that call waited for it, a lane of another group could wait for an action that waits for that lane.
  inline void sync_group() const noexcept { gpu::sync_warp(lanes_); }

  /// Returns the value of the lane `lane` of the caller's group.
  template <class V>
  V from(u32 lane, V const& value) const noexcept {
    return from_lane(value, lane, mask_);
  }

  /// Returns the values of the group's lanes up to the caller, combined by `op` in the order of the lanes. `op` is
  /// associative.
  template <class V, class Op>
  V inclusive_scan(V value, Op op) const noexcept {
    u32 const count = this->count(), rank = this->rank();
    u32 below = this->below(); // the lane `distance` ranks below, if there is one
#pragma clang loop unroll(disable)
    for (u32 distance = 1; continues(distance, count, rank); distance *= 2) {
      V const lower = from(below, value);
      below = from(below, below);
      if (rank >= distance) value = op(lower, value);
    }
    return value;
  }

  /// Returns the values of the group's lanes, combined by `M`, to the last lane of the group. Other lanes get an
  /// unspecified value. `op` does the same as M, for two values.
  template <modification M, class V, class Op>
  V reduce(V value, Op op) const noexcept {
    if constexpr (__is_integral(V) && sizeof(V) <= 4)
      if (are_all() && gpu::has_lane_reduction()) return V(reduce_word<M>(value));
    return inclusive_scan(value, op);
  }

private:
  inline u32 lower() const noexcept { return lanes_ & ((1u << lane_) - 1); }
  static inline u32 highest(u32 lanes) noexcept { return 31 - u32(__builtin_clz(lanes)); }

  /// Whether a lane of any group has a lane `distance` ranks below. All lanes get the same answer.
  inline bool continues(u32 distance, u32 count, u32 rank) const noexcept {
    if (are_all()) return distance < count;
    return distance < 32 && gpu::ballot(rank >= distance, mask_) != 0;
  }

  /// One instruction for all lanes. Smaller integers are extended to 32 bits, so that their order stays the same.
  template <modification M, class V>
  auto reduce_word(V value) const noexcept {
    choose<__is_signed(V), int, u32> const word = value;
    if constexpr (M == modification::add) return gpu::lanes_add(u32(word), mask_);
    else if constexpr (M == modification::bit_and) return gpu::lanes_and(u32(word), mask_);
    else if constexpr (M == modification::bit_or) return gpu::lanes_or(u32(word), mask_);
    else if constexpr (M == modification::bit_xor) return gpu::lanes_xor(u32(word), mask_);
    else if constexpr (M == modification::max) return gpu::lanes_max(word, mask_);
    else return gpu::lanes_min(word, mask_);
  }
};

/// Returns the mask of the lowest `count` lanes of a warp, 1 to 32.
inline u32 lowest_lanes(u32 count) noexcept { return ~0u >> (32 - count); }

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
