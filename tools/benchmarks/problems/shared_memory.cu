// SPDX-License-Identifier: Apache-2.0
//
// shared_memory: additions at block scope to words in shared memory, whose state space the compiler sees.
#include "../support/kernel.hpp"

namespace CUDAX_BENCH_SIDE {

inline constexpr unsigned block_size = 256;

/// Each thread adds 1 to the word that Place selects. At the end, each word is added to the count of the block's
/// earlier launches in global memory.
template <class Place>
__global__ void shared_kernel(unsigned* objects, unsigned* results, unsigned first, unsigned last, unsigned zero) {
  __shared__ unsigned words[block_size];
  words[threadIdx.x] = 0;
  __syncthreads();
  unsigned* const word = words + Place::index(threadIdx.x, zero);
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned step = first; step != last; ++step) sum += block_ref<unsigned>(*word).fetch_add(1, relaxed);
  __syncthreads();
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  objects[thread] += words[threadIdx.x];
  results[thread] += sum;
}

template <class Place> struct shared_row {
  static std::size_t bytes(unsigned threads) { return threads * sizeof(unsigned); }

  static void launch(bench::work const& work, void* objects, void* results, unsigned first) {
    shared_kernel<Place><<<work.blocks, block_size>>>(static_cast<unsigned*>(objects), static_cast<unsigned*>(results),
                                                      first, first + work.rounds, 0);
  }

  static std::string check(bench::work const& work, void* objects, void* results) {
    for (unsigned block = 0; block < work.blocks; ++block) {
      unsigned threads_on[block_size] = {}, sum_on[block_size] = {};
      for (unsigned i = 0; i < block_size; ++i) {
        unsigned const at = Place::index(i, 0);
        ++threads_on[at];
        sum_on[at] += static_cast<unsigned*>(results)[block * block_size + i];
      }
      for (unsigned at = 0; at < block_size; ++at) {
        // In one launch n additions return 0 to n - 1.
        unsigned long long const n = (unsigned long long)threads_on[at] * work.rounds;
        unsigned const sum = unsigned(sum_below(n));
        unsigned const found = static_cast<unsigned*>(objects)[block * block_size + at];
        if (found != unsigned(n) * work.launches)
          return "word " + std::to_string(at) + " of block " + std::to_string(block) + " counted " +
                 std::to_string(found) + ", expected " + std::to_string(unsigned(n) * work.launches);
        if (n && sum_on[at] != sum * work.launches)
          return "the results on word " + std::to_string(at) + " of block " + std::to_string(block) + " add up to " +
                 std::to_string(sum_on[at]) + ", expected " + std::to_string(sum * work.launches);
      }
    }
    return "";
  }
};

template <class Place> bench::row make_shared_row(char const* name) {
  using row = shared_row<Place>;
  return {name, 8, block_size, 0, 0, row::bytes, row::bytes, row::launch, row::check};
}

bench::rows rows_of_shared_memory() {
  return {
      make_shared_row<spread<>>("fetch_add u32, shared memory, block scope, spread"),
      make_shared_row<uniform<>>("fetch_add u32, shared memory, block scope, one address, known uniform"),
      make_shared_row<opaque<>>("fetch_add u32, shared memory, block scope, one address, opaque"),
  };
}

} // namespace CUDAX_BENCH_SIDE
