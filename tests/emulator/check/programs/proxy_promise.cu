// SPDX-License-Identifier: Apache-2.0
//
// A thread begins bulk copies that it promises to be proxy_fenced. Wrong: the promise is broken. reads: the block has
// read the tile that the copy overwrites. source: the block has written the source. The barrier is fenced in both.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;

constexpr int threads = 32, rounds = 3, words = 256;

template <bool right>
__global__ void reads(int const* from, int* sums) {
  __shared__ alignas(16) int tile[words];
  __shared__ barrier<thread_scope_block> ready;
  if (threadIdx.x == 0) {
    init(&ready, threads);
    fence_proxy_async_shared();
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0)
      memcpy_async(tile, from + round * words, aligned_size_t<16>(sizeof(tile)), ready, proxy_fenced); // second
    ready.arrive_and_wait();
    for (int i = int(threadIdx.x); i < words; i += threads) sums[threadIdx.x] += tile[i]; // first
    if constexpr (right) fence_proxy_async_shared();
    __syncthreads();
  }
}

bool run_reads(bool right) {
  check::device_memory<int> data(rounds * words), sums(threads);
  check::launch({.threads = threads}, right ? reads<true> : reads<false>, data.data(), sums.data());
  return sums.all_are(0);
}

template <bool right>
__global__ void source(int* data, int* results) {
  __shared__ alignas(16) int tile[words];
  __shared__ barrier<thread_scope_block> ready;
  if (threadIdx.x == 0) {
    init(&ready, threads);
    fence_proxy_async_shared();
  }
  for (int i = int(threadIdx.x); i < words; i += threads) data[i] = 7; // first
  if constexpr (right) fence_proxy_async_global();
  __syncthreads();
  if (threadIdx.x == 0) memcpy_async(tile, data, aligned_size_t<16>(sizeof(tile)), ready, proxy_fenced); // second
  ready.arrive_and_wait();
  results[threadIdx.x] = tile[threadIdx.x * (words / threads)];
}

bool run_source(bool right) {
  check::device_memory<int> data(words), results(threads);
  check::launch({.threads = threads}, right ? source<true> : source<false>, data.data(), results.data());
  return results.all_are(7);
}

check::program const programs[] = {
    {"promise_without_fence_of_reads", "race", run_reads},
    {"promise_without_fence_of_source", "race", run_source},
};

} // namespace
