// SPDX-License-Identifier: Apache-2.0
//
// An all-reduce in two shots between ranks, here blocks of one device: each rank adds up its part of everybody's input,
// and then gathers the parts of the others. Before, between and after, the ranks meet: each raises a counter at each
// other rank, and waits for theirs. Two sets of counters alternate, since a rank may be one meeting ahead.
//
// Source: vllm-project/vllm#2760: flags of one byte in a word of eight, and no fence between the two shots
// Source: vllm-project/vllm#8404 and #57059: a first barrier of volatile or relaxed flags, without a fence
// Source: vllm-project/vllm#14125: why two sets of counters: a peer may reach the next meeting first
// Form: right
// Form: relaxed_meeting: race
// Form: no_block_barrier: race
// Form: one_set_of_counters: livelock
// Form: flags_of_a_byte: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_meeting, no_block_barrier, one_set_of_counters, flags_of_a_byte };

constexpr int ranks = 4, threads = 32, part = threads, size = ranks * part, rounds = 3;

using namespace cudax;
using word = atomic_ref<unsigned, thread_scope_device>;
using word_of_flags = atomic_ref<unsigned long long, thread_scope_device>;
using byte = atomic_ref<unsigned char, thread_scope_device>;

struct rank {
  int input[size], reduced[part], output[size];
  unsigned counters[2][ranks]; // raised by the other ranks
  alignas(8) unsigned char flags[2][8];
};

template <form f> __device__ void meet(rank* all, unsigned me, unsigned number) {
  if constexpr (f != no_block_barrier) __syncthreads();
  constexpr bool relaxed = f == relaxed_meeting;
  auto const publish = relaxed ? memory_order_relaxed : memory_order_release;
  auto const observe = relaxed ? memory_order_relaxed : memory_order_acquire;
  if constexpr (f == flags_of_a_byte) {
    if (threadIdx.x < ranks)
      byte(all[threadIdx.x].flags[number % 2][me]).store(static_cast<unsigned char>(number), publish); // found: race
    if (threadIdx.x == 0) {
      auto& mine = *reinterpret_cast<unsigned long long*>(all[me].flags[number % 2]);
      while (word_of_flags(mine).load(observe) != 0x01010101ull * number); // found: race
    }
  } else if (threadIdx.x < ranks) {
    unsigned const set = f == one_set_of_counters ? 0 : number % 2;
    word(all[threadIdx.x].counters[set][me]).store(number, publish);
    while (word(all[me].counters[set][threadIdx.x]).load(observe) != number); // found: one_set_of_counters
  }
  __syncthreads();
}

template <form f> __global__ void all_reduce(rank* all) {
  unsigned const me = blockIdx.x % ranks;
  all += blockIdx.x / ranks * ranks; // several groups run side by side
  int const thread = int(threadIdx.x);
  rank& mine = all[me];
  unsigned meetings = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int i = thread; i < size; i += threads) mine.input[i] = int(me) * 100 + i + round; // found: race
    meet<f>(all, me, ++meetings);
    int sum = 0;
    for (int r = 0; r < ranks; ++r) sum += all[r].input[int(me) * part + thread]; // found: race
    mine.reduced[thread] = sum;                                                   // found: race
    meet<f>(all, me, ++meetings);
    for (int r = 0; r < ranks; ++r) mine.output[r * part + thread] = all[r].reduced[thread]; // found: race
    meet<f>(all, me, ++meetings);
  }
}

template <form f> bool run(int scale) {
  int const blocks = foreign::resident(ranks * scale, threads, all_reduce<f>) / ranks * ranks;
  foreign::memory<rank> all(blocks);
  foreign::launch(blocks, threads, all_reduce<f>, all.data());
  all.to_host();
  for (int r = 0; r < blocks; ++r)
    for (int i = 0; i < size; ++i)
      if (all[r].output[i] != 100 * (0 + 1 + 2 + 3) + ranks * (i + rounds - 1)) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_meeting", run<relaxed_meeting>},
                                {"no_block_barrier", run<no_block_barrier>},
                                {"one_set_of_counters", run<one_set_of_counters>},
                                {"flags_of_a_byte", run<flags_of_a_byte>}});

} // namespace
