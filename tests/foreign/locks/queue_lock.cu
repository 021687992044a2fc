// SPDX-License-Identifier: Apache-2.0
//
// The queue lock of Mellor-Crummey and Scott between blocks: each waiter polls a word of its own, which the holder
// before it writes. The last of the queue is found by an exchange.
//
// Source: Mellor-Crummey and Scott, "Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors" (1991)
// Source: niessner/VoxelHashing#10: the words of a bucket's lock were computed wrongly
// Source: CodedK/CUDA-by-Example-source-code-for-the-book-s-examples-#4: which fences a lock needs
// Form: right
// Form: relaxed_hand_over: race
// Form: relaxed_wait: race
// Form: relaxed_last: race
// Form: no_wait_for_next: livelock
// Form: flag_set_after_link: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_hand_over, relaxed_wait, relaxed_last, no_wait_for_next, flag_set_after_link };

constexpr int blocks = 4, no_waiter = 0; // a waiter is its block's index plus 1

struct waiter {
  int next, must_wait;
};
struct queue_lock {
  int last, counter;
  waiter waiters[blocks + 1];
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> __device__ void lock(queue_lock& l, int me) {
  waiter& w = l.waiters[me];
  word(w.next).store(no_waiter, memory_order_relaxed);
  if constexpr (f != flag_set_after_link) word(w.must_wait).store(1, memory_order_relaxed);
  // Releases the two stores above; acquires what the last holder released when it left the queue empty.
  int const before = word(l.last).exchange(me, memory_order_acq_rel);
  if (before == no_waiter) return;
  word(l.waiters[before].next).store(me, memory_order_release);
  if constexpr (f == flag_set_after_link) word(w.must_wait).store(1, memory_order_relaxed);
  while (word(w.must_wait).load(f == relaxed_wait ? memory_order_relaxed : memory_order_acquire)); // found: livelock
}

template <form f> __device__ void unlock(queue_lock& l, int me) {
  waiter& w = l.waiters[me];
  int next = word(w.next).load(memory_order_acquire);
  if (next == no_waiter) {
    int expected = me;
    constexpr auto order = f == relaxed_last ? memory_order_relaxed : memory_order_release;
    if (word(l.last).compare_exchange_strong(expected, no_waiter, order, memory_order_relaxed)) return;
    if constexpr (f == no_wait_for_next) return;
    while ((next = word(w.next).load(memory_order_acquire)) == no_waiter);
  }
  word(l.waiters[next].must_wait).store(0, f == relaxed_hand_over ? memory_order_relaxed : memory_order_release);
}

template <form f> __global__ void count(queue_lock* l, int rounds) { // blocks of one thread
  int const me = int(blockIdx.x) + 1;
  for (int round = 0; round < rounds; ++round) {
    lock<f>(*l, me);
    ++l->counter; // found: race
    unlock<f>(*l, me);
  }
}

template <form f> bool run(int scale) {
  int const rounds = 8 * scale;
  foreign::memory<queue_lock> l;
  if (foreign::resident(blocks, 1, count<f>) < blocks) return false;
  foreign::launch(blocks, 1, count<f>, l.data(), rounds);
  l.to_host();
  return l[0].counter == blocks * rounds;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_hand_over", run<relaxed_hand_over>},
                                {"relaxed_wait", run<relaxed_wait>},
                                {"relaxed_last", run<relaxed_last>},
                                {"no_wait_for_next", run<no_wait_for_next>},
                                {"flag_set_after_link", run<flag_set_after_link>}});

} // namespace
