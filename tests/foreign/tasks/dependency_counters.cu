// SPDX-License-Identifier: Apache-2.0
//
// A graph of tasks in one kernel. Each task counts how many of its predecessors are missing; the predecessor that ends
// last puts the task into the queue, from which the blocks take tasks in order.
//
// Source: kokkos/kokkos#2105: a fence was missing in the queues of tasks, which was seen once in ten to a hundred runs
// Source: openucx/ucc#616: two predecessors counted themselves at the same time, without an atomic operation
// Source: charmplusplus/charm#1345: the queue's index could become visible before the task
// Form: right
// Form: relaxed_count: race
// Form: count_only_releases: race
// Form: result_after_count: race
// Form: plain_count: race
// Form: relaxed_queue: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_count, count_only_releases, result_after_count, plain_count, relaxed_queue };

constexpr int side = 6, tasks = side * side; // task (x, y) comes after (x - 1, y) and (x, y - 1)

struct graph {
  int missing[tasks], values[tasks];
  int queue[tasks]; // a task's number plus 1
  int tail, head;
};

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;

template <form f> __device__ void predecessor_ended(graph& g, int task) {
  bool is_last;
  if constexpr (f == plain_count) {
    is_last = --g.missing[task] == 0; // found: race
  } else {
    constexpr auto order = f == relaxed_count         ? cudax::memory_order_relaxed
                           : f == count_only_releases ? cudax::memory_order_release
                                                      : cudax::memory_order_acq_rel;
    is_last = word(g.missing[task]).fetch_sub(1, order) == 1;
  }
  if (!is_last) return;
  int const at = word(g.tail).fetch_add(1, cudax::memory_order_relaxed);
  word(g.queue[at]).store(task + 1, f == relaxed_queue ? cudax::memory_order_relaxed : cudax::memory_order_release);
}

template <form f> __global__ void work(graph* g) { // one thread of each block
  for (;;) {
    int const at = word(g->head).fetch_add(1, cudax::memory_order_relaxed);
    if (at >= tasks) return;
    int task;
    while ((task = word(g->queue[at]).load(cudax::memory_order_acquire) - 1) < 0);
    int const x = task % side, y = task / side;
    int sum = task == 0;
    if (x > 0) sum += g->values[task - 1];                        // found: race
    if (y > 0) sum += g->values[task - side];                     // found: race
    if constexpr (f != result_after_count) g->values[task] = sum; // found: race
    if (x + 1 < side) predecessor_ended<f>(*g, task + 1);
    if (y + 1 < side) predecessor_ended<f>(*g, task + side);
    if constexpr (f == result_after_count) g->values[task] = sum; // found: race
  }
}

template <form f> bool run(int scale) {
  constexpr int blocks = 4;
  for (int round = 0; round < scale; ++round) {
    foreign::memory<graph> g;
    std::memset(&g[0], 0, sizeof(graph));
    for (int task = 1; task < tasks; ++task) g[0].missing[task] = (task % side > 0) + (task / side > 0);
    g[0].queue[0] = 1, g[0].tail = 1;
    g.to_device();
    if (foreign::resident(blocks, 1, work<f>) < blocks) return false;
    foreign::launch(blocks, 1, work<f>, g.data());
    g.to_host();
    int expected[tasks] = {1}; // binomial coefficients
    for (int task = 1; task < tasks; ++task)
      expected[task] = (task % side > 0 ? expected[task - 1] : 0) + (task / side > 0 ? expected[task - side] : 0);
    if (std::memcmp(expected, g[0].values, sizeof expected) != 0) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_count", run<relaxed_count>},
                                {"count_only_releases", run<count_only_releases>},
                                {"result_after_count", run<result_after_count>},
                                {"plain_count", run<plain_count>},
                                {"relaxed_queue", run<relaxed_queue>}});

} // namespace
