// SPDX-License-Identifier: Apache-2.0
//
// reduce_range: combines the elements of a range into one value, by the threads of a grid.
// Neighbouring threads read neighbouring memory, in packs of 16 bytes. A thread makes several reads before it uses any
// of them, because the number of bytes in flight limits a reduction (Little's law: tests/examples/textbook_kernels).
// 32 threads with neighbouring ranks read a tile together. What a thread reads of a tile is at fixed distances from one
// address, so the reads take few registers and many threads fit on an SM. Some elements are in no tile: those before
// the first aligned pack, and those after the last whole tile. The first threads of the grid read them one by one. Then
// the threads' values are combined as by reduce. A thread first combines its packs element by element, the k-th with
// the k-th, so the operation must also be commutative, as for std::reduce.
module;
#include "../base/macros.hpp"
export module cudax.sync:reduce_range;
import :bits;
import :machine;
import :reduce;
import :reduce_block;
import :reduce_state;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::grid_detail::reducing {
using namespace machine;

inline constexpr size_t bytes_at_once = 16;

/// The number of elements in a pack: as many as make 16 bytes, or 1 if no number of elements makes 16 bytes.
template <class T>
inline constexpr u32 in_pack =
    sizeof(T) < bytes_at_once && bytes_at_once % sizeof(T) == 0 ? u32(bytes_at_once / sizeof(T)) : 1;
/// N elements that are loaded at once.
template <class T, u32 N>
struct pack {
  cell<T> element[N];

  static pack at(T const* range) noexcept {
    constexpr size_t alignment = N > 1 ? bytes_at_once : alignof(T);
    pack result;
    __builtin_memcpy(&result, __builtin_assume_aligned(range, alignment), sizeof(T) * N);
    return result;
  }
};
template <class T, u32 N, class Op>
pack<T, N> combine(pack<T, N> const& left, pack<T, N> const& right, Op& op) {
  pack<T, N> result;
#pragma unroll
  for (u32 i = 0; i < N; ++i) result.element[i] = combine(left.element[i], right.element[i], op);
  return result;
}

/// Combines a thread's packs of a tile. The first pack is at `first`, and each further pack is 32 packs after the one
/// before it.
template <u32 N, class T, class Op>
pack<T, N> fold_packs(T const* first, Op& op) {
  constexpr u32 many = at_once<T>;
  pack<T, N> some[many];
#pragma unroll
  for (u32 k = 0; k < many; ++k) some[k] = pack<T, N>::at(first + k * lanes_in_warp * N); // all in flight at once
#pragma unroll
  for (u32 width = many / 2; width != 0; width /= 2)
#pragma unroll
    for (u32 k = 0; k < width; ++k) some[k] = combine(some[k], some[k + width], op);
  return some[0];
}

/// Returns how many elements of a range are before the first aligned pack; `n` if no pack can be aligned.
template <class T>
u64 before_packs(T const* range, u64 n) noexcept {
  if constexpr (in_pack<T> == 1) {
    return 0;
  } else {
    u64 const address = reinterpret_cast<u64>(range), over = address % bytes_at_once;
    if (alignof(T) < sizeof(T) && over % sizeof(T) != 0) return n;
    u64 const before = (bytes_at_once - over) % bytes_at_once / sizeof(T);
    return before < n ? before : n;
  }
}

/// The value of a thread's share of a range, and the number of threads that have a share. The grid's first threads have
/// one.
template <class T>
struct share {
  cell<T> value;
  u64 threads;
};
template <class T, class Op>
share<T> share_of(T const* range, u64 n, Op& op) {
  constexpr u32 many = in_pack<T>, in_tile = lanes_in_warp * at_once<T> * many; // elements
  position const here;
  u64 const rank = u64(here.block) * here.threads + here.rank, threads = u64(here.blocks) * here.threads;
  u64 const warps = threads / lanes_in_warp, warp = rank / lanes_in_warp; // 32 ranks of the grid; may span blocks
  u64 const before = before_packs(range, n), tiles = warps == 0 ? 0 : (n - before) / in_tile;
  u64 const loose = n - tiles * in_tile;
  u64 const with_tile = (tiles < warps ? tiles : warps) * lanes_in_warp, with_loose = loose < threads ? loose : threads;
  share<T> mine{cell<T>(), with_tile > with_loose ? with_tile : with_loose};

  if (rank < with_loose) {
    auto const at = [&](u64 i) { return cell<T>::of(range[i < before ? i : i + tiles * in_tile]); };
    mine.value = at(rank); // in flight together with the tiles
    for (u64 i = rank + threads; i < loose; i += threads) mine.value = combine(mine.value, at(i), op);
  }
  if (rank < with_tile) {
    T const* first = range + before + warp * in_tile + u32(rank) % lanes_in_warp * many;
    auto sum = fold_packs<many>(first, op);
    for (u64 tile = warp + warps; tile < tiles; tile += warps) {
      first += warps * in_tile;
      sum = combine(sum, fold_packs<many>(first, op), op);
    }
    cell<T> result = sum.element[0];
#pragma unroll
    for (u32 k = 1; k < many; ++k) result = combine(result, sum.element[k], op);
    mine.value = rank < with_loose ? combine(result, mine.value, op) : result;
  }
  return mine;
}

/// Combines a range in the calling thread, from the left.
template <class T, class Op>
T fold_range(T const* range, u64 n, T const& initial, Op& op) {
  cell<T> result = cell<T>::of(initial);
  for (u64 i = 0; i < n; ++i) result = combine(result, cell<T>::of(range[i]), op);
  return result.value();
}

} // namespace cudax::grid_detail::reducing

