// SPDX-License-Identifier: Apache-2.0
//
// copy: blocks of 256 threads, one on each SM, copy one tile after another from global to shared memory by
// memcpy_async, and each thread adds up one word of each 16 bytes of its part of the tile. The time is that of one
// tile. The threads read a tile before the next copy overwrites it, so a bulk copy needs a proxy fence
// (support/synchronization.hpp, before_copy).
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

inline constexpr unsigned block_size = 256;
inline constexpr unsigned tiles_per_block = 4; // in global memory; they stay in the L2

template <unsigned Bytes>
struct alignas(128) tile {
  unsigned words[Bytes / 4];

  static constexpr unsigned readers = Bytes / 16 < block_size ? Bytes / 16 : block_size; // the first threads
  static constexpr unsigned units = Bytes / 16 / readers;                                // of 16 bytes, for each reader
  /// Returns the index of the word that a thread reads in its `i`-th unit.
  __host__ __device__ static constexpr unsigned at(unsigned thread, unsigned i) { return (thread * units + i) * 4; }
  __device__ unsigned sum() const {
    unsigned sum = 0;
    if (readers == block_size || threadIdx.x < readers)
      for (unsigned i = 0; i < units; ++i) sum += words[at(threadIdx.x, i)];
    return sum;
  }
};

/// The tile of the block: in dynamic shared memory where static shared memory is too small.
template <class Tile>
inline constexpr bool is_dynamic = sizeof(Tile) > 32768;
template <class Tile>
__device__ Tile& tile_of_block() {
  if constexpr (is_dynamic<Tile>) {
    extern __shared__ __align__(128) char dynamic[];
    return *reinterpret_cast<Tile*>(dynamic);
  } else {
    __shared__ Tile here;
    return here;
  }
}

template <class Tile>
__device__ Tile const* source(Tile const* tiles, unsigned step) {
  return tiles + blockIdx.x * tiles_per_block + step % tiles_per_block;
}

/// One tile at a time, awaited by a barrier at which each thread arrives. `Parts` copies make up a tile. With `Fenced`
/// the program executes the proxy fence, once for a tile.
template <bool Fenced = false, unsigned Parts = 1>
struct by_barrier {
  template <loop Loop, class Tile>
  __device__ static unsigned run(Tile const* tiles, unsigned first, unsigned last) {
    using barrier = library::barrier<block_scope>;
    __shared__ alignas(barrier) char place[sizeof(barrier)];
    Tile& here = tile_of_block<Tile>();
    auto& arrived = *reinterpret_cast<barrier*>(place);
    auto const group = block_group();
    if (threadIdx.x == 0) init(&arrived, block_size);
    __syncthreads();
    library::aligned_size_t<16> const size(sizeof(Tile) / Parts);
    unsigned sum = 0;
    repeat<Loop>(first, last, [&](unsigned step) {
      unsigned const* const from = source(tiles, step)->words;
      if constexpr (Fenced) before_fenced_copies();
      else before_copy();
#pragma unroll
      for (unsigned i = 0; i < Parts; ++i) {
        unsigned const at = i * (sizeof(Tile) / 4 / Parts);
        if constexpr (Fenced) copy_fenced(group, here.words + at, from + at, size, arrived);
        else library::memcpy_async(group, here.words + at, from + at, size, arrived);
      }
      arrived.arrive_and_wait();
      sum += here.sum();
      // The barrier takes a value that depends on the words, so they have been read. At __syncthreads ptxas leaves the
      // loads in flight for some of the sides and not for others, which made 100 ns of a tile of 16 KiB.
      __syncthreads_or(sum == 1);
    });
    return sum;
  }
};

/// Reads `Stages` tiles in turn; while it reads one, `begin` copies the next ones into the others.
template <loop Loop, unsigned Stages, class Pipeline, class Tile, class Begin>
__device__ unsigned sum_behind(Pipeline& pipeline, Tile const (&here)[Stages], unsigned first, unsigned last,
                               Begin begin) {
  unsigned sum = 0;
  for (unsigned step = first; step != first + (Stages - 1); ++step) begin(step);
  repeat<Loop>(first, last, [&](unsigned step) {
    begin(step + (Stages - 1)); // more than is read, so that copies are always ahead
    pipeline.consumer_wait();
    sum += here[step % Stages].sum();
    pipeline.consumer_release();
  });
  for (unsigned i = 1; i < Stages; ++i) {
    pipeline.consumer_wait();
    pipeline.consumer_release();
  }
  return sum;
}

/// Each thread copies its part of two tiles alternately, one tile ahead of its reads.
struct by_thread_pipeline {
  template <loop Loop, class Tile>
  __device__ static unsigned run(Tile const* tiles, unsigned first, unsigned last) {
    __shared__ Tile here[2];
    auto pipeline = library::make_pipeline();
    auto const begin = [&](unsigned step) {
      unsigned const part = Tile::at(threadIdx.x, 0);
      pipeline.producer_acquire();
      library::memcpy_async(here[step % 2].words + part, source(tiles, step)->words + part,
                            library::aligned_size_t<16>(Tile::units * 16), pipeline);
      pipeline.producer_commit();
    };
    return sum_behind<Loop, 2>(pipeline, here, first, last, begin);
  }
};

