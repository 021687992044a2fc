// SPDX-License-Identifier: Apache-2.0
//
// A block fills one of two buffers while another block reads the other one. Two
// semaphores count the full and the empty buffers.
//
// Source: NVIDIA/cutlass#359: where a fence belongs at a semaphore between blocks, and whether one is needed
// Source: NVIDIA/cutlass#2775: why releasing a semaphore needs no further fence
// Source: NVIDIA/Fuser#2391: a block released a semaphore for its threads, which had not fenced
// Source: NVIDIA/cutlass#3117: a loop that polls by a relaxed load, and the barrier of the block after it
// Form: right
// Form: no_empty_semaphore: race
// Form: released_before_barrier: race
// Form: acquired_by_one_lane: race
// Form: block_scope: race
// Form: polls_relaxed: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_empty_semaphore, released_before_barrier, acquired_by_one_lane, block_scope, polls_relaxed };

constexpr int words = 32, buffers = 2;

struct channel {
  int full, empty; // semaphores
  int data[buffers][words];
};

using namespace cudax;
template <form f> using word = atomic_ref<int, f == block_scope ? thread_scope_block : thread_scope_device>;

template <form f> __device__ void acquire(int& semaphore) {
  for (;;) {
    int count = word<f>(semaphore).load(memory_order_relaxed);
    while (count == 0) count = word<f>(semaphore).load(memory_order_relaxed);
    constexpr auto order = f == polls_relaxed ? memory_order_relaxed : memory_order_acquire;
    if (word<f>(semaphore).compare_exchange_weak(count, count - 1, order, memory_order_relaxed)) return;
  }
}
template <form f> __device__ void release(int& semaphore) { word<f>(semaphore).fetch_add(1, memory_order_release); }

template <form f> __global__ void stream(channel* c, int* sums, int rounds) {
  int const i = int(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    int* const buffer = c->data[round % buffers];
    bool const fills = blockIdx.x == 0;
    if (i == 0) {
      if (!fills) acquire<f>(c->full);
      else if (f != no_empty_semaphore) acquire<f>(c->empty);
    }
    if constexpr (f != acquired_by_one_lane) __syncthreads();
    if (fills) buffer[i] = round * words + i; // found: race
    else sum += buffer[i];                    // found: race
    if constexpr (f != released_before_barrier) __syncthreads();
    if (i == 0) release<f>(fills ? c->full : c->empty);
  }
  if (blockIdx.x == 1) sums[i] = sum;
}

template <form f> bool run(int scale) {
  int const rounds = 8 * scale;
  foreign::memory<channel> c;
  foreign::memory<int> sums(words);
  std::memset(&c[0], 0, sizeof(channel));
  c[0].empty = buffers;
  c.to_device();
  if (foreign::resident(2, words, stream<f>) < 2) return false;
  foreign::launch(2, words, stream<f>, c.data(), sums.data(), rounds);
  sums.to_host();
  for (int i = 0; i < words; ++i) {
    int expected = 0;
    for (int round = 0; round < rounds; ++round) expected += round * words + i;
    if (sums[i] != expected) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_empty_semaphore", run<no_empty_semaphore>},
                                {"released_before_barrier", run<released_before_barrier>},
                                {"acquired_by_one_lane", run<acquired_by_one_lane>},
                                {"block_scope", run<block_scope>},
                                {"polls_relaxed", run<polls_relaxed>}});

} // namespace
