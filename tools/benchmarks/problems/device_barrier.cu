// SPDX-License-Identifier: Apache-2.0
//
// device_barrier: barriers of the whole device in global memory, one block on each SM.
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

using device_barrier = library::barrier<device_scope>;

template <class Meeting>
__global__ void device_meetings(device_barrier* object, unsigned* words, unsigned* results, unsigned first,
                                unsigned last) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] += meet_and_look(words, thread, gridDim.x * blockDim.x, blockDim.x, first, last,
                                   [=](unsigned) { Meeting::meet(*object); });
}

template <class Meeting>
bench::row make_device_row(char const* name, unsigned threads) {
  return {.name = name,
          .blocks_per_sm = 1,
          .threads_per_block = threads,
          .minimum_sm = 0,
          .initial_byte = 0,
          .object_bytes = [](unsigned threads) { return line + word_of_each(threads); },
          .result_bytes = word_of_each,
          .launch =
              [](bench::work const& work, void* objects, void* results, unsigned first) {
                launch_together(device_meetings<Meeting>, work, static_cast<device_barrier*>(objects),
                                reinterpret_cast<unsigned*>(static_cast<char*>(objects) + line),
                                static_cast<unsigned*>(results), first, first + work.rounds);
              },
          .check = check_looks,
          .shown = bench::unit::nanoseconds,
          .operations = rounds_of,
          .prepare =
              [](bench::work const& work, void* objects, void*) {
                make<device_barrier>(objects, 1, work.blocks * Meeting::arrivals(0, work.threads_per_block));
              }};
}

bench::rows rows_of_device_barrier() {
  return {
      make_device_row<each_thread>("device barrier, 32 threads per SM, each arrives", 32),
      make_device_row<each_thread>("device barrier, 256 threads per SM, each arrives", 256),
      make_device_row<each_thread>("device barrier, 1024 threads per SM, each arrives", 1024),
      make_device_row<whole_block>("device barrier, 32 threads per SM, as groups", 32),
      make_device_row<whole_block>("device barrier, 256 threads per SM, as groups", 256),
      make_device_row<whole_block>("device barrier, 1024 threads per SM, as groups", 1024),
      make_device_row<block_or_grid_sync>("device barrier, 32 threads per SM, as groups, against grid.sync", 32),
      make_device_row<block_or_grid_sync>("device barrier, 256 threads per SM, as groups, against grid.sync", 256),
      make_device_row<block_or_grid_sync>("device barrier, 1024 threads per SM, as groups, against grid.sync", 1024),
      make_device_row<grid_or_grid_sync>("this_grid.sync, 256 threads per SM, against grid.sync", 256),
  };
}

} // namespace CUDAX_BENCH_SIDE
