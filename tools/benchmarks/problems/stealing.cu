// SPDX-License-Identifier: Apache-2.0
//
// stealing: a kernel that works on 16 pieces for each block that the device runs at once. The number is the time of a
// launch. cudax.sync's side is the work_queue. libcu++ has none; its column is what programs write instead:
//
//   a block each        a grid of as many blocks as pieces
//   a grid-stride loop  resident blocks, which take the pieces at fixed distances
//   a counter           resident blocks, which take the next piece by fetch_add; the host sets the counter to 0
//
// "different lengths": one piece of 32 is 32 times as long as the others. "prologue": each block first copies 16 KiB to
// shared memory.
#include "../support/library.hpp"
#include "../support/row.hpp"

#include <cuda_runtime.h>

namespace CUDAX_BENCH_SIDE {

enum class way { block_each, stride, counter };

inline constexpr unsigned pieces_of_each = 16, table_words = 4096;

/// The objects of a row.
struct stock {
  unsigned long long counter;
  unsigned char padding[248];
  unsigned table[table_words]; // each word is `increment`
};
inline constexpr unsigned factor = 1664525, increment = 0x01010101;

template <bool Different> __host__ __device__ unsigned length_of(unsigned piece) {
  if (!Different) return 64;
  return piece * 2654435761u >> 27 == 0 ? 1024 : 32;
}

/// The work on a piece by one thread: length_of(piece) steps, each of which needs the step before.
template <bool Different> __device__ unsigned work_on(unsigned piece, unsigned const* table) {
  unsigned value = piece * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (unsigned left = length_of<Different>(piece); left != 0; --left)
    value = value * factor + table[value % table_words];
  return value;
}

/// Calls f with each piece that the calling block takes. All threads of the block call it.
#if defined(CUDAX_BENCH_CUDAX)
template <way, class F> __device__ void for_each_piece(unsigned pieces, unsigned long long* counter, F f) {
  for_each(library::work_queue<1>(counter, pieces), [&](library::block_index piece) { f(piece.x); });
}
#else
template <way Way, class F> __device__ void for_each_piece(unsigned pieces, unsigned long long* counter, F f) {
  if constexpr (Way == way::block_each) {
    f(blockIdx.x);
  } else if constexpr (Way == way::stride) {
    for (unsigned piece = blockIdx.x; piece < pieces; piece += gridDim.x) f(piece);
  } else {
    __shared__ unsigned long long next;
    for (;;) {
      if (threadIdx.x == 0) next = device_ref<unsigned long long>(*counter).fetch_add(1, relaxed);
      __syncthreads();
      unsigned long long const piece = next;
      __syncthreads(); // before the next one is written
      if (piece >= pieces) return;
      f(unsigned(piece));
    }
  }
}
#endif

template <way Way, bool Different, bool Prologue>
__global__ void work_on_pieces(stock* all, unsigned pieces, unsigned* results) {
  __shared__ unsigned copy[Prologue ? table_words : 1];
  unsigned const* table = all->table;
  if constexpr (Prologue) {
    for (unsigned i = threadIdx.x; i < table_words; i += blockDim.x) copy[i] = table[i];
    __syncthreads();
    table = copy;
  }
  unsigned sum = 0;
  for_each_piece<Way>(pieces, &all->counter, [&](unsigned piece) { sum += work_on<Different>(piece, table); });
  atomicAdd(results + (blockIdx.x * blockDim.x + threadIdx.x) % table_words, sum);
}

/// What the threads of a block leave of a piece together. The steps of a piece are one affine function.
template <bool Different> unsigned sum_of(unsigned piece, unsigned threads) {
  unsigned scale = 1, offset = 0;
  for (unsigned left = length_of<Different>(piece); left != 0; --left)
    scale *= factor, offset = offset * factor + increment;
  return scale * (piece * threads * threads + threads * (threads - 1) / 2) + threads * offset;
}

template <way Way, bool Different, bool Prologue> bench::row make_stealing_row(char const* name) {
#if defined(CUDAX_BENCH_CUDAX)
  constexpr bool block_each = false, resets = false;
#else
  constexpr bool block_each = Way == way::block_each, resets = Way == way::counter;
#endif
  return {
      .name = name,
      .blocks_per_sm = 8,
      .threads_per_block = 256,
      .minimum_sm = 0,
      .initial_byte = 1, // the table's
      .object_bytes = [](unsigned) { return sizeof(stock); },
      .result_bytes = [](unsigned) { return table_words * sizeof(unsigned); },
      .launch =
          [](bench::work const& work, void* objects, void* results, unsigned) {
            auto* const all = static_cast<stock*>(objects);
            unsigned const pieces = work.blocks * pieces_of_each;
            for (unsigned round = 0; round < work.rounds; ++round) {
              if (resets) cudaMemsetAsync(&all->counter, 0, sizeof all->counter);
              work_on_pieces<Way, Different, Prologue><<<block_each ? pieces : work.blocks, work.threads_per_block>>>(
                  all, pieces, static_cast<unsigned*>(results));
            }
          },
      .check = [](bench::work const& work, void*, void* results) -> std::string {
        unsigned sum = 0, expected = 0;
        for (unsigned i = 0; i < table_words; ++i) sum += static_cast<unsigned*>(results)[i];
        for (unsigned piece = 0; piece < work.blocks * pieces_of_each; ++piece)
          expected += sum_of<Different>(piece, work.threads_per_block);
        expected *= work.steps();
        if (sum == expected) return "";
        return "the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected);
      },
      .shown = bench::unit::nanoseconds,
      .operations = [](bench::work const& work) { return double(work.steps()); },
      .prepare = [](bench::work const&, void* objects, void*) { cudaMemset(objects, 0, sizeof(unsigned long long)); }};
}

bench::rows rows_of_stealing() {
  return {
      make_stealing_row<way::block_each, false, false>("work_queue, equal lengths, against a block each"),
      make_stealing_row<way::stride, false, false>("work_queue, equal lengths, against a grid-stride loop"),
      make_stealing_row<way::counter, false, false>("work_queue, equal lengths, against a counter"),
      make_stealing_row<way::block_each, true, false>("work_queue, different lengths, against a block each"),
      make_stealing_row<way::stride, true, false>("work_queue, different lengths, against a grid-stride loop"),
      make_stealing_row<way::counter, true, false>("work_queue, different lengths, against a counter"),
      make_stealing_row<way::block_each, true, true>("work_queue, different lengths, prologue, against a block each"),
      make_stealing_row<way::stride, true, true>("work_queue, different lengths, prologue, against a grid-stride loop"),
      make_stealing_row<way::counter, true, true>("work_queue, different lengths, prologue, against a counter"),
  };
}

} // namespace CUDAX_BENCH_SIDE
