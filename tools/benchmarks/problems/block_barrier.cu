// SPDX-License-Identifier: Apache-2.0
//
// block_barrier: barriers of a block in shared memory, one block on each SM.
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

template <class Meeting, unsigned Threads>
__global__ void block_meetings(unsigned* results, unsigned first, unsigned last) {
  using barrier = library::barrier<block_scope>;
  __shared__ unsigned words[Threads];
  __shared__ alignas(barrier) char place[sizeof(barrier)];
  auto& object = *reinterpret_cast<barrier*>(place);
  if (threadIdx.x == 0) init(&object, Meeting::arrivals(1, Threads));
  __syncthreads();
  results[blockIdx.x * Threads + threadIdx.x] +=
      meet_and_look(words, threadIdx.x, Threads, Threads / 2, first, last, [&](unsigned) { Meeting::meet(object); });
}

template <class Meeting, unsigned Threads>
bench::row make_block_row(char const* name) {
  return {.name = name,
          .blocks_per_sm = 1,
          .threads_per_block = Threads,
          .minimum_sm = 0,
          .initial_byte = 0,
          .object_bytes = [](unsigned) -> std::size_t { return 1; },
          .result_bytes = word_of_each,
          .launch =
              [](bench::work const& work, void*, void* results, unsigned first) {
                block_meetings<Meeting, Threads>
                    <<<work.blocks, Threads>>>(static_cast<unsigned*>(results), first, first + work.rounds);
              },
          .check = check_looks,
          .shown = bench::unit::nanoseconds,
          .operations = rounds_of};
}

bench::rows rows_of_block_barrier() {
  return {
      make_block_row<each_thread, 32>("block barrier, 32 threads, each arrives"),
      make_block_row<each_thread, 256>("block barrier, 256 threads, each arrives"),
      make_block_row<each_thread, 1024>("block barrier, 1024 threads, each arrives"),
      make_block_row<whole_block, 32>("block barrier, 32 threads, as a group"),
      make_block_row<whole_block, 256>("block barrier, 256 threads, as a group"),
      make_block_row<whole_block, 1024>("block barrier, 1024 threads, as a group"),
      make_block_row<block_or_syncthreads, 32>("block barrier, 32 threads, as a group, against __syncthreads"),
      make_block_row<block_or_syncthreads, 256>("block barrier, 256 threads, as a group, against __syncthreads"),
      make_block_row<block_or_syncthreads, 1024>("block barrier, 1024 threads, as a group, against __syncthreads"),
  };
}

} // namespace CUDAX_BENCH_SIDE
