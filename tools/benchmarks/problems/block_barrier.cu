// SPDX-License-Identifier: Apache-2.0
//
// block_barrier: barriers of a block in shared memory, one block on each SM. CUDA's own is __syncthreads.
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

template <class Meeting, unsigned Threads, loop Loop>
__global__ void block_meetings(unsigned* results, unsigned first, unsigned last) {
  using barrier = library::barrier<block_scope>;
  __shared__ unsigned words[Threads];
  __shared__ alignas(barrier) char place[sizeof(barrier)];
  auto& object = *reinterpret_cast<barrier*>(place);
  if (threadIdx.x == 0) init(&object, Meeting::arrivals(1, Threads));
  __syncthreads();
  results[blockIdx.x * Threads + threadIdx.x] += meet_and_look<Loop>(words, threadIdx.x, Threads, Threads / 2, first,
                                                                     last, [&](unsigned) { Meeting::meet(object); });
}

template <class Meeting, unsigned Threads>
void add_block_rows_of(bench::rows& rows, std::string const& kind) {
  if constexpr (Meeting::exists)
    add_both_loops(rows,
                   {.name = "block barrier, " + std::to_string(Threads) + " threads, " + kind,
                    .blocks_per_sm = 1,
                    .threads_per_block = Threads,
                    .minimum_sm = 0,
                    .initial_byte = 0,
                    .object_bytes = [](unsigned) -> std::size_t { return 1; },
                    .result_bytes = word_of_each,
                    .launch = nullptr,
                    .check = check_looks,
                    .shown = bench::unit::nanoseconds,
                    .operations = rounds_of,
                    .on = {"block barrier, " + kind, "threads", Threads}},
                   [=]<loop Loop>() {
                     return [](bench::work const& work, void*, void* results, unsigned first) {
                       block_meetings<Meeting, Threads, Loop>
                           <<<work.blocks, Threads>>>(static_cast<unsigned*>(results), first, first + work.rounds);
                     };
                   });
}

template <class Meeting>
void add_block_rows(bench::rows& rows, std::string const& kind) {
  add_block_rows_of<Meeting, 32>(rows, kind);
  add_block_rows_of<Meeting, 64>(rows, kind);
  add_block_rows_of<Meeting, 128>(rows, kind);
  add_block_rows_of<Meeting, 256>(rows, kind);
  add_block_rows_of<Meeting, 512>(rows, kind);
  add_block_rows_of<Meeting, 1024>(rows, kind);
}

bench::rows rows_of_block_barrier() {
  bench::rows rows;
  add_block_rows<each_thread>(rows, "each arrives");
  add_block_rows<whole_block>(rows, "as a group");
  add_block_rows<block_sync>(rows, "this_block.sync");
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
