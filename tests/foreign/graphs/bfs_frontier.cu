// SPDX-License-Identifier: Apache-2.0
//
// Breadth-first search in one launch: the threads take vertices from the queue of this level, mark neighbours in a
// bitmap, and append those that were not marked to the queue of the next level. A barrier of the grid ends each level.
//
// Source: Merrill, Garland and Grimshaw, "Scalable GPU Graph Traversal" (PPoPP 2012): queues, bitmap
// Source: iHeartGraph/Enterprise#1: two threads find the same vertex unvisited
// Source: chai-benchmarks/chai#17: a search by CPU and GPU threads that never ended
// Form: right
// Form: counter_reset_too_early: race
// Form: counter_not_reset: wrong answer
// Form: plain_visits: race
// Form: test_then_set: wrong answer
// Form: no_barrier_after_level: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, counter_reset_too_early, counter_not_reset, plain_visits, test_then_set, no_barrier_after_level };

constexpr int threads = 32, neighbours = 3;

using namespace cudax;
using grid_barrier = barrier<thread_scope_device>;
using word = atomic_ref<unsigned, thread_scope_device>;

struct queues {
  int count[2];
  int* of[2];
};

template <form f> __device__ bool visit(unsigned* visited, int vertex) {
  unsigned const bit = 1u << vertex % 32;
  unsigned& of_32 = visited[vertex / 32];
  if constexpr (f == plain_visits) {
    unsigned const seen = of_32; // found: plain_visits
    of_32 = seen | bit;          // found: plain_visits
    return !(seen & bit);
  } else if constexpr (f == test_then_set) {
    if (word(of_32).load(memory_order_relaxed) & bit) return false;
    word(of_32).fetch_or(bit, memory_order_relaxed);
    return true;
  } else {
    return !(word(of_32).fetch_or(bit, memory_order_relaxed) & bit);
  }
}

template <form f>
__global__ void search(int const* edges, int* depth, queues q, unsigned* visited, int* counts, int* appended, int size,
                       grid_barrier* b) {
  int const thread = int(blockIdx.x * threads + threadIdx.x), all = int(gridDim.x * threads);
  for (int level = 0; level < size; ++level) {
    int const now = level % 2, count = counts[now]; // found: counter_reset_too_early, no_barrier_after_level
    if (count == 0) break;
    if (f == counter_reset_too_early && thread == 0) counts[now] = 0; // found: counter_reset_too_early
    for (int i = thread; i < count; i += all) {
      int const vertex = q.of[now][i]; // found: no_barrier_after_level
      depth[vertex] = level;
      for (int e = 0; e < neighbours; ++e) {
        int const next = edges[vertex * neighbours + e];
        if (!visit<f>(visited, next)) continue;
        int const place = atomicAdd(counts + (1 - now), 1); // found: no_barrier_after_level
        if (place < size) q.of[1 - now][place] = next;      // found: no_barrier_after_level
        atomicAdd(appended, 1);
      }
    }
    if constexpr (f != no_barrier_after_level) b->arrive_and_wait();
    // All threads have read the count of this level; the next level appends there.
    if (f != counter_not_reset && thread == 0) counts[now] = 0; // found: no_barrier_after_level
    if constexpr (f != no_barrier_after_level) b->arrive_and_wait();
  }
}

__global__ void make_barrier(grid_barrier* b, int count) { init(b, count); }

template <form f> bool run(int scale) {
  int const size = 128 * scale, blocks = foreign::resident(2 * scale, threads, search<f>);
  foreign::memory<int> edges(size * neighbours), depth(size), counts(2), queue_0(size), queue_1(size), appended;
  foreign::memory<unsigned> visited((size + 31) / 32);
  foreign::memory<grid_barrier> b;
  for (int v = 0; v < size; ++v) {
    edges[v * neighbours] = (v + 1) % size;
    edges[v * neighbours + 1] = int((v * 2ll + 1) % size);
    edges[v * neighbours + 2] = int((v * 5ll + 3) % size);
  }
  counts[0] = 1, counts[1] = 0, visited[0] = 1;
  for (int i = 1; i < visited.size(); ++i) visited[i] = 0;
  edges.to_device(), counts.to_device(), visited.to_device();
  foreign::launch(1, 1, make_barrier, b.data(), blocks * threads);
  foreign::launch(blocks, threads, search<f>, edges.data(), depth.data(), queues{{}, {queue_0.data(), queue_1.data()}},
                  visited.data(), counts.data(), appended.data(), size, b.data());
  depth.to_host(), appended.to_host();
  foreign::memory<int> expected(size), queue(size);
  for (int i = 0; i < size; ++i) expected[i] = -1;
  expected[0] = 0, queue[0] = 0;
  int reached = 0; // without the first vertex
  for (int head = 0; head <= reached; ++head)
    for (int e = 0; e < neighbours; ++e) {
      int const next = edges[queue[head] * neighbours + e];
      if (expected[next] < 0) expected[next] = expected[queue[head]] + 1, queue[++reached] = next;
    }
  for (int i = 0; i < size; ++i)
    if (depth[i] != expected[i]) return false;
  return appended[0] == reached;
}

foreign::program const program({{"right", run<right>},
                                {"counter_reset_too_early", run<counter_reset_too_early>},
                                {"counter_not_reset", run<counter_not_reset>},
                                {"plain_visits", run<plain_visits>},
                                {"test_then_set", run<test_then_set>},
                                {"no_barrier_after_level", run<no_barrier_after_level>}});

} // namespace
