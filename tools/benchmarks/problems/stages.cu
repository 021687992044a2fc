// SPDX-License-Identifier: Apache-2.0
//
// stages: a warp fills the stages of a pipeline and eight warps use them (support/staged.hpp), a block on each SM.
// Producer and consumers have a loop each, as kernels with warps of different tasks are written. In the row "one loop"
// a loop contains both roles.
//   "hand-over": a word for each stage, which all consumers read; the time of a stage
//   "tiles": bulk copies of tiles that stay in the L2; each consumer adds up words of its part; the time of a tile
//   "cluster of N": the N blocks of a cluster use the same tiles, and each copies a part of a tile to all of them
//   (support/staged_cluster.hpp); the time of a tile. By hand with the order that the PTX model demands, and, "by hand
//   at block scope", with CUTLASS's. 64 blocks, one on an SM
//   "stream": the blocks copy the tiles of a large array in, add a number to each word, and store the words to another
//   array; bytes read and written per nanosecond, which are GB/s. CUDA's own is cudaMemcpyAsync, which adds nothing
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

inline constexpr unsigned stream_words = 32u << 20; // 128 MiB, more than an L2
inline constexpr unsigned tile_words = 4096;
inline double bytes_of(bench::work const& work) { return 2.0 * stream_words * sizeof(unsigned) * work.steps(); }

/// The row of a function that launches `rounds` passes over the array; the result holds content(i) + added.
template <class Launch>
bench::row make_stream_row(unsigned threads_per_block, Launch launch, bool adds) {
  return {.name = "stages, stream of 128 MiB, tiles of 16 KiB",
          .blocks_per_sm = 1,
          .threads_per_block = threads_per_block,
          .minimum_sm = 90,
          .initial_byte = 0,
          .object_bytes = [](unsigned) { return stream_words * sizeof(unsigned); },
          .result_bytes = [](unsigned) { return stream_words * sizeof(unsigned); },
          .launch = launch,
          .check = [adds](bench::work const& work, void*, void* results) -> std::string {
            unsigned const added = adds ? work.steps() - 1 : 0;
            for (unsigned i = 0; i < stream_words; ++i)
              if (unsigned const found = static_cast<unsigned*>(results)[i]; found != content(i) + added)
                return "word " + std::to_string(i) + " is " + std::to_string(found) + ", expected " +
                       std::to_string(content(i) + added);
            return "";
          },
          .shown = bench::unit::operations_per_nanosecond,
          .operations = bytes_of,
          .prepare = [](bench::work const& work, void* objects,
                        void*) { fill_words<<<work.blocks * 8, 256>>>(static_cast<unsigned*>(objects), stream_words); },
          .objects_are_input = true};
}

#if defined(CUDAX_BENCH_CUDA)

bench::rows rows_of_stages() {
  return {make_stream_row(
      288,
      [](bench::work const& work, void* objects, void* results, unsigned) {
        for (unsigned i = 0; i < work.rounds; ++i)
          CUDA_MUST(cudaMemcpyAsync(results, objects, stream_words * sizeof(unsigned), cudaMemcpyDeviceToDevice));
      },
      false)};
}

} // namespace CUDAX_BENCH_SIDE

