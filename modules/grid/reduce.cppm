// SPDX-License-Identifier: Apache-2.0
//
// reduce: combines the values of all threads of a grid into one value, in one kernel, without a barrier of the grid.
// Each block combines the values of its threads (reduce_block), stores the result and increments a counter
// (reduce_state). The block that increments last combines the results of all blocks. If only one thread gets the
// result, the other blocks are done and no block waits. If every thread gets the result, the other blocks wait for the
// last block.
//
// The values are combined in the order of the threads' ranks, whichever block is last, so the operation only needs to
// be associative. A launch of the same shape gives the same bits again, even if the operation is only approximately
// associative, as with floating-point numbers.
module;
#include "../base/macros.hpp"
export module cudax.sync:reduce;
import :bits;
import :device_group;
import :machine;
import :reduce_block;
import :reduce_state;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Names a part of a reduction: part number `rank`, from 0, of `count` parts.
/// Source:   extension
/// Example:
///     __device__ void add(cudax::reduce_state<int>& state, unsigned rank, unsigned count, int value, int* sum) {
///       auto const plus = [](int a, int b) { return a + b; };
///       reduce(state, cudax::reduce_part{rank, count}, value, plus, [=](int result) { *sum = result; });
///     }
struct reduce_part {
  u32 rank, count;
};

} // namespace cudax

namespace cudax::grid_detail::reducing {
using namespace machine;

template <class Sink, class T>
concept taking = requires(Sink& sink, T const& result) { sink(result); };

/// Performs the reduction for parts that are one thread each. Returns whether the caller is the last part; only that
/// part gets the result.
template <class T, thread_scope Scope, size_t Places, class Op>
bool reduce_part_of(reduce_state<T, Scope, Places>& state, reduce_part part, T const& value, Op& op, cell<T>& result) {
  using operations = parts<T, Scope, Places>;
  CUDAX_ENSURE(part.count != 0 && part.count <= Places,
               "reduce: %lld parts do not fit in the reduce_state; use its parameter Places", part.count);
  CUDAX_ENSURE(part.rank < part.count, "reduce: there is no part number %lld; use ranks below the count", part.rank);
  operations::put(state, part.rank, cell<T>::of(value));
  if (!operations::arrive(state, part.count)) return false;
  result = operations::partial(state, 0);
  for (u32 i = 1; i < part.count; ++i) result = combine(result, operations::partial(state, i), op);
  return true;
}

/// The position of the calling thread in its grid.
struct position {
  u32 rank = u32(gpu::group_rank(level::block)), threads = u32(gpu::group_size(level::block));
  u32 blocks = gpu::grid_extent(dimension::x) * gpu::grid_extent(dimension::y) * gpu::grid_extent(dimension::z);
  u32 block = (gpu::block_index(dimension::z) * gpu::grid_extent(dimension::y) + gpu::block_index(dimension::y)) *
                  gpu::grid_extent(dimension::x) +
              gpu::block_index(dimension::x);
};

/// Returns how many of the grid's blocks have at least one of the grid's first `count` threads. It avoids a 64-bit
/// division, which is slow.
inline u32 blocks_of(u64 count, position const& here) {
  if (count >= u64(here.blocks) * here.threads) return here.blocks;
  u32 const high = u32(count >> 20), low = u32(count) % (1u << 20); // a block has at most 2^10 threads, the grid 2^41
  return (high / here.threads << 20) + ((high % here.threads << 20) + low + here.threads - 1) / here.threads;
}

/// Combines the results of the blocks. Each thread combines the results of neighbouring blocks, then the block combines
/// the values of its threads. Only the last block calls it; its first thread gets the result.
template <class T, thread_scope Scope, size_t Places, class Op>
cell<T> fold_blocks(reduce_state<T, Scope, Places> const& state, position const& here, u32 count, Op& op) {
  using operations = parts<T, Scope, Places>;
  bool const one_each = count <= here.threads; // without a division
  u32 const each = one_each ? 1 : (count + here.threads - 1) / here.threads;
  u32 const first = here.rank * each, mine = count_from(count, first, each);
  cell<T> found;
  if (mine != 0) found = operations::partial(state, first);
#pragma unroll 1
  for (u32 i = 1; i < mine; i += at_once<T>) {
    cell<T> some[at_once<T>];
#pragma unroll
    for (u32 k = 0; k < at_once<T>; ++k)
      if (i + k < mine) some[k] = operations::partial(state, first + i + k);
#pragma unroll
    for (u32 k = 0; k < at_once<T>; ++k)
      if (i + k < mine) found = combine(found, some[k], op);
  }
  return fold_block(found, one_each ? count : (count + each - 1) / each, op);
}

/// Combines the values of the grid's first `count` threads. All threads of the grid call it. The first thread of the
/// last block calls end(result); `result` has no value if count is 0. If All is true, every thread of the grid gets
/// what `end` returns.
template <bool All, class T, thread_scope Scope, size_t Places, class Op, class End>
cell<T> reduce_grid(reduce_state<T, Scope, Places>& state, cell<T> const& value, u64 count, Op& op, End end) {
  static_assert(
      is_wider_than_cluster(Scope),
      "cudax.sync: reduce: the blocks of a grid need a reduce_state of device or system scope; for fewer threads use "
      "reduce_part");
  using operations = parts<T, Scope, Places>;
  position const here;
  auto& shared = place_of<T>();
  bool const is_first = here.rank == 0;
  CUDAX_ENSURE(
      here.blocks <= Places,
      "reduce: a grid of %lld blocks does not fit in the reduce_state; launch fewer, or use its parameter Places",
      here.blocks);
  u32 const with_value = count_from(count, u64(here.block) * here.threads, here.threads); // threads of this block
  cell<T> found = fold_block(value, with_value, op);
  u32 round = 0;
  if (is_first) {
    // Only the first thread: what the other threads did happens before this, by the sync_block() in fold_block.
    if (All) round = operations::round(state);
    if (with_value != 0) operations::put(state, here.block, found);
    shared.is_last = operations::arrive(state, here.blocks);
  }
  gpu::sync_block(); // all threads now know whether the block is last, and what its first thread acquired is visible
  if (shared.is_last) {
    if (count != 0) found = fold_blocks(state, here, blocks_of(count, here), op);
    if (is_first) {
      found = end(found);
      if constexpr (All) operations::publish(state, found, round);
    }
  } else if constexpr (All) {
    if (is_first) found = operations::await(state, round);
  }
  if constexpr (All) {
    if (is_first) shared.result.put(found);
  }
  // Publishes the result in the block, and separates these uses of `shared` from those of the next reduction. If All is
  // false, a block that is not last needs neither: its last use of of_warp was before the sync_block() above.
  if (All || shared.is_last) gpu::sync_block();
  return All ? shared.result.get() : found;
}

} // namespace cudax::grid_detail::reducing

