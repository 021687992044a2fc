// SPDX-License-Identifier: Apache-2.0
//
// The one-shot sum of a custom all-reduce, with blocks in the place of GPUs. Before the sum and after it, each rank
// writes the number of the step into a flag of every other rank, and waits until all of its own flags have this number.
// Two sets of flags alternate: a fast rank may be one step ahead.
//
// Source: vllm-project/vllm#2760: flags were bytes of one word, and the data of the second stage was not ordered
// Source: vllm-project/vllm#8404: which memory order the flags need
// Source: vllm-project/vllm#8558: volatile flags where nothing has to be ordered, release and acquire elsewhere
// Source: vllm-project/vllm#11747: whether the second barrier is needed
// Source: vllm-project/vllm#14125: why there are two sets of flags
// Form: right
// Form: volatile_flags: race
// Form: one_set: livelock
// Form: no_second_barrier: race
// Form: byte_flags: race
// Form: no_block_barrier: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, volatile_flags, one_set, no_second_barrier, byte_flags, no_block_barrier };

constexpr int ranks = 4, words = 32;

struct signals {
  unsigned flags[2][ranks];             // written by the rank of the index
  alignas(8) unsigned char bytes[2][8]; // for byte_flags: the same
};

using flag = cudax::atomic_ref<unsigned, cudax::thread_scope_system>;
using byte = cudax::atomic_ref<unsigned char, cudax::thread_scope_system>;
using eight_bytes = cudax::atomic_ref<unsigned long long, cudax::thread_scope_system>;

template <form f> __device__ void meet(signals* all, int rank, unsigned step) {
  int const i = int(threadIdx.x), set = f == one_set ? 0 : int(step % 2);
  if constexpr (f != no_block_barrier) __syncthreads(); // the data of all threads of the rank
  if (i < ranks) {
    if constexpr (f == byte_flags) {
      byte(all[i].bytes[set][rank]).store(static_cast<unsigned char>(step), cudax::memory_order_release);
      if (i == 0) {
        unsigned long long const wanted = 0x01010101ull * (step & 255);
        auto& mine = reinterpret_cast<unsigned long long&>(all[rank].bytes[set]);
        while (eight_bytes(mine).load(cudax::memory_order_acquire) != wanted); // found: race
      }
    } else if constexpr (f == volatile_flags) {
      *static_cast<unsigned volatile*>(&all[i].flags[set][rank]) = step;
      while (*static_cast<unsigned volatile*>(&all[rank].flags[set][i]) != step);
    } else {
      flag(all[i].flags[set][rank]).store(step, cudax::memory_order_release);
      while (flag(all[rank].flags[set][i]).load(cudax::memory_order_acquire) != step); // found: livelock
    }
  }
  __syncthreads();
}

template <form f> __global__ void all_reduce(signals* all, int* data, int* sums, int rounds) {
  int const rank = int(blockIdx.x), i = int(threadIdx.x);
  unsigned step = 0;
  for (int round = 0; round < rounds; ++round) {
    data[rank * words + i] = (rank + 1) * (round + i); // found: race
    meet<f>(all, rank, ++step);
    int sum = 0;
    for (int r = 0; r < ranks; ++r) sum += data[(rank + r) % ranks * words + i]; // found: race
    sums[rank * words + i] += sum;
    if constexpr (f != no_second_barrier) meet<f>(all, rank, ++step); // all have read; the data may change
  }
}

template <form f> bool run(int scale) {
  int const rounds = 5 * scale;
  foreign::memory<signals> all(ranks);
  foreign::memory<int> data(ranks * words), sums(ranks * words);
  if (foreign::resident(ranks, words, all_reduce<f>) < ranks) return false;
  foreign::launch(ranks, words, all_reduce<f>, all.data(), data.data(), sums.data(), rounds);
  sums.to_host();
  for (int i = 0; i < ranks * words; ++i) {
    int expected = 0;
    for (int round = 0; round < rounds; ++round) expected += ranks * (ranks + 1) / 2 * (round + i % words);
    if (sums[i] != expected) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"volatile_flags", run<volatile_flags>},
                                {"one_set", run<one_set>},
                                {"no_second_barrier", run<no_second_barrier>},
                                {"byte_flags", run<byte_flags>},
                                {"no_block_barrier", run<no_block_barrier>}});

} // namespace
