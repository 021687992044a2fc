// SPDX-License-Identifier: Apache-2.0
//
// work_queue: distributes the indices of a grid among the blocks of a launch, which may be smaller than that grid.
// It does on every SM what for_each_canceled_block does by cancelling launches. The queue describes a grid. The program
// launches as many blocks as should work, for example as many as the device runs at the same time. Each block begins
// with its own index. Blocks that finish early take the indices with which no block begins. If the launch is as large
// as the grid, no index is stolen; if it is one block, that block takes all indices.
//
// The queue has one counter, which is 0 between launches. A unit is a cluster if the launch has clusters, otherwise a
// block. Let `units` be the number of units in the queue, and `workers` the number of units in the launch. The first
// min(units, workers) units are the workers' own. Let `left` be the number of the other units. A worker takes one of
// these by a fetch_add of 1: the returned value is the number of the unit among them. A value of `left` or more means
// that no unit is left, and then the worker stops. So each worker makes exactly one addition without getting a unit,
// and the returned values are known in advance: 0 to left + workers - 1, of which the last `workers` values bring no
// unit. The worker that gets the very last value knows that every worker has made its last addition. It sets the
// counter back to 0, which makes the queue ready for the next launch.
//
// Memory orders. All operations are relaxed. The counter only hands out numbers: the data of an index were written
// before the launch, and calls of f in different blocks are not ordered. Read-modify-writes of one word return each
// value once, whatever their order. The store of 0 is sequenced after the read-modify-write that returned the last
// value. So coherence orders the store after all read-modify-writes, and the end of the kernel orders it before the
// next launch.
module;
#include "../base/macros.hpp"
export module cudax.sync:work_queue;
import :bits;
import :machine;
import :modify;
import :order;
import :scope;
import :stealing;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::grid_detail::stealing {
using namespace machine;

/// Returns the index of the first block of unit number `n` in a grid of extent `extent`; x varies fastest.
template <int Rank>
block_index first_of(u64 n, block_index extent, block_index unit) noexcept {
  if constexpr (Rank == 1) return {u32(n) * unit.x, 0, 0};
  u32 const across = extent.x / unit.x, down = extent.y / unit.y;
  u64 const row = n / across;
  if constexpr (Rank == 2) return {u32(n % across) * unit.x, u32(row) * unit.y, 0};
  return {u32(n % across) * unit.x, u32(row % down) * unit.y, u32(row / down) * unit.z};
}

/// Finds the next unit by counting. Only the first thread of a unit calls it.
template <int Rank>
class counting {
  u64* taken_;
  block_index extent_, unit_;
  u64 workers_, left_;

public:
  inline counting(u64* taken, block_index extent, block_index unit, u64 units, u64 workers) noexcept
    : taken_(taken), extent_(extent), unit_(unit), workers_(workers), left_(units > workers ? units - workers : 0) {}

  inline bool operator()(block_index& first) noexcept {
    u64 const n = fetch<modification::add, thread_scope_device, u64>(taken_, 1, memory_order::relaxed);
    CUDAX_ENSURE(n < left_ + workers_,
                 "for_each: the counter of the work_queue was at %lld, a value that this launch cannot reach; set it "
                 "to 0 after a kernel that did not end, and use the queue once in a kernel and in one kernel at a time",
                 (long long)n);
    if (n < left_) {
      first = first_of<Rank>(workers_ + n, extent_, unit_);
      return true;
    }
    if (n == left_ + workers_ - 1) store<thread_scope_device, u64>(taken_, 0, memory_order::relaxed);
    return false;
  }
};

/// A queue as a source of units for a launch: the caller's own unit, if it has one, then those that `counting` finds.
template <int Rank>
class queued {
  counting<Rank> next_;
  block_index extent_, unit_;
  u64 units_;

public:
  inline queued(u64* taken, block_index extent, block_index unit, u64 units, u64 workers) noexcept
    : next_(taken, extent, unit, units, workers), extent_(extent), unit_(unit), units_(units) {}

  /// Sets `index` to the index of the calling thread's block. Returns false if it has none.
  inline bool own(block_index& index) const noexcept {
    block_index const own = own_index(), launch = grid_extent();
    u64 const number =
        ((u64)(own.z / unit_.z) * (launch.y / unit_.y) + own.y / unit_.y) * (launch.x / unit_.x) + own.x / unit_.x;
    if (number >= units_) return false;
    block_index const first = first_of<Rank>(number, extent_, unit_), offset = place_in_unit(own, unit_);
    index = {first.x + offset.x, first.y + offset.y, first.z + offset.z};
    return true;
  }
  inline void begin() noexcept {}
  inline bool operator()(block_index& first) noexcept { return next_(first); }
};

struct queue_access;

} // namespace cudax::grid_detail::stealing

export namespace cudax {

/// A grid of Rank dimensions whose indices for_each distributes among the blocks of a launch. The object can be copied
/// freely, also as a kernel parameter: all copies are the same queue.
/// Source:   extension
/// Requires: `taken`, an unsigned long long in device, managed or mapped memory, holds 0 before the first launch.
///           for_each leaves it at 0. After a kernel that did not run to its end, the program must set it to 0, by
///           reset() or cudaMemset
/// Example:
///     __global__ void scale(float* data, cudax::work_queue<1> queue) {
///       for_each(queue, [=](cudax::block_index block) { data[block.x * blockDim.x + threadIdx.x] *= 2; });
///     }
///     void run(float* data, unsigned long long* taken) { // *taken is 0
///       scale<<<132, 256>>>(data, cudax::work_queue(taken, 10000)); // 132 blocks work on 10000 indices
///     }
template <int Rank = 3>
class work_queue {
  static_assert(Rank >= 1 && Rank <= 3,
                "cudax.sync: work_queue: a grid has 1, 2 or 3 dimensions; use one of these as Rank");

