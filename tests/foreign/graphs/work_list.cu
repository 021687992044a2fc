// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths with a work list: a thread takes a vertex, lowers the distances of its neighbours, and puts those that
// it lowered into the list of the next round, unless they are marked as listed. The mark of a vertex is cleared before
// its distance is read.
//
// Source: rapidsai/cugraph#456: which of two distances a vertex has while its neighbours lower it
// Source: gunrock/gunrock#45: a bitmap beside the atomicMin keeps a vertex from being listed twice
// Source: iHeartGraph/Enterprise#1: a distance was lowered without an atomic operation
// Form: right
// Form: weak_update: race
// Form: mark_cleared_late: wrong answer
// Form: relaxed_marks: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, weak_update, mark_cleared_late, relaxed_marks };

constexpr int side = 6, vertices = side * side, degree = 6;
constexpr unsigned far = 1u << 30;

struct vertex {
  unsigned distance;
  int is_listed;
};
struct list {
  int count, items[vertices];
};

using namespace cudax;
using mark = atomic_ref<int, thread_scope_device>;
using best = atomic_ref<unsigned, thread_scope_device>;

__host__ __device__ inline int neighbour(int v, int d) {
  // Right, left, down, up, and along one diagonal: neighbours have common neighbours.
  int const x = v % side + side + (d == 0 || d == 4) - (d == 1 || d == 5);
  int const y = v / side + side + (d == 2 || d == 4) - (d == 3 || d == 5);
  return y % side * side + x % side;
}
__host__ __device__ inline unsigned weight(int from, int to) { return unsigned((from * 7 + to * 3) % 9 + 1); }

/// Returns whether the distance was lowered.
template <form f> __device__ bool lower(unsigned& distance, unsigned to) {
  if constexpr (f == weak_update) {
    if (distance <= to) return false; // found: race
    distance = to;                    // found: race
    return true;
  } else {
    return best(distance).fetch_min(to, memory_order_relaxed) > to;
  }
}

template <form f> __global__ void relax(vertex* graph, list* now, list* next) {
  constexpr auto order = f == relaxed_marks ? memory_order_relaxed : memory_order_acq_rel;
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= now->count) return;
  int const v = now->items[i];
  // Whoever lowers the distance and finds the mark set does not list the vertex: this thread then reads the lower
  // distance, because the exchange that clears the mark acquires what the one that found it set has released.
  if constexpr (f != mark_cleared_late) mark(graph[v].is_listed).exchange(0, order);
  unsigned const distance = best(graph[v].distance).load(memory_order_relaxed);
  if constexpr (f == mark_cleared_late) mark(graph[v].is_listed).exchange(0, order);
  for (int d = 0; d < degree; ++d) {
    int const to = neighbour(v, d);
    if (!lower<f>(graph[to].distance, distance + weight(v, to))) continue;
    if (mark(graph[to].is_listed).exchange(1, order) == 0) next->items[atomicAdd(&next->count, 1)] = to;
  }
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
      graph[v] = {expected[v], v == source};
    }
    lists[0].count = 1, lists[0].items[0] = source;
    graph.to_device();
    for (int step = 0; step < 4 * vertices && lists[0].count > 0; ++step) {
      lists[1].count = 0;
      lists.to_device();
      foreign::launch((lists[0].count + 7) / 8, 8, relax<f>, graph.data(), lists.data(), lists.data() + 1);
      lists.to_host();
      lists[0] = lists[1];
    }
    graph.to_host();
    for (int step = 0; step < vertices; ++step)
      for (int v = 0; v < vertices; ++v)
        for (int d = 0; d < degree; ++d) {
          int const to = neighbour(v, d);
          if (expected[v] + weight(v, to) < expected[to]) expected[to] = expected[v] + weight(v, to);
        }
    for (int v = 0; v < vertices; ++v)
      if (graph[v].distance != expected[v]) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"weak_update", run<weak_update>},
                                {"mark_cleared_late", run<mark_cleared_late>},
                                {"relaxed_marks", run<relaxed_marks>}});

} // namespace
