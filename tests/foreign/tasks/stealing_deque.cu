// SPDX-License-Identifier: Apache-2.0
//
// The work-stealing deque of Chase and Lev, with the orders of Le and others: a block pushes tasks and takes them from
// the bottom, the other blocks steal from the top. Each task must be executed once.
//
// Source: Le, Pop, Cohen and Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models" (PPoPP 2013)
// Source: charmplusplus/charm#1345: the index of the bottom could become visible before the task
// Source: status-im/nim-taskpools#52: which order the store of the bottom needs
// Form: right
// Form: take_without_fence: wrong answer
// Form: steal_without_fence: wrong answer
// Form: push_without_release: race
// Form: last_without_exchange: wrong answer
// Form: fences_acq_rel: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  take_without_fence,
  steal_without_fence,
  push_without_release,
  last_without_exchange,
  fences_acq_rel
};

constexpr int capacity = 64; // at least as many as tasks: no place is used again

struct task {
  int number, weight;
};
struct deque {
  int top, bottom, done;
  int places[capacity];
  task tasks[capacity]; // plain: published by the push
};

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;
using namespace cudax;

template <form f> __device__ void fence() {
  atomic_thread_fence(f == fences_acq_rel ? memory_order_acq_rel : memory_order_seq_cst, thread_scope_device);
}

template <form f> __device__ void push(deque& d, int number) {
  int const b = word(d.bottom).load(memory_order_relaxed);
  d.tasks[number] = {number, number % 5 + 1}; // found: race
  word(d.places[b]).store(number, memory_order_relaxed);
  if constexpr (f != push_without_release) atomic_thread_fence(memory_order_release, thread_scope_device);
  word(d.bottom).store(b + 1, memory_order_relaxed);
}

template <form f> __device__ int take(deque& d) {
  int const b = word(d.bottom).load(memory_order_relaxed) - 1;
  word(d.bottom).store(b, memory_order_relaxed);
  if constexpr (f != take_without_fence) fence<f>();
  int t = word(d.top).load(memory_order_relaxed);
  if (t > b) {
    word(d.bottom).store(b + 1, memory_order_relaxed);
    return -1;
  }
  int result = word(d.places[b]).load(memory_order_relaxed);
  if (t == b) { // the last one: thieves want it, too
    if constexpr (f != last_without_exchange) {
      if (!word(d.top).compare_exchange_strong(t, t + 1, memory_order_seq_cst, memory_order_relaxed)) result = -1;
    }
    word(d.bottom).store(b + 1, memory_order_relaxed);
  }
  return result;
}

template <form f> __device__ int steal(deque& d) {
  int t = word(d.top).load(memory_order_acquire);
  if constexpr (f != steal_without_fence) fence<f>();
  int const b = word(d.bottom).load(memory_order_acquire);
  if (t >= b) return -1;
  int const result = word(d.places[t]).load(memory_order_relaxed);
  return word(d.top).compare_exchange_strong(t, t + 1, memory_order_seq_cst, memory_order_relaxed) ? result : -1;
}

__device__ void execute(deque& d, int number, int* counts) {
  if (number >= 0) atomicAdd(&counts[number], d.tasks[number].weight); // found: race
}

template <form f> __global__ void work(deque* d, int tasks, int* counts) {
  if (blockIdx.x == 0) {
    for (int number = 0; number < tasks; ++number) {
      push<f>(*d, number);
      if (number % 3 == 2) execute(*d, take<f>(*d), counts), execute(*d, take<f>(*d), counts);
    }
    for (int number; (number = take<f>(*d)) >= 0;) execute(*d, number, counts);
    word(d->done).store(1, memory_order_release);
  } else {
    while (!word(d->done).load(memory_order_acquire)) execute(*d, steal<f>(*d), counts);
  }
}

template <form f> bool run(int scale) {
  constexpr int tasks = 24;
  // A checked round of a form without a fence, or with a weaker one, shows its mistake in a few of 100 seeds.
  constexpr int rounds = f == take_without_fence || f == steal_without_fence || f == fences_acq_rel ? 8 : 1;
  for (int round = 0; round < scale * rounds; ++round) {
    foreign::memory<deque> d;
    foreign::memory<int> counts(tasks);
    int const blocks = foreign::resident(3, 1, work<f>);
    foreign::launch(blocks, 1, work<f>, d.data(), tasks, counts.data());
    counts.to_host();
    for (int number = 0; number < tasks; ++number)
      if (counts[number] != number % 5 + 1) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"take_without_fence", run<take_without_fence>},
                                {"steal_without_fence", run<steal_without_fence>},
                                {"push_without_release", run<push_without_release>},
                                {"last_without_exchange", run<last_without_exchange>},
                                {"fences_acq_rel", run<fences_acq_rel>}});

} // namespace
