// SPDX-License-Identifier: Apache-2.0
//
// curve: additions by 1 to 2^17 threads on 1 to 2^20 words. The threads are distributed evenly over the words:
// neighbouring threads use neighbouring words, unless there are more words than threads.
#include "../support/operations.hpp"

namespace CUDAX_BENCH_SIDE {

/// `stride` is 1, or the words of each thread. Threads and words are powers of two, which the compiler does not know.
template <loop Loop>
__global__ void add_among(unsigned* objects, unsigned* results, unsigned first, unsigned last, unsigned words,
                          unsigned stride) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] += rounds_of_thread<add_one<u32, relaxed, on_device>, spread<>, pointer::parameter, Loop>(
      objects, thread * stride & (words - 1), thread, first, last, 0);
}

void add_curve_rows(bench::rows& rows, unsigned threads, unsigned words) {
  using add = add_one<u32, relaxed, on_device>;
  std::string const on = words == 1 ? " on 1 word" : " on " + std::to_string(words) + " words";
  unsigned const stride = words > threads ? words / threads : 1;
  unsigned const block_size = threads < 256 ? threads : 256;
  bench::row row = make_row<add, spread<>>("fetch_add u32, " + std::to_string(threads) + " threads" + on);
  row.blocks = threads / block_size;
  row.threads_per_block = block_size;
  row.object_bytes = [=](unsigned) { return words * sizeof(unsigned); };
  row.check = [=](bench::work const& work, void* objects, void* results) {
    return check_objects<add>(work, objects, results, words,
                              [=](unsigned thread) { return thread * stride & (words - 1); });
  };
  row.on = {"fetch_add u32" + on, "threads", double(threads)};
  add_both_loops(rows, std::move(row), [=]<loop Loop>() {
    return [=](bench::work const& work, void* objects, void* results, unsigned first) {
      add_among<Loop><<<work.blocks, work.threads_per_block>>>(
          static_cast<unsigned*>(objects), static_cast<unsigned*>(results), first, first + work.rounds, words, stride);
    };
  });
}

bench::rows rows_of_curve() {
  bench::rows rows;
  for (unsigned words : {1u, 32u, 1u << 10, 1u << 15, 1u << 20})
    for (unsigned threads : {1u, 32u, 1u << 10, 1u << 14, 1u << 17}) add_curve_rows(rows, threads, words);
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