export namespace cudax {

/// Combines `initial` and the n elements that begin at `range`, by all threads of the grid, which call it with the same
/// arguments. One thread of the last block calls sink(result). No block waits for another block. For an empty range the
/// result is `initial`. On the host the calling thread combines all elements, from the left.
///   It is fastest if the grid has the number of threads that the device can run at the same time, and if each thread
///   has 64 bytes to read. To get this, give the kernel __launch_bounds__(512, 4), and launch four blocks of 512
///   threads for each SM, or one block for each 32 KiB of the range if these are fewer. An SM with 1024
///   resident threads (sm_75) holds only two of these blocks, and an SM with 1536 (sm_86, sm_87, sm_89, sm_110, sm_120,
///   sm_121) holds three. For these, ptxas reports that four do not fit, and ignores the 4 in __launch_bounds__.
/// Source:   [numeric.reduce]; the grid is an extension
/// Order:    everything sequenced before the call, in every thread, happens before the call of sink. Which elements are
///           combined first depends only on n, on the address of `range` modulo 16, and on the shape of the launch, so
///           equal launches give the same bits
/// Units:    n: elements, less than 2^62
/// Requires: op is associative and commutative; otherwise as reduce(state, value, op, sink)
/// Errors:   as reduce(state, value, op, sink)
/// Example:
///     __global__ void add(cudax::reduce_state<float>* state, float const* range, unsigned long long n, float* sum) {
///       auto const plus = [](float a, float b) { return a + b; };
///       reduce(*state, range, n, 0.0f, plus, [=](float result) { *sum = result; });
///     }
template <class T, thread_scope Scope, size_t Places, combining<T> Op, grid_detail::reducing::taking<T> Sink>
void reduce([[maybe_unused]] reduce_state<T, Scope, Places>& state, T const* range, u64 n, remove_cv<T> const& initial,
            Op op, Sink sink) {
  using namespace grid_detail::reducing;
  if constexpr (!machine::traits::has_grid) {
    sink(fold_range(range, n, initial, op));
  } else {
    share<T> const mine = share_of(range, n, op);
    cell<T> const before = cell<T>::of(initial);
    reduce_grid<false>(state, mine.value, mine.threads, op, [&](cell<T> const& found) {
      cell<T> const result = n == 0 ? before : combine(before, found, op);
      sink(result.value());
      return result;
    });
  }
}

/// As above, and returns the result to every thread of the grid. May be called again immediately with the same state.
/// Order:    everything sequenced before the call, in every thread, happens before everything sequenced after it, in
///           every thread
/// Requires: as above, and all blocks run at the same time: a cooperative launch
template <class T, thread_scope Scope, size_t Places, combining<T> Op>
T reduce([[maybe_unused]] reduce_state<T, Scope, Places>& state, T const* range, u64 n, remove_cv<T> const& initial,
         Op op) {
  using namespace grid_detail::reducing;
  if constexpr (!machine::traits::has_grid) {
    return fold_range(range, n, initial, op);
  } else {
    share<T> const mine = share_of(range, n, op);
    cell<T> const before = cell<T>::of(initial);
    return reduce_grid<true>(state, mine.value, mine.threads, op,
                             [&](cell<T> const& found) { return n == 0 ? before : combine(before, found, op); })
        .value();
  }
}

} // namespace cudax

CUDAX_EVERYWHERE_END
