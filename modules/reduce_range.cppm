// SPDX-License-Identifier: Apache-2.0
//
// reduce_range: the elements of a range combined into one by the threads of a grid.
// The grid strides over the range: neighbours read neighbours, 16 bytes each where the range is aligned so, several at a time, since
// what limits a reduction is how many bytes are under way (Little's law: tests/examples/chapter_3). Then the threads'
// values are combined as by reduce. The k-th element of each 16 bytes is combined with other k-th ones first, so the operation
// has to be commutative, too, as std::reduce has it.
module;
#include "macros.hpp"
#if CUDAX_ON_DEVICE
#include "../arch/abi.hpp"
#endif
export module cudax.sync:reduce_range;
import :bits;
import :reduce;
import :reduce_block;
import :reduce_state;
import :scope;

CUDAX_EVERYWHERE_BEGIN

#if CUDAX_ON_DEVICE

namespace cudax::machine::reducing {

inline constexpr size_t bytes_at_once = 16;
inline constexpr u64 packs_at_once = 4;

/// How many elements make 16 bytes; 1 where none do.
template <class T>
inline constexpr u32 in_pack =
    sizeof(T) < bytes_at_once && bytes_at_once % sizeof(T) == 0 ? u32(bytes_at_once / sizeof(T)) : 1;

/// N elements that are loaded at once.
template <class T, u32 N>
struct pack {
  cell<T> element[N];

  static pack at(T const* range, u64 index) noexcept {
    constexpr size_t alignment = N > 1 ? bytes_at_once : alignof(T);
    pack result;
    __builtin_memcpy(&result, __builtin_assume_aligned(range + index * N, alignment), sizeof(T) * N);
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

/// The elements of the range's first `count` packs that fall to the thread of this rank among `threads`. It has one at least.
template <u32 N, class T, class Op>
cell<T> fold_packs(T const* range, u64 count, u64 rank, u64 threads, Op& op) {
  pack<T, N> sum = pack<T, N>::at(range, rank);
  u64 i = rank + threads;
  // Written so that it cannot overflow: count is less than 2^63, and so is what is added.
  for (; i + (packs_at_once - 1) * threads < count; i += packs_at_once * threads) {
    pack<T, N> some[packs_at_once];
#pragma unroll
    for (u64 k = 0; k < packs_at_once; ++k) some[k] = pack<T, N>::at(range, i + k * threads); // all under way at once
#pragma unroll
    for (u64 width = packs_at_once / 2; width != 0; width /= 2)
#pragma unroll
      for (u64 k = 0; k < width; ++k) some[k] = combine(some[k], some[k + width], op);
    sum = combine(sum, some[0], op);
  }
  for (; i < count; i += threads) sum = combine(sum, pack<T, N>::at(range, i), op);
  cell<T> result = sum.element[0];
#pragma unroll
  for (u32 k = 1; k < N; ++k) result = combine(result, sum.element[k], op);
  return result;
}

/// A thread's share of a range, and how many threads have one: the first ones.
template <class T>
struct share {
  cell<T> value;
  u64 threads;
};
template <u32 N, class T, class Op>
share<T> share_by_packs(T const* range, u64 n, u64 rank, u64 threads, Op& op) {
  u64 const packs = n / N, rest = n % N; // the rest: an element for each of the first threads
  u64 const with_packs = packs < threads ? packs : threads;
  share<T> result{cell<T>(), with_packs > rest ? with_packs : rest};
  if (rank < packs) result.value = fold_packs<N>(range, packs, rank, threads, op);
  if (rank < rest) {
    cell<T> const last = cell<T>::of(range[packs * N + rank]);
    result.value = rank < packs ? combine(result.value, last, op) : last;
  }
  return result;
}
template <class T, class Op>
share<T> share_of(T const* range, u64 n, Op& op) {
  position const here;
  u64 const rank = u64(here.block) * here.threads + here.rank, threads = u64(here.blocks) * here.threads;
  constexpr u32 many = in_pack<T>;
  // Fewer threads than elements that are over would leave some of them out.
  if (many > 1 && __builtin_is_aligned(range, bytes_at_once) && threads >= many)
    return share_by_packs<many>(range, n, rank, threads, op);
  return share_by_packs<1>(range, n, rank, threads, op);
}

} // namespace cudax::machine::reducing

#else

namespace cudax::machine::reducing {

template <class T, class Op>
T fold_range(T const* range, u64 n, T const& initial, Op& op) {
  cell<T> result = cell<T>::of(initial);
  for (u64 i = 0; i < n; ++i) result = combine(result, cell<T>::of(range[i]), op);
  return result.value();
}

} // namespace cudax::machine::reducing

#endif

export namespace cudax {

/// Combines `initial` and the n elements from `range` on, by all threads of the grid, which call it with the same arguments; one
/// thread, of the block that comes last, calls sink(result). No block waits for another. Of an empty range the result is `initial`.
/// On the host the calling thread does all of it, from the left.
/// Source:   [numeric.reduce]; the grid is an extension
/// Order:    what any thread did before happens before the call of sink. Which elements are combined first follows from n, from
///           whether `range` is aligned to 16 bytes, and from the shape of the launch alone: the same bits again
/// Units:    n: elements, less than 2^62
/// Requires: op is associative and commutative; the rest as of reduce(state, value, op, sink)
/// Errors:   as there
template <class T, thread_scope Scope, size_t Places, combining<T> Op, machine::reducing::taking<T> Sink>
void reduce([[maybe_unused]] reduce_state<T, Scope, Places>& state, T const* range, u64 n, remove_cv<T> const& initial,
            Op op, Sink sink) {
#if CUDAX_ON_DEVICE
  using namespace machine::reducing;
  share<T> const mine = share_of(range, n, op);
  cell<T> const before = cell<T>::of(initial);
  reduce_grid<false>(state, mine.value, mine.threads, op, [&](cell<T> const& found) {
    cell<T> const result = n == 0 ? before : combine(before, found, op);
    sink(result.value());
    return result;
  });
#else
  sink(machine::reducing::fold_range(range, n, initial, op));
#endif
}

/// The same, and every thread of the grid gets the result. May be called again at once with the same state.
/// Order:    what any thread did before happens before what each does behind
/// Requires: also that all blocks run at the same time: a cooperative launch
template <class T, thread_scope Scope, size_t Places, combining<T> Op>
T reduce([[maybe_unused]] reduce_state<T, Scope, Places>& state, T const* range, u64 n, remove_cv<T> const& initial,
         Op op) {
#if CUDAX_ON_DEVICE
  using namespace machine::reducing;
  share<T> const mine = share_of(range, n, op);
  cell<T> const before = cell<T>::of(initial);
  return reduce_grid<true>(state, mine.value, mine.threads, op,
                           [&](cell<T> const& found) { return n == 0 ? before : combine(before, found, op); })
      .value();
#else
  return machine::reducing::fold_range(range, n, initial, op);
#endif
}

} // namespace cudax

CUDAX_EVERYWHERE_END
