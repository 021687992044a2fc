// SPDX-License-Identifier: Apache-2.0
//
// An all-gather along a ring, with blocks in the place of GPUs. Each connection has two slots. The sender counts the
// slots that it has filled in `tail`, the receiver those that it has emptied in `head`; the difference is the sender's
// credit.
//
// Source: uccl-project/uccl#903: slots that are used again were read by non-coherent loads, and old bytes were seen
// Source: NVIDIA/nccl#2365: a slot was published by a plain store, and its reader saw the flag before the data
// Source: NVIDIA/nccl#2393: of two words of a slot, the second was read without an order after the first
// Source: ROCm/rccl#2179: counters of a connection that two kernels read and write without atomic operations
// Form: right
// Form: no_credit: race
// Form: tail_before_barrier: race
// Form: head_before_read: race
// Form: volatile_tail: race
// Form: non_coherent_load: misuse
#include "../foreign.hpp"
#include "../ptx.hpp"
import cudax.sync;

namespace {

enum form { right, no_credit, tail_before_barrier, head_before_read, volatile_tail, non_coherent_load };

constexpr int ranks = 3, words = 32, slots = 2;

struct connection { // to the next rank
  int tail, head;
  int data[slots][words];
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_system>;

template <form f> __device__ void send(connection& c, int& step, int value) {
  int const i = int(threadIdx.x);
  if (i == 0 && f != no_credit)
    while (step - word(c.head).load(memory_order_acquire) >= slots);
  __syncthreads();
  c.data[step % slots][i] = value; // found: race, misuse
  if constexpr (f != tail_before_barrier) __syncthreads();
  ++step;
  if (i != 0) return;
  if constexpr (f == volatile_tail) *static_cast<int volatile*>(&c.tail) = step;
  else word(c.tail).store(step, memory_order_release);
}

template <form f> __device__ int receive(connection& c, int& step) {
  int const i = int(threadIdx.x);
  if (i == 0) {
    if constexpr (f == volatile_tail)
      while (*static_cast<int volatile*>(&c.tail) <= step);
    else
      while (word(c.tail).load(memory_order_acquire) <= step);
  }
  __syncthreads();
  if (f == head_before_read && i == 0) word(c.head).store(step + 1, memory_order_release);
  int value;
  if constexpr (f == non_coherent_load) value = ptx::load_read_only(&c.data[step % slots][i]); // found: misuse
  else value = c.data[step % slots][i];                                                        // found: race
  __syncthreads();
  ++step;
  if (f != head_before_read && i == 0) word(c.head).store(step, memory_order_release);
  return value;
}

template <form f> __global__ void gather(connection* ring, int* out, int rounds) {
  int const rank = int(blockIdx.x), i = int(threadIdx.x);
  connection &to = ring[rank], &from = ring[(rank + ranks - 1) % ranks];
  int sent = 0, received = 0;
  for (int round = 0; round < rounds; ++round) {
    int value = rank * 1000 + round * words + i;
    int sum = value;
    for (int step = 1; step < ranks; ++step) {
      send<f>(to, sent, value);
      value = receive<f>(from, received);
      sum += value * (step + 1);
    }
    out[rank * words + i] += sum;
  }
}

template <form f> bool run(int scale) {
  int const rounds = 3 * scale;
  foreign::memory<connection> ring(ranks);
  foreign::memory<int> out(ranks * words);
  if (foreign::resident(ranks, words, gather<f>) < ranks) return false;
  foreign::launch(ranks, words, gather<f>, ring.data(), out.data(), rounds);
  out.to_host();
  for (int rank = 0; rank < ranks; ++rank)
    for (int i = 0; i < words; ++i) {
      int expected = 0;
      for (int round = 0; round < rounds; ++round)
        for (int step = 0; step < ranks; ++step)
          expected += ((rank + ranks - step) % ranks * 1000 + round * words + i) * (step + 1);
      if (out[rank * words + i] != expected) return false;
    }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_credit", run<no_credit>},
                                {"tail_before_barrier", run<tail_before_barrier>},
                                {"head_before_read", run<head_before_read>},
                                {"volatile_tail", run<volatile_tail>},
                                {"non_coherent_load", run<non_coherent_load>}});

} // namespace
