// SPDX-License-Identifier: Apache-2.0
//
// Messages from block to block around a ring, in which every word of 8 bytes has 4 bytes of data and a flag of 4 bytes:
// the flag is the number of the step, so no fence orders the two. A slot is written again once the reader has given
// credit.
//
// Source: NVIDIA/nccl#281 and #824: the protocol LL relies on stores of 8 bytes that are seen as a whole
// Source: NVIDIA/nccl#1641: whether a store of 16 bytes is one for the reader, too
// Form: right
// Form: two_stores: race
// Form: two_words: wrong answer
// Form: same_flag_in_each_step: livelock
// Form: no_credit: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, two_stores, two_words, same_flag_in_each_step, no_credit };

constexpr int threads = 32;
constexpr unsigned steps = 6, slots = 2;

using u64 = unsigned long long;
using line = cudax::atomic_ref<u64, cudax::thread_scope_device>;
using word = cudax::atomic_ref<unsigned, cudax::thread_scope_device>;
using namespace cudax;

struct channel { // what a block gets from the one before it
  u64 slot[slots][threads];
  unsigned credit; // steps that the reader has read
};

template <form f> __device__ void send(channel& c, unsigned step, unsigned data) {
  unsigned const flag = f == same_flag_in_each_step ? 1 : step + 1;
  if constexpr (f != no_credit) {
    if (threadIdx.x == 0)
      while (step - word(c.credit).load(memory_order_relaxed) >= slots); // found: livelock
    __syncthreads();
  }
  u64& to = c.slot[step % slots][threadIdx.x];
  unsigned* const halves = reinterpret_cast<unsigned*>(&to);
  if constexpr (f == two_stores || f == two_words) {
    word(halves[0]).store(data, memory_order_relaxed); // found: two_stores
    word(halves[1]).store(flag, memory_order_relaxed); // found: two_stores
  } else {
    line(to).store(u64(flag) << 32 | data, memory_order_relaxed);
  }
}

template <form f> __device__ unsigned receive(channel& c, unsigned step) {
  unsigned const flag = f == same_flag_in_each_step ? 1 : step + 1;
  u64& from = c.slot[step % slots][threadIdx.x];
  unsigned data;
  if constexpr (f == two_words) {
    unsigned* const halves = reinterpret_cast<unsigned*>(&from);
    while (word(halves[1]).load(memory_order_relaxed) != flag);
    data = word(halves[0]).load(memory_order_relaxed);
  } else {
    u64 seen;
    while ((seen = line(from).load(memory_order_relaxed)) >> 32 != flag); // found: two_stores, livelock
    data = unsigned(seen);
  }
  __syncthreads(); // all threads have read
  if (threadIdx.x == 0) word(c.credit).store(step + 1, memory_order_relaxed);
  return data;
}

/// Each block passes on what it gets, plus 1, so that everything goes around the ring.
template <form f> __global__ void ring(channel* channels, unsigned* out) {
  channel &from = channels[blockIdx.x], &to = channels[(blockIdx.x + 1) % gridDim.x];
  unsigned sum = 0;
  for (unsigned step = 0; step < steps; ++step) {
    if (blockIdx.x == 0) {
      send<f>(to, step, step * 100 + threadIdx.x);
      sum += receive<f>(from, step);
    } else {
      unsigned const data = receive<f>(from, step);
      sum += data;
      send<f>(to, step, data + 1);
    }
  }
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

/// Without credit, a block that sends at once overtakes one that reads late.
template <form f> __global__ void stream(channel* channels, unsigned* out) {
  unsigned sum = 0;
  for (unsigned step = 0; step < steps; ++step)
    if (blockIdx.x % 2 == 0) send<f>(channels[blockIdx.x / 2], step, step * 100 + threadIdx.x);
    else sum += receive<f>(channels[blockIdx.x / 2], step);
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

template <form f> bool run(int scale) {
  int const blocks = foreign::resident(4 * scale, threads, ring<f>) / 2 * 2;
  foreign::memory<channel> channels(blocks), pairs(blocks);
  foreign::memory<unsigned> out(blocks * threads);
  foreign::launch(blocks, threads, ring<f>, channels.data(), out.data());
  out.to_host();
  for (int i = 0; i < out.size(); ++i) {
    int const block = i / threads, hops = block ? block - 1 : blocks - 1;
    unsigned sum = 0;
    for (unsigned step = 0; step < steps; ++step) sum += step * 100 + unsigned(i % threads + hops);
    if (out[i] != sum) return false;
  }
  foreign::launch(blocks, threads, stream<f>, pairs.data(), out.data());
  out.to_host();
  for (int i = 0; i < out.size(); ++i)
    if (i / threads % 2 && out[i] != steps * (steps - 1) / 2 * 100 + steps * unsigned(i % threads)) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"two_stores", run<two_stores>},
                                {"two_words", run<two_words>},
                                {"same_flag_in_each_step", run<same_flag_in_each_step>},
                                {"no_credit", run<no_credit>}});

} // namespace
