// SPDX-License-Identifier: Apache-2.0
//
// A radix sort whose passes read and write the keys once. A tile publishes its count of each digit, and then its
// prefix, as one word that holds the state, too; so it needs no order. A tile takes its number from a counter, looks
// back at the tiles before it, and writes each key to its place.
//
// Source: NVIDIA/cccl#922: a fence between the polls of the look-back that the packed words do not need
// Source: amdadvtech/Orochi#68: the words that say what is ready were not cleared before the first use
// Source: JuliaGPU/AcceleratedKernels.jl#91: a count beside its flag, instead of in it, was stale on a small GPU
// Source: supranational/sppark#24: the counters of the digits were updated before all warps had read them
// Form: right
// Form: words_not_cleared: wrong answer
// Form: histogram_without_barrier: race
// Form: number_without_barrier: race
// Form: state_beside_count: wrong answer
// Form: state_beside_weak_count: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  words_not_cleared,
  histogram_without_barrier,
  number_without_barrier,
  state_beside_count,
  state_beside_weak_count
};

constexpr int threads = 32, bits = 2, digits = 1 << bits, passes = 2;
constexpr unsigned has_count = 1u << 30, has_prefix = 2u << 30, value_bits = has_count - 1;

struct word { // of a tile and a digit
  unsigned packed, count;
};

using namespace cudax;
using ref = atomic_ref<unsigned, thread_scope_device>;

template <form f> constexpr bool is_beside = f == state_beside_count || f == state_beside_weak_count;

template <form f> __device__ void publish(word& w, unsigned state, unsigned value) {
  if constexpr (f == state_beside_count) ref(w.count).store(value, memory_order_relaxed);
  if constexpr (f == state_beside_weak_count) w.count = value; // found: race
  ref(w.packed).store(is_beside<f> ? state : state | value, memory_order_relaxed);
}

template <form f> __device__ unsigned look_back(word* words, int tile, int digit) {
  unsigned sum = 0;
  while (--tile >= 0) {
    word& w = words[tile * digits + digit];
    unsigned packed;
    while ((packed = ref(w.packed).load(memory_order_relaxed)) == 0);
    unsigned value = packed & value_bits;
    if constexpr (f == state_beside_count) value = ref(w.count).load(memory_order_relaxed);
    if constexpr (f == state_beside_weak_count) value = w.count; // found: race
    sum += value;
    if (packed & has_prefix) break;
  }
  return sum;
}

template <form f> __global__ void sort_pass(unsigned const* in, unsigned* out, word* words, int* next,
                                            unsigned const* starts, int shift) {
  __shared__ unsigned histogram[digits], place[digits];
  __shared__ int tile;
  int const i = int(threadIdx.x);
  if (i == 0) tile = atomicAdd(next, 1); // found: race
  if (i < digits) histogram[i] = 0;      // found: race
  if constexpr (f != number_without_barrier) __syncthreads();
  unsigned const key = in[tile * threads + i]; // found: race
  int const digit = int(key >> shift) % digits;
  unsigned const same = __match_any_sync(0xffffffff, digit);
  unsigned const rank = unsigned(__popc(same & ((1u << i) - 1)));
  if (rank == 0) histogram[digit] = unsigned(__popc(same)); // found: race
  if constexpr (f != histogram_without_barrier) __syncthreads();
  if (i < digits) {
    word& w = words[tile * digits + i];
    unsigned const count = histogram[i]; // found: race
    publish<f>(w, has_count, count);
    unsigned const before = look_back<f>(words, tile, i);
    publish<f>(w, has_prefix, before + count);
    place[i] = starts[i] + before;
  }
  __syncthreads();
  out[place[digit] + rank] = key;
}

template <form f> bool run(int scale) {
  int const tiles = 6 * scale, size = tiles * threads;
  foreign::memory<unsigned> keys(size), other(size), starts(digits);
  foreign::memory<word> words(tiles * digits);
  for (int k = 0; k < size; ++k) keys[k] = unsigned(k * 7 + k / 5) % 16;
  keys.to_device();
  for (int pass = 0; pass < passes; ++pass) {
    foreign::memory<int> next;
    if (f != words_not_cleared) {
      std::memset(&words[0], 0, sizeof(word) * unsigned(tiles * digits));
      words.to_device();
    }
    for (int d = 0; d < digits; ++d) starts[d] = 0;
    for (int k = 0; k < size; ++k)
      for (unsigned d = keys[k] >> pass * bits & (digits - 1); ++d < digits;) ++starts[int(d)];
    starts.to_device();
    auto& in = pass % 2 ? other : keys;
    auto& out = pass % 2 ? keys : other;
    foreign::launch(tiles, threads, sort_pass<f>, in.data(), out.data(), words.data(), next.data(), starts.data(),
                    pass * bits);
  }
  foreign::memory<unsigned> input(16);
  for (int v = 0; v < 16; ++v) input[v] = 0;
  for (int k = 0; k < size; ++k) ++input[int(keys[k])];
  keys.to_host();
  for (int k = 0; k < size; ++k) {
    if (k > 0 && keys[k - 1] > keys[k]) return false;
    --input[int(keys[k] % 16)];
  }
  for (int v = 0; v < 16; ++v)
    if (input[v] != 0) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"words_not_cleared", run<words_not_cleared>},
                                {"histogram_without_barrier", run<histogram_without_barrier>},
                                {"number_without_barrier", run<number_without_barrier>},
                                {"state_beside_count", run<state_beside_count>},
                                {"state_beside_weak_count", run<state_beside_weak_count>}});

} // namespace
