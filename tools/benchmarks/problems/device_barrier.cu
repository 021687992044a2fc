// SPDX-License-Identifier: Apache-2.0
//
// device_barrier: barriers of the whole device in global memory, one block on each SM. CUDA's own is grid.sync of
// cooperative groups.
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

using device_barrier = library::barrier<device_scope>;

template <class Meeting, loop Loop>
__global__ void device_meetings(device_barrier* object, unsigned* words, unsigned* results, unsigned first,
                                unsigned last) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] += meet_and_look<Loop>(words, thread, gridDim.x * blockDim.x, blockDim.x, first, last,
                                         [=](unsigned) { Meeting::meet(*object); });
}

/// `blocks` is 0 for one block on each SM.
template <class Meeting>
void add_device_row(bench::rows& rows, std::string const& kind, unsigned threads, unsigned blocks = 0) {
  if constexpr (Meeting::exists) {
    std::string const on = blocks ? std::to_string(blocks) + " blocks of " + std::to_string(threads) + " threads, "
                                  : std::to_string(threads) + " threads per SM, ";
    bench::row row = {.name = "device barrier, " + on + kind,
                      .blocks_per_sm = 1,
                      .threads_per_block = threads,
                      .minimum_sm = 0,
                      .initial_byte = 0,
                      .object_bytes = [](unsigned threads) { return line + word_of_each(threads); },
                      .result_bytes = word_of_each,
                      .launch = nullptr,
                      .check = check_looks,
                      .shown = bench::unit::nanoseconds,
                      .operations = rounds_of,
                      .blocks = blocks,
                      .prepare =
                          [](bench::work const& work, void* objects, void*) {
                            make<device_barrier>(objects, 1,
                                                 work.blocks * Meeting::arrivals(0, work.threads_per_block));
                          },
                      .together = true};
    if (blocks) row.on = {"device barrier, " + std::to_string(threads) + " threads, " + kind, "blocks", double(blocks)};
    add_both_loops(rows, std::move(row), [=]<loop Loop>() {
      return [](bench::work const& work, void* objects, void* results, unsigned first) {
        launch_together(device_meetings<Meeting, Loop>, work, static_cast<device_barrier*>(objects),
                        reinterpret_cast<unsigned*>(static_cast<char*>(objects) + line),
                        static_cast<unsigned*>(results), first, first + work.rounds);
      };
    });
  }
}

template <class Meeting>
void add_device_rows(bench::rows& rows, std::string const& kind) {
  for (unsigned threads : {32u, 256u, 1024u}) add_device_row<Meeting>(rows, kind, threads);
  for (unsigned blocks : {2u, 8u, 32u, 64u, 128u}) add_device_row<Meeting>(rows, kind, 256, blocks);
}

bench::rows rows_of_device_barrier() {
  bench::rows rows;
  add_device_rows<each_thread>(rows, "each arrives");
  add_device_rows<whole_block>(rows, "as groups");
  add_device_rows<grid_sync>(rows, "this_grid.sync");
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