  u64* taken_;
  block_index extent_;

public:
  static constexpr int rank = Rank;

  /// Makes a queue of x * y * z indices. The extent is 1 in dimensions beyond Rank.
  /// Requires: x * y * z is below 2^63; it may be 0
  /// Errors:   checked builds stop if the grid has more dimensions than Rank
  constexpr work_queue(u64* taken, u32 x, u32 y = 1, u32 z = 1) noexcept
      CUDAX_REFUSE((Rank < 2 && y != 1) || (Rank < 3 && z != 1),
                   "work_queue: the extents are of more dimensions than Rank; use their number as Rank")
    : taken_(taken), extent_{x, y, z} {
    CUDAX_ENSURE((Rank > 1 || y == 1) && (Rank > 2 || z == 1),
                 "work_queue<%lld>: the extents are of more dimensions; use their number as Rank", Rank);
  }
  /// As above, from a dim3.
  template <dimensions_like D>
  constexpr work_queue(u64* taken, D const& extent) noexcept
    : work_queue(taken, u32(extent.x), u32(extent.y), u32(extent.z)) {}

  constexpr block_index extent() const noexcept { return extent_; }

  /// Returns the number of indices.
  constexpr u64 size() const noexcept { return u64(extent_.x) * extent_.y * extent_.z; }

  /// Makes the queue ready after a kernel that did not run to its end.
  /// Requires: no kernel uses the queue; the caller can access the counter
  inline void reset() const noexcept { machine::store<thread_scope_device, u64>(taken_, 0, memory_order::relaxed); }

  /// Calls f with the index of the calling thread's own block, then with further indices, until none is left. Every
  /// index of the queue's grid goes to exactly one block of the launch. All threads of the block call f with the index,
  /// and what they do for one index happens before what they do for the next.
  ///   Blocks and indices are numbered; x varies fastest. A block's own index is the index in the queue's grid that has
  ///   the block's number in the launch. The index is equal to blockIdx if the launch has the shape of the queue's
  ///   grid, and also if the launch is smaller than that grid in the last dimension only. A block whose number is not
  ///   below size() has no index of its own.
  ///   The blocks of a cluster take a whole cluster of indices by one request, and each block works on its own index in
  ///   that cluster. If the launch has clusters, the numbers are those of clusters: a cluster of blocks begins with the
  ///   cluster of indices that has its number.
  ///   On the host the calling thread calls f with every index, in the order of their numbers, and does not use the
  ///   counter.
  /// Order:    none among calls by different blocks
  /// Requires: all threads of all blocks of the launch call it, once in a kernel for each queue, or again after a
  ///           barrier of the whole grid; only one kernel uses the queue at a time. The extent is a multiple of the
  ///           clusters' extent in each dimension
  /// Errors:   checked builds stop if the clusters do not divide the grid, or if the counter was not 0
  template <class F>
  friend void for_each(work_queue const& queue, F f) {
    queue.each(f);
  }

private:
  friend grid_detail::stealing::queue_access;

  /// The queue, for the calling thread's launch.
  grid_detail::stealing::queued<Rank> source() const noexcept {
    namespace stealing = grid_detail::stealing;
    block_index const unit = stealing::unit_extent();
    CUDAX_ENSURE(
        extent_.x % unit.x == 0 && extent_.y % unit.y == 0 && extent_.z % unit.z == 0,
        "for_each: a cluster of %lld blocks does not divide the grid of the work_queue in each dimension; make the "
        "extents multiples of the cluster's",
        (long long)stealing::count(unit));
    u64 const in_unit = stealing::count(unit);
    return {taken_, extent_, unit, size() / in_unit, stealing::count(stealing::grid_extent()) / in_unit};
  }

  template <class F>
  void each(F& f) const {
    static_assert(
        grid_detail::stealing::works<F>,
        "cudax.sync: for_each: f must be callable with a block_index, or with what converts from it, as dim3");
    if constexpr (!machine::traits::has_grid) {
      for (u32 z = 0; z < extent_.z; ++z)
        for (u32 y = 0; y < extent_.y; ++y)
          for (u32 x = 0; x < extent_.x; ++x) f(block_index{x, y, z});
    } else {
      namespace stealing = grid_detail::stealing;
      stealing::queued<Rank> next = source();
      if (block_index own{}; next.own(own)) f(stealing::in_rank<Rank>(own));
      stealing::share_out<Rank>(next, f);
    }
  }
};

work_queue(u64*, u32) -> work_queue<1>;
work_queue(u64*, u32, u32) -> work_queue<2>;
work_queue(u64*, u32, u32, u32) -> work_queue<3>;
template <dimensions_like D>
work_queue(u64*, D const&) -> work_queue<3>;

} // namespace cudax

namespace cudax::grid_detail::stealing {
using namespace machine;

struct queue_access {
  template <int Rank>
  static queued<Rank> source(work_queue<Rank> const& queue) noexcept {
    return queue.source();
  }
};

} // namespace cudax::grid_detail::stealing

CUDAX_EVERYWHERE_END
