// SPDX-License-Identifier: Apache-2.0
//
// An all-reduce in one shot, with blocks in the place of GPUs. Each rank adds up the data of all ranks. Before the sum
// and after it, each rank writes the number of the step into a flag of every other rank, and waits until all of its own
// flags have this number.
//
// Source: vllm-project/vllm#11747: whether the second meeting is needed
// Source: vllm-project/vllm#8558: volatile flags where nothing has to be ordered, release and acquire elsewhere
// Source: vllm-project/vllm#57059: torn data, where the first meeting is relaxed
// Source: sgl-project/sglang#2914: whether one block may meet the other ranks for all blocks
// Form: right
// Form: volatile_flags: race
// Form: no_second_meeting: race
// Form: no_barrier_after_meeting: race
// Form: flags_cleared: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, volatile_flags, no_second_meeting, no_barrier_after_meeting, flags_cleared };

constexpr int ranks = 4, words = 32;

struct signals {
  unsigned flags[2][ranks]; // two sets, used in turn; written by the rank of the index
};

using flag = cudax::atomic_ref<unsigned, cudax::thread_scope_system>;

template <form f> __device__ void meet(signals* all, int rank, unsigned step) {
  int const i = int(threadIdx.x), set = int(step % 2);
  __syncthreads(); // the data of all threads of the rank
  if (i < ranks) {
    unsigned &theirs = all[i].flags[set][rank], &own = all[rank].flags[set][i];
    if constexpr (f == volatile_flags) {
      *static_cast<unsigned volatile*>(&theirs) = step;
      while (*static_cast<unsigned volatile*>(&own) != step);
    } else {
      flag(theirs).store(f == flags_cleared ? 1 : step, cudax::memory_order_release);
      while (flag(own).load(cudax::memory_order_acquire) != (f == flags_cleared ? 1 : step)); // found: livelock
      if constexpr (f == flags_cleared) // too late: a rank that is two steps ahead has written this flag again
        if (step > 1) flag(all[rank].flags[1 - set][i]).store(0, cudax::memory_order_relaxed);
    }
  }
  if constexpr (f != no_barrier_after_meeting) __syncthreads();
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
    if constexpr (f != no_second_meeting) meet<f>(all, rank, ++step); // all have read; the data may change
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
                                {"no_second_meeting", run<no_second_meeting>},
                                {"no_barrier_after_meeting", run<no_barrier_after_meeting>},
                                {"flags_cleared", run<flags_cleared>}});

} // namespace
