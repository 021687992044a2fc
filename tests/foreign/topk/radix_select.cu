// SPDX-License-Identifier: Apache-2.0
//
// The k-th largest value by radix select: in each pass all blocks add to one histogram, the block that arrives last
// chooses the digit, and the others wait for it.
//
// Source: NVIDIA/raft#3041: a block counted itself before all of its threads had added to the histogram
// Source: ROCm/aiter#4007: no fence between the histogram and the arrival; blocks chose different digits, and hung
// Source: ROCm/aiter#4841: an acquire by one thread does not order what the other threads of the block have added
// Source: flashinfer-ai/flashinfer#5251: the barrier of the block before the arrival was missing at two places of three
// Form: right
// Form: no_block_barrier: race
// Form: relaxed_arrival: race
// Form: relaxed_arrival_relaxed_read: wrong answer
// Form: relaxed_arrival_atomic_read: missed
// Why: a read-modify-write reads the newest value in a checked run, so the sum is always complete. PTX lets it be older.
// Form: relaxed_done: race
// Form: histogram_kept: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  no_block_barrier,
  relaxed_arrival,
  relaxed_arrival_relaxed_read,
  relaxed_arrival_atomic_read,
  relaxed_done,
  histogram_kept
};

constexpr int threads = 32, each = 2, bits = 3, digits = 1 << bits, passes = 2;

struct selection {
  int histogram[passes][digits];
  int arrived, done, seen[passes];
  int prefix[passes + 1],
      wanted[passes + 1]; // before a pass: the digits that are known, and how many values are to be found
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> constexpr bool is_relaxed =
    f == relaxed_arrival || f == relaxed_arrival_relaxed_read || f == relaxed_arrival_atomic_read;

template <form f> __device__ int count_of(int& count) {
  if constexpr (f == relaxed_arrival_relaxed_read) return word(count).load(memory_order_relaxed);
  else if constexpr (f == relaxed_arrival_atomic_read) return atomicAdd(&count, 0);
  else return count; // found: race
}

template <form f> __device__ void choose(selection& s, int* histogram, int pass) {
  int digit = -1, wanted = s.wanted[pass], sum = 0;
  for (int d = digits - 1; d >= 0; --d) {
    int const count = count_of<f>(histogram[d]); // found: race
    sum += count;
    if (digit >= 0) continue;
    if (count >= wanted || d == 0) digit = d;
    else wanted -= count;
  }
  s.prefix[pass + 1] = s.prefix[pass] << bits | digit; // found: race
  s.wanted[pass + 1] = wanted;
  s.seen[pass] = sum;
}

template <form f> __global__ void select(int const* values, selection* s) {
  int const first = int(blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int pass = 0; pass < passes; ++pass) {
    int* const histogram = s->histogram[f == histogram_kept ? 0 : pass];
    int const shift = (passes - 1 - pass) * bits, prefix = s->prefix[pass]; // found: race
    for (int i = 0; i < each; ++i) {
      int const value = values[first + i];
      if (value >> (shift + bits) == prefix) atomicAdd(&histogram[(value >> shift) % digits], 1); // found: race
    }
    if constexpr (f != no_block_barrier) __syncthreads();
    if (threadIdx.x == 0) {
      int const before = word(s->arrived).fetch_add(1, is_relaxed<f> ? memory_order_relaxed : memory_order_acq_rel);
      if (before == int(gridDim.x) * (pass + 1) - 1) {
        choose<f>(*s, histogram, pass);
        word(s->done).store(pass + 1, f == relaxed_done ? memory_order_relaxed : memory_order_release);
      } else {
        while (word(s->done).load(memory_order_acquire) <= pass);
      }
    }
    __syncthreads();
  }
}

template <form f> bool run(int scale) {
  int const blocks = foreign::resident(scale < 8 ? 3 : 32, threads, select<f>), size = blocks * threads * each;
  foreign::memory<int> values(size);
  for (int i = 0; i < size; ++i) values[i] = i * 37 % 61;
  values.to_device();
  for (int round = 0; round < scale; ++round) {
    int const wanted = (size / 2 + round * 5) % size + 1;
    foreign::memory<selection> s;
    std::memset(&s[0], 0, sizeof(selection));
    s[0].wanted[0] = wanted;
    s.to_device();
    foreign::launch(blocks, threads, select<f>, values.data(), s.data());
    s.to_host();
    int above = 0, same = 0;
    for (int i = 0; i < size; ++i) above += values[i] > s[0].prefix[passes], same += values[i] == s[0].prefix[passes];
    if (s[0].seen[0] != size) return false;
    if (above >= wanted || above + same < wanted) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_block_barrier", run<no_block_barrier>},
                                {"relaxed_arrival", run<relaxed_arrival>},
                                {"relaxed_arrival_relaxed_read", run<relaxed_arrival_relaxed_read>},
                                {"relaxed_arrival_atomic_read", run<relaxed_arrival_atomic_read>},
                                {"relaxed_done", run<relaxed_done>},
                                {"histogram_kept", run<histogram_kept>}});

} // namespace