#else

} // namespace CUDAX_BENCH_SIDE
#include "../support/staged_cluster.hpp"
namespace CUDAX_BENCH_SIDE {

/// Passes the numbers [first, last) through the stages; OneLoop: both roles are branches in one loop.
template <bool OneLoop, loop Loop>
__global__ void __launch_bounds__(staged_block) hand_over(unsigned* results, unsigned first, unsigned last) {
  __shared__ alignas(stages::state) char place[sizeof(stages::state)];
  __shared__ unsigned numbers[stage_count];
  stages mine(reinterpret_cast<stages::state&>(place));
  unsigned sum = 0;
  auto const pass = [&](unsigned step) { mine.pass([&] { numbers[(step - first) % stage_count] = step; }); };
  auto const use = [&](unsigned step) { mine.use([&] { sum += numbers[(step - first) % stage_count]; }); };
  if constexpr (OneLoop) {
    repeat<Loop>(first, last, [&](unsigned step) {
      if (stages::is_producer()) pass(step);
      else if (is_consumer()) use(step);
    });
  } else if (is_consumer()) {
    repeat<Loop>(first, last, use);
  } else if (stages::is_producer()) {
    repeat<Loop>(first, last, pass);
  }
  __syncthreads(); // before a pipeline quits
  results[blockIdx.x * staged_block + threadIdx.x] += sum;
}

template <bool OneLoop>
void add_hand_over_rows(bench::rows& rows) {
  add_both_loops(rows,
                 {.name = std::string("stages, hand-over from a warp to 8 warps") + (OneLoop ? ", one loop" : ""),
                  .blocks_per_sm = 1,
                  .threads_per_block = staged_block,
                  .minimum_sm = 90,
                  .initial_byte = 0,
                  .object_bytes = [](unsigned) -> std::size_t { return 1; },
                  .result_bytes = word_of_each,
                  .launch = nullptr,
                  .check = [](bench::work const& work, void*, void* results) -> std::string {
                    unsigned sum = 0;
                    for (unsigned i = 0; i < work.steps(); ++i) sum += i;
                    return check_sum_of_each(work, results,
                                             [sum](unsigned thread) { return thread % staged_block < 32 ? 0 : sum; });
                  },
                  .shown = bench::unit::nanoseconds,
                  .operations = rounds_of},
                 [=]<loop Loop>() {
                   return [](bench::work const& work, void*, void* results, unsigned first) {
                     hand_over<OneLoop, Loop>
                         <<<work.blocks, staged_block>>>(static_cast<unsigned*>(results), first, first + work.rounds);
                   };
                 });
}

inline constexpr unsigned tiles_per_block = 4; // in global memory; they stay in the L2

/// Returns the index of the word that a consumer reads in its `i`-th 16 bytes.
__host__ __device__ constexpr unsigned word_at(unsigned consumer, unsigned i) {
  return (i * consumer_warps * 32 + consumer) * 4;
}

template <unsigned Words, loop Loop>
__global__ void __launch_bounds__(staged_block)
    use_tiles(unsigned const* from, unsigned* results, unsigned first, unsigned last) {
  __shared__ alignas(stages::state) char place[sizeof(stages::state)];
  extern __shared__ __align__(128) uint4 tiles[]; // bulk copies to other addresses are slower
  stages mine(reinterpret_cast<stages::state&>(place));
  unsigned sum = 0;
  auto const tile_of = [&](unsigned step) {
    return reinterpret_cast<unsigned*>(tiles) + (step - first) % stage_count * Words;
  };
  if (is_consumer()) {
    repeat<Loop>(first, last, [&](unsigned step) {
      mine.use([&] {
        for (unsigned i = 0; i < Words / 4 / (consumer_warps * 32); ++i)
          sum += tile_of(step)[word_at(threadIdx.x - 32, i)];
      });
    });
  } else if (stages::is_producer()) {
    repeat<Loop>(first, last, [&](unsigned step) {
      mine.fill(tile_of(step), from + (blockIdx.x * tiles_per_block + step % tiles_per_block) * Words, Words * 4);
    });
  }
  __syncthreads();
  results[blockIdx.x * staged_block + threadIdx.x] += sum;
}

/// Allows and passes the dynamic shared memory of the stages.
template <class... Parameters, class... Arguments>
void launch_staged(void (*kernel)(Parameters...), bench::work const& work, unsigned tile_bytes,
                   Arguments... arguments) {
  unsigned const bytes = stage_count * tile_bytes;
  CUDA_MUST(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 int(bytes)));
  kernel<<<work.blocks, staged_block, bytes>>>(arguments...);
}

