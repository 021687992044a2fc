// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths with a work list: a thread takes a vertex, lowers the distances of its neighbours by atomicMin, and
// puts those that it lowered into the list of the next round, unless they are marked as listed. The distance and the
// predecessor are one word.
//
// Source: rapidsai/cugraph#456: a distance is read by a plain load while others lower it
// Source: gunrock/gunrock#1108: a detector of races finds such reads in shortest paths and four other algorithms
// Source: gunrock/gunrock#362: the predecessor is stored after the atomicMin, and not always that of the shortest path
// Source: iHeartGraph/Enterprise#1: a distance was lowered without an atomic operation
// Form: right
// Form: weak_read: race
// Form: weak_update: race
// Form: predecessor_beside: wrong answer
// Form: mark_cleared_late: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, weak_read, weak_update, predecessor_beside, mark_cleared_late };

constexpr int side = 6, vertices = side * side, degree = 6;
constexpr unsigned far = 1u << 30;

using u64 = unsigned long long;
struct vertex {
  u64 distance_and_predecessor; // the distance is the upper half
  unsigned predecessor;         // for predecessor_beside
  int is_listed;
};
struct list {
  int count, items[vertices];
};

using namespace cudax;
using mark = atomic_ref<int, thread_scope_device>;
using best = atomic_ref<u64, thread_scope_device>;
using other = atomic_ref<unsigned, thread_scope_device>;

__host__ __device__ inline int neighbour(int v, int d) {
  // Right, left, down, up, and along one diagonal: neighbours have common neighbours.
  int const x = v % side + side + (d == 0 || d == 4) - (d == 1 || d == 5);
  int const y = v / side + side + (d == 2 || d == 4) - (d == 3 || d == 5);
  return y % side * side + x % side;
}
__host__ __device__ inline unsigned weight(int from, int to) { return unsigned((from * 7 + to * 3) % 9 + 1); }

template <form f> __device__ unsigned distance_of(vertex& v) {
  if constexpr (f == weak_read) return unsigned(v.distance_and_predecessor >> 32); // found: race
  else return unsigned(best(v.distance_and_predecessor).load(memory_order_relaxed) >> 32);
}

/// Returns whether the distance was lowered.
template <form f> __device__ bool lower(vertex& v, unsigned distance, int predecessor) {
  u64 const wanted = u64(distance) << 32 | unsigned(f == predecessor_beside ? 0 : predecessor);
  if constexpr (f == weak_update) {
    if (v.distance_and_predecessor <= wanted) return false; // found: race
    v.distance_and_predecessor = wanted;                    // found: race
    return true;
  } else {
    if (best(v.distance_and_predecessor).fetch_min(wanted, memory_order_relaxed) <= wanted) return false; // found: race
    if constexpr (f == predecessor_beside) other(v.predecessor).store(unsigned(predecessor), memory_order_relaxed);
    return true;
  }
}

template <form f> __global__ void relax(vertex* graph, list* now, list* next) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= now->count * degree) return;
  int const v = now->items[i / degree], to = neighbour(v, i % degree);
  // The mark is cleared before the distance is read: who lowers it later lists the vertex again. Orders the two.
  if constexpr (f != mark_cleared_late) mark(graph[v].is_listed).exchange(0, memory_order_acq_rel);
  unsigned const distance = distance_of<f>(graph[v]);
  if constexpr (f == mark_cleared_late) mark(graph[v].is_listed).exchange(0, memory_order_acq_rel);
  if (!lower<f>(graph[to], distance + weight(v, to), v)) return;
  if (mark(graph[to].is_listed).exchange(1, memory_order_acq_rel) == 0) next->items[atomicAdd(&next->count, 1)] = to;
}

template <form f> bool run(int scale) {
  int const rounds = scale < 8 ? 1 : scale / 8;
  for (int round = 0; round < rounds; ++round) {
    foreign::memory<vertex> graph(vertices);
    foreign::memory<list> lists(2);
    int const source = round % vertices;
    unsigned expected[vertices];
    for (int v = 0; v < vertices; ++v) {
      expected[v] = v == source ? 0 : far;
      graph[v] = {u64(expected[v]) << 32, 0, v == source};
    }
    lists[0].count = 1, lists[0].items[0] = source;
    graph.to_device();
    for (int step = 0; step < 4 * vertices && lists[0].count > 0; ++step) {
      lists[1].count = 0;
      lists.to_device();
      foreign::launch((lists[0].count * degree + 31) / 32, 32, relax<f>, graph.data(), lists.data(), lists.data() + 1);
      lists.to_host();
      if (lists[1].count > vertices) return false;
      lists[0] = lists[1];
    }
    graph.to_host();
    for (int step = 0; step < vertices; ++step)
      for (int v = 0; v < vertices; ++v)
        for (int d = 0; d < degree; ++d) {
          int const to = neighbour(v, d);
          if (expected[v] + weight(v, to) < expected[to]) expected[to] = expected[v] + weight(v, to);
        }
    for (int v = 0; v < vertices; ++v) {
      if (unsigned(graph[v].distance_and_predecessor >> 32) != expected[v]) return false;
      if (v == source) continue;
      int const before =
          int(f == predecessor_beside ? graph[v].predecessor : unsigned(graph[v].distance_and_predecessor));
      if (expected[before] + weight(before, v) != expected[v]) return false;
    }
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"weak_read", run<weak_read>},
                                {"weak_update", run<weak_update>},
                                {"predecessor_beside", run<predecessor_beside>},
                                {"mark_cleared_late", run<mark_cleared_late>}});

} // namespace
