// SPDX-License-Identifier: Apache-2.0
//
// latch: latches of the whole device in global memory, one block on each SM, a new latch in each round. A kernel
// constructs them before each launch, and its time counts: about 3 of 1000 microseconds.
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

using device_latch = library::latch<device_scope>;

inline constexpr unsigned most_latches = 1023;

template <class Meeting, loop Loop>
__global__ void latch_meetings(char* objects, unsigned* words, unsigned* results, unsigned first, unsigned last) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] +=
      meet_and_look<Loop>(words, thread, gridDim.x * blockDim.x, blockDim.x, first, last, [=](unsigned step) {
        Meeting::meet(*reinterpret_cast<device_latch*>(objects + (step - first) * line));
      });
}

template <class Meeting>
void add_latch_rows(bench::rows& rows, char const* name, unsigned threads) {
  add_both_loops(rows,
                 {.name = name,
                  .blocks_per_sm = 1,
                  .threads_per_block = threads,
                  .minimum_sm = 0,
                  .initial_byte = 0,
                  .object_bytes = [](unsigned threads) { return most_latches * line + word_of_each(threads); },
                  .result_bytes = word_of_each,
                  .launch = nullptr,
                  .check = check_looks,
                  .shown = bench::unit::nanoseconds,
                  .operations = rounds_of,
                  .most_rounds = most_latches},
                 [=]<loop Loop>() {
                   return [](bench::work const& work, void* objects, void* results, unsigned first) {
                     make<device_latch>(objects, work.rounds,
                                        work.blocks * Meeting::arrivals(0, work.threads_per_block));
                     auto* const latches = static_cast<char*>(objects);
                     launch_together(latch_meetings<Meeting, Loop>, work, latches,
                                     reinterpret_cast<unsigned*>(latches + most_latches * line),
                                     static_cast<unsigned*>(results), first, first + work.rounds);
                   };
                 });
}

bench::rows rows_of_latch() {
  bench::rows rows;
  add_latch_rows<each_thread>(rows, "device latch, 256 threads per SM, each arrives", 256);
  add_latch_rows<whole_block>(rows, "device latch, 256 threads per SM, as groups", 256);
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