/// `sharing`: how many blocks use the tiles of one.
template <unsigned Words>
std::string check_sums_of_tiles(bench::work const& work, void* results, unsigned sharing) {
  return check_sum_of_each(work, results, [&](unsigned thread) {
    unsigned const block = thread / staged_block / sharing, rank = thread % staged_block;
    unsigned expected = 0;
    for (unsigned j = 0; rank >= 32 && j < tiles_per_block; ++j) {
      unsigned const times = work.steps() / tiles_per_block + (j < work.steps() % tiles_per_block);
      for (unsigned i = 0; i < Words / 4 / (consumer_warps * 32); ++i)
        expected += times * content((block * tiles_per_block + j) * Words + word_at(rank - 32, i));
    }
    return expected;
  });
}

template <unsigned Words>
bench::row make_tiles_row() {
  return {.name = "stages, tiles of " + std::to_string(Words / 256) + " KiB in the L2",
          .blocks_per_sm = 1,
          .threads_per_block = staged_block,
          .minimum_sm = 90,
          .initial_byte = 0,
          .object_bytes =
              [](unsigned threads) { return threads / staged_block * tiles_per_block * Words * std::size_t(4); },
          .result_bytes = word_of_each,
          .launch = nullptr,
          .check = [](bench::work const& work, void*, void* results) -> std::string {
            return check_sums_of_tiles<Words>(work, results, 1);
          },
          .shown = bench::unit::nanoseconds,
          .operations = rounds_of,
          .prepare =
              [](bench::work const& work, void* objects, void*) {
                fill_words<<<work.blocks, 256>>>(static_cast<unsigned*>(objects),
                                                 work.blocks * tiles_per_block * Words);
              }};
}

template <unsigned Words>
void add_tiles_rows(bench::rows& rows) {
  add_both_loops(rows, make_tiles_row<Words>(), [=]<loop Loop>() {
    return [](bench::work const& work, void* objects, void* results, unsigned first) {
      launch_staged(use_tiles<Words, Loop>, work, Words * 4, static_cast<unsigned const*>(objects),
                    static_cast<unsigned*>(results), first, first + work.rounds);
    };
  });
}

#if defined(CUDAX_BENCH_CUDAX) || defined(CUDAX_BENCH_PTX)
inline constexpr unsigned words_of_shared_tile = shared_tile_bytes / 4;

/// The tiles of a cluster are those of one block in use_tiles.
template <unsigned Blocks, order Order, loop Loop>
__global__ void __launch_bounds__(staged_block)
    share_tiles(unsigned const* from, unsigned* results, unsigned first, unsigned last) {
  using shared_stages = cluster_stages<Blocks, Order>;
  __shared__ alignas(typename shared_stages::state) char place[sizeof(typename shared_stages::state)];
  extern __shared__ __align__(128) uint4 tiles[]; // bulk copies to other addresses are slower
  shared_stages mine(reinterpret_cast<typename shared_stages::state&>(place));
  constexpr unsigned words = words_of_shared_tile;
  unsigned const cluster = blockIdx.x / Blocks, rank = blockIdx.x % Blocks;
  unsigned sum = 0;
  auto const tile_of = [&](unsigned step) {
    return reinterpret_cast<unsigned*>(tiles) + (step - first) % stage_count * words;
  };
  if (is_consumer()) {
    repeat<Loop>(first, last, [&](unsigned step) {
      mine.use([&] {
        for (unsigned i = 0; i < words / 4 / (consumer_warps * 32); ++i)
          sum += tile_of(step)[word_at(threadIdx.x - 32, i)];
      });
    });
  } else if (shared_stages::is_producer()) {
    repeat<Loop>(first, last, [&](unsigned step) {
      mine.fill(tile_of(step), from + (cluster * tiles_per_block + step % tiles_per_block) * words, rank);
    });
  }
  shared_stages::meet(); // no block ends, and no pipeline quits, while another block copies to it or arrives
  results[blockIdx.x * staged_block + threadIdx.x] += sum;
}

