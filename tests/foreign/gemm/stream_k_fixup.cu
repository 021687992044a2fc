// SPDX-License-Identifier: Apache-2.0
//
// The fix-up of a stream-K matrix product: the steps of all tiles are divided evenly among the blocks, so a tile may
// belong to several. The block that has a tile's last step owns the tile; the others store their sums in a workspace
// and raise a flag, and the owner adds what it finds there. It waits only for blocks that have begun before it.
//
// Source: Osama et al., "Stream-K" (PPoPP 2023): partial sums that blocks exchange through a workspace and flags
// Source: ROCm/aiter#2877: a split-K kernel found semaphores as an earlier launch had left them
// Form: right
// Form: flags_of_last_launch: race
// Form: flag_before_barrier: race
// Form: volatile_flag: race
// Form: order_of_blocks: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, flags_of_last_launch, flag_before_barrier, volatile_flag, order_of_blocks };

constexpr int threads = 32, steps_of_tile = 10;

using word = cudax::atomic_ref<unsigned, cudax::thread_scope_device>;
using namespace cudax;

template <form f> __device__ void raise(unsigned* flag, unsigned epoch) {
  if constexpr (f != flag_before_barrier) __syncthreads();
  if (threadIdx.x != 0) return;
  if constexpr (f == volatile_flag) *static_cast<unsigned volatile*>(flag) = epoch;
  else word(*flag).store(epoch, memory_order_release);
}

template <form f> __device__ void await(unsigned* flag, unsigned epoch) {
  if (threadIdx.x == 0) {
    if constexpr (f == volatile_flag)
      while (*static_cast<unsigned volatile*>(flag) != epoch);
    else
      while (word(*flag).load(memory_order_acquire) != epoch); // found: livelock
  }
  __syncthreads();
}

/// An element of C is the sum of products of its tile's steps; thread i computes element i of a tile.
__device__ int product(int tile, int step, int i) { return (tile * 3 + step) % 7 * (i + step) % 11; }

template <form f> __global__ void multiply(int* c, int* workspace, unsigned* flags, int tiles, unsigned epoch,
                                           int* next) {
  __shared__ int number;
  if (threadIdx.x == 0) number = f == order_of_blocks ? int(blockIdx.x) : atomicAdd(next, 1);
  __syncthreads();
  int const steps = tiles * steps_of_tile, blocks = int(gridDim.x), block = number;
  int const begin = int(block * long(steps) / blocks), end = int((block + 1) * long(steps) / blocks);
  int const thread = int(threadIdx.x);
  for (int step = begin; step < end;) {
    int const tile = step / steps_of_tile, first = tile * steps_of_tile, last = first + steps_of_tile;
    int const begin_here = step;
    int sum = 0;
    for (; step < end && step < last; ++step) sum += product(tile, step - first, thread);
    if (step != last) {
      workspace[block * threads + thread] = sum; // found: race
      raise<f>(flags + block, epoch);
      continue;
    }
    int other = block; // the blocks before this one have the tile's other steps
    for (int missing = begin_here - first; missing > 0;) {
      --other;
      int const from = max(int(other * long(steps) / blocks), first),
                to = min(int((other + 1) * long(steps) / blocks), last);
      missing -= to - from;
      await<f>(flags + other, epoch);
      sum += workspace[other * threads + thread]; // found: race
    }
    c[tile * threads + thread] = sum;
  }
}

template <form f> bool run(int scale) {
  int const tiles = (f == order_of_blocks ? 200 : 26) * scale, blocks = (f == order_of_blocks ? 600 : 7) * scale;
  foreign::memory<int> c(tiles * threads), workspace(blocks * threads);
  foreign::memory<unsigned> flags(blocks);
  for (unsigned launch = 1; launch <= 2; ++launch) {
    foreign::memory<int> next;
    foreign::launch(blocks, threads, multiply<f>, c.data(), workspace.data(), flags.data(), tiles,
                    f == flags_of_last_launch ? 1 : launch, next.data());
    c.to_host();
    for (int i = 0; i < c.size(); ++i) {
      int sum = 0;
      for (int step = 0; step < steps_of_tile; ++step) sum += (i / threads * 3 + step) % 7 * (i % threads + step) % 11;
      if (c[i] != sum) return false;
    }
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"flags_of_last_launch", run<flags_of_last_launch>},
                                {"flag_before_barrier", run<flag_before_barrier>},
                                {"volatile_flag", run<volatile_flag>},
                                {"order_of_blocks", run<order_of_blocks>}});

} // namespace
