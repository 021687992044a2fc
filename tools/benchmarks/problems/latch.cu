// SPDX-License-Identifier: Apache-2.0
//
// latch: latches of the whole device in global memory, one block on each SM, a new latch in each round. A kernel
// constructs them before each launch, and its time counts: about 3 of 1000 microseconds.
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

using device_latch = library::latch<device_scope>;

inline constexpr unsigned most_latches = 1023;

template <class Meeting>
__global__ void latch_meetings(char* objects, unsigned* words, unsigned* results, unsigned first, unsigned last) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] += meet_and_look(words, thread, gridDim.x * blockDim.x, blockDim.x, first, last, [=](unsigned step) {
    Meeting::meet(*reinterpret_cast<device_latch*>(objects + (step - first) * line));
  });
}

template <class Meeting>
bench::row make_latch_row(char const* name, unsigned threads) {
  return {.name = name,
          .blocks_per_sm = 1,
          .threads_per_block = threads,
          .minimum_sm = 0,
          .initial_byte = 0,
          .object_bytes = [](unsigned threads) { return most_latches * line + word_of_each(threads); },
          .result_bytes = word_of_each,
          .launch =
              [](bench::work const& work, void* objects, void* results, unsigned first) {
                make<device_latch>(objects, work.rounds, work.blocks * Meeting::arrivals(0, work.threads_per_block));
                auto* const latches = static_cast<char*>(objects);
                launch_together(latch_meetings<Meeting>, work, latches,
                                reinterpret_cast<unsigned*>(latches + most_latches * line),
                                static_cast<unsigned*>(results), first, first + work.rounds);
              },
          .check = check_looks,
          .shown = bench::unit::nanoseconds,
          .operations = rounds_of,
          .most_rounds = most_latches};
}

bench::rows rows_of_latch() {
  return {
      make_latch_row<each_thread>("device latch, 256 threads per SM, each arrives", 256),
      make_latch_row<whole_block>("device latch, 256 threads per SM, as groups", 256),
  };
}

} // namespace CUDAX_BENCH_SIDE