export namespace cudax {

/// Combines the values that all threads of the grid pass. One thread of the last block calls sink(result). No block
/// waits for another block, so the grid may have any size that fits in the state, and its blocks need not all run at
/// the same time. On the host the calling thread is the grid.
/// Source:   extension; CUDA's sample threadFenceReduction works in this way, in one kernel without a barrier of the
///           grid
/// Order:    everything sequenced before the call, in every thread, happens before the call of sink. The values are
///           combined in the order of the threads' ranks; x varies fastest, in the block and in the grid. Which values
///           are combined first depends only on the shape of the launch
/// Requires: op is associative. Several threads call op concurrently, and the number of calls may exceed the number of
///           values. All threads of the grid call reduce. The state is ready, and is used again in this kernel only
///           after a barrier of the grid
/// Errors:   checked builds stop if the grid has more blocks than the state has places, or if the state was not ready
template <class T, thread_scope Scope, size_t Places, combining<T> Op, grid_detail::reducing::taking<T> Sink>
void reduce([[maybe_unused]] reduce_state<T, Scope, Places>& state, remove_cv<T> const& value, Op op, Sink sink) {
  if constexpr (!machine::traits::has_grid) {
    sink(value);
  } else {
    using grid_detail::reducing::cell;
    grid_detail::reducing::reduce_grid<false>(state, cell<T>::of(value), ~0ull >> 1, op, [&](cell<T> const& result) {
      sink(result.value());
      return result;
    });
  }
}

/// As above, and returns the result to every thread of the grid. May be called again immediately with the same state.
/// Order:    everything sequenced before the call, in every thread, happens before everything sequenced after it, in
///           every thread
/// Requires: as above, and all blocks run at the same time: a cooperative launch
/// Example:
///     __global__ void normalize(cudax::reduce_state<float>* state, float* values) {
///       float& own = values[blockIdx.x * blockDim.x + threadIdx.x];
///       own /= reduce(*state, own, [](float a, float b) { return a > b ? a : b; }); // every thread gets the maximum
///     }
template <class T, thread_scope Scope, size_t Places, combining<T> Op>
T reduce([[maybe_unused]] reduce_state<T, Scope, Places>& state, remove_cv<T> const& value, [[maybe_unused]] Op op) {
  if constexpr (!machine::traits::has_grid) {
    return value;
  } else {
    using grid_detail::reducing::cell;
    auto const as_it_is = [](cell<T> const& result) { return result; };
    return grid_detail::reducing::reduce_grid<true>(state, cell<T>::of(value), ~0ull >> 1, op, as_it_is).value();
  }
}

/// Combines the values of threads that are not a grid: each thread is the part that it names. The thread that arrives
/// last calls sink(result); no thread waits. Threads of the host and of devices may take part in one reduction.
/// Order:    everything sequenced before the call, in every part, happens before the call of sink. The values are
///           combined in the order of the ranks, from the left
/// Requires: op is associative. Each rank below `count` takes part once, with the same count. The state has at least
///           `count` places and is ready. The return of sink happens before the state is used again
template <class T, thread_scope Scope, size_t Places, combining<T> Op, grid_detail::reducing::taking<T> Sink>
void reduce(reduce_state<T, Scope, Places>& state, reduce_part part, remove_cv<T> const& value, Op op, Sink sink) {
  grid_detail::reducing::cell<T> result;
  if (grid_detail::reducing::reduce_part_of(state, part, value, op, result)) sink(result.value());
}

/// As above, and returns the result to every part. May be called again immediately with the same state.
/// Order:    everything sequenced before the call, in every part, happens before everything sequenced after it, in
///           every part
/// Requires: as above; all parts make progress until they have called the function; op does not throw, because the
///           other parts wait for the result
template <class T, thread_scope Scope, size_t Places, combining<T> Op>
T reduce(reduce_state<T, Scope, Places>& state, reduce_part part, remove_cv<T> const& value, Op op) {
  using operations = grid_detail::reducing::parts<T, Scope, Places>;
  u32 const round = operations::round(state);
  grid_detail::reducing::cell<T> result;
  if (grid_detail::reducing::reduce_part_of(state, part, value, op, result)) operations::publish(state, result, round);
  else result = operations::await(state, round);
  return result.value();
}

} // namespace cudax

CUDAX_EVERYWHERE_END