template <unsigned Blocks, order Order, loop Loop>
void launch_shared(bench::work const& work, unsigned const* from, unsigned* results, unsigned first) {
  auto* const kernel = share_tiles<Blocks, Order, Loop>;
  unsigned const bytes = 8 * shared_tile_bytes; // more than the stages: one block on an SM
  cluster_launch const launch(kernel, Blocks, work.blocks, staged_block, bytes);
  launch(from, results, first, first + work.rounds);
}

template <unsigned Blocks, order Order>
void add_shared_row(bench::rows& rows) {
  bench::row row = make_tiles_row<words_of_shared_tile>();
  row.name = "stages, tiles of 16 KiB, cluster of " + std::to_string(Blocks) +
             (Order == order::block ? ", by hand at block scope" : "");
  row.blocks = 64;
  row.check = [](bench::work const& work, void*, void* results) {
    return check_sums_of_tiles<words_of_shared_tile>(work, results, Blocks);
  };
  add_both_loops(rows, row, [=]<loop Loop>() {
    return [](bench::work const& work, void* objects, void* results, unsigned first) {
      launch_shared<Blocks, Order, Loop>(work, static_cast<unsigned const*>(objects), static_cast<unsigned*>(results),
                                         first);
    };
  });
}

template <unsigned... Blocks>
void add_shared_rows(bench::rows& rows) {
  (add_shared_row<Blocks, order::restricted>(rows), ...);
  (add_shared_row<Blocks, order::block>(rows), ...);
}
#endif

template <loop Loop>
__global__ void __launch_bounds__(staged_block) stream(unsigned const* from, uint4* to, unsigned first, unsigned last) {
  __shared__ alignas(stages::state) char place[sizeof(stages::state)];
  extern __shared__ __align__(128) uint4 tiles[]; // bulk copies to other addresses are slower
  stages mine(reinterpret_cast<stages::state&>(place));
  constexpr unsigned units = tile_words / 4, consumers = consumer_warps * 32;
  auto const for_each_tile = [&](auto call) {
    unsigned stage = 0;
    constexpr unsigned all = stream_words / tile_words;
    unsigned const of_block = all / gridDim.x + (blockIdx.x < all % gridDim.x);
    repeat<loop::rolled>(first, last, [&](unsigned step) {
      repeat<Loop>(0, of_block, [&](unsigned i) {
        call(step, blockIdx.x + i * gridDim.x, tiles + stage * units);
        stage = (stage + 1) % stage_count;
      });
    });
  };
  if (is_consumer())
    for_each_tile([&](unsigned step, unsigned tile, uint4 const* here) {
      mine.use([&] {
#pragma unroll
        for (unsigned i = threadIdx.x - 32; i < units; i += consumers) {
          uint4 const v = here[i];
          to[tile * units + i] = {v.x + step, v.y + step, v.z + step, v.w + step};
        }
      });
    });
  else if (stages::is_producer())
    for_each_tile(
        [&](unsigned, unsigned tile, uint4* here) { mine.fill(here, from + tile * tile_words, tile_words * 4); });
  __syncthreads();
}

bench::rows rows_of_stages() {
  bench::rows rows;
  add_hand_over_rows<false>(rows);
  add_hand_over_rows<true>(rows);
  add_tiles_rows<1024>(rows);
  add_tiles_rows<4096>(rows);
  add_both_loops(rows, make_stream_row(staged_block, nullptr, true), [=]<loop Loop>() {
    return [](bench::work const& work, void* objects, void* results, unsigned first) {
      launch_staged(stream<Loop>, work, tile_words * 4, static_cast<unsigned const*>(objects),
                    static_cast<uint4*>(results), first, first + work.rounds);
    };
  });
#if defined(CUDAX_BENCH_CUDAX) || defined(CUDAX_BENCH_PTX)
  add_shared_rows<1, 2, 4, 8>(rows);
#endif
  return rows;
}

} // namespace CUDAX_BENCH_SIDE

#endif