/// The block copies the tiles in turn, up to `Stages` - 1 tiles ahead of its reads.
template <unsigned Stages>
struct by_block_pipeline {
  template <loop Loop, class Tile>
  __device__ static unsigned run(Tile const* tiles, unsigned first, unsigned last) {
    using state = library::pipeline_shared_state<block_scope, Stages>;
    __shared__ alignas(state) char place[sizeof(state)];
    __shared__ Tile here[Stages];
    auto const group = block_group();
    auto pipeline = library::make_pipeline(group, reinterpret_cast<state*>(place));
    auto const begin = [&](unsigned step) {
      pipeline.producer_acquire();
      library::memcpy_async(group, here[step % Stages].words, source(tiles, step)->words,
                            library::aligned_size_t<16>(sizeof(Tile)), pipeline);
      pipeline.producer_commit();
    };
    return sum_behind<Loop, Stages>(pipeline, here, first, last, begin);
  }
};

template <class Way, class Tile, loop Loop>
__global__ void __launch_bounds__(block_size)
    copies(Tile const* tiles, unsigned* results, unsigned first, unsigned last) {
  unsigned const sum = Way::template run<Loop>(tiles, first, last);
  results[blockIdx.x * block_size + threadIdx.x] += sum;
}

template <class Way, unsigned Bytes>
void add_copy_rows(bench::rows& rows, char const* name) {
  using tile = CUDAX_BENCH_SIDE::tile<Bytes>;
  add_both_loops(
      rows,
      {.name = name,
       .blocks_per_sm = 1,
       .threads_per_block = block_size,
       .minimum_sm = 0,
       .initial_byte = 0,
       .object_bytes = [](unsigned threads) { return threads / block_size * tiles_per_block * sizeof(tile); },
       .result_bytes = word_of_each,
       .launch = nullptr,
       .check = [](bench::work const& work, void*, void* results) -> std::string {
         return check_sum_of_each(work, results, [&](unsigned thread) {
           unsigned expected = 0;
           for (unsigned j = 0; thread % block_size < tile::readers && j < tiles_per_block; ++j) {
             unsigned const times = work.steps() / tiles_per_block + (j < work.steps() % tiles_per_block);
             unsigned const begin = (thread / block_size * tiles_per_block + j) * (Bytes / 4);
             for (unsigned i = 0; i < tile::units; ++i)
               expected += times * content(begin + tile::at(thread % block_size, i));
           }
           return expected;
         });
       },
       .shown = bench::unit::nanoseconds,
       .operations = rounds_of,
       .prepare =
           [](bench::work const& work, void* objects, void*) {
             fill_words<<<work.blocks, block_size>>>(static_cast<unsigned*>(objects),
                                                     work.blocks * tiles_per_block * (Bytes / 4));
           }},
      [=]<loop Loop>() {
        return [](bench::work const& work, void* objects, void* results, unsigned first) {
          auto const kernel = copies<Way, tile, Loop>;
          unsigned const dynamic = is_dynamic<tile> ? sizeof(tile) : 0;
          CUDA_MUST(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel),
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, int(dynamic)));
          kernel<<<work.blocks, block_size, dynamic>>>(static_cast<tile const*>(objects),
                                                       static_cast<unsigned*>(results), first, first + work.rounds);
        };
      });
}

bench::rows rows_of_copy() {
  bench::rows rows;
  add_copy_rows<by_barrier<>, 4096>(rows, "memcpy_async, 4 KiB, barrier");
  add_copy_rows<by_barrier<>, 16384>(rows, "memcpy_async, 16 KiB, barrier");
  add_copy_rows<by_barrier<>, 32768>(rows, "memcpy_async, 32 KiB, barrier");
  add_copy_rows<by_barrier<false, 4>, 16384>(rows, "memcpy_async, 4 x 4 KiB, barrier");
  add_copy_rows<by_barrier<true>, 1024>(rows, "memcpy_async, 1 KiB, barrier, proxy_fenced");
  add_copy_rows<by_barrier<true>, 4096>(rows, "memcpy_async, 4 KiB, barrier, proxy_fenced");
  add_copy_rows<by_barrier<true>, 16384>(rows, "memcpy_async, 16 KiB, barrier, proxy_fenced");
  add_copy_rows<by_barrier<true>, 65536>(rows, "memcpy_async, 64 KiB, barrier, proxy_fenced");
  add_copy_rows<by_barrier<true, 4>, 16384>(rows, "memcpy_async, 4 x 4 KiB, barrier, proxy_fenced");
  add_copy_rows<by_thread_pipeline, 4096>(rows, "memcpy_async, 4 KiB, 2 stages, pipeline of each thread");
  add_copy_rows<by_thread_pipeline, 16384>(rows, "memcpy_async, 16 KiB, 2 stages, pipeline of each thread");
  add_copy_rows<by_block_pipeline<2>, 4096>(rows, "memcpy_async, 4 KiB, 2 stages, pipeline of the block");
  add_copy_rows<by_block_pipeline<2>, 16384>(rows, "memcpy_async, 16 KiB, 2 stages, pipeline of the block");
  add_copy_rows<by_block_pipeline<4>, 4096>(rows, "memcpy_async, 4 KiB, 4 stages, pipeline of the block");
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
