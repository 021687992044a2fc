// SPDX-License-Identifier: Apache-2.0
//
// Connected components by union-find without locks: a thread for each edge finds the roots of both ends, and hooks the
// larger root under the smaller one by a compare-and-swap. Paths are shortened on the way.
//
// Source: Jaiganesh and Burtscher, "A High-performance Connected Components Implementation for GPUs" (HPDC 2018)
// Source: IntelligentSoftwareSystems/Galois#375: hooks by plain stores, labels read by plain loads
// Form: right
// Form: hook_by_store: wrong answer
// Form: plain_parents: race
// Form: hook_without_retry: wrong answer
// Form: hook_of_any_vertex: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, hook_by_store, plain_parents, hook_without_retry, hook_of_any_vertex };

constexpr int threads = 32;

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> __device__ int parent_of(int* parents, int vertex) {
  if constexpr (f == plain_parents) return parents[vertex]; // found: race
  else return word(parents[vertex]).load(memory_order_relaxed);
}

template <form f> __device__ int root_of(int* parents, int vertex) {
  int parent = parent_of<f>(parents, vertex);
  for (int next; parent != (next = parent_of<f>(parents, parent)); parent = next) {
    if constexpr (f == plain_parents) parents[vertex] = next; // found: race
    else word(parents[vertex]).store(next, memory_order_relaxed);
    vertex = parent;
  }
  return parent;
}

template <form f> __global__ void unite(int* parents, int const* from, int const* to, int edges) {
  int const edge = int(blockIdx.x * threads + threadIdx.x);
  if (edge >= edges) return;
  for (;;) {
    int a = f == hook_of_any_vertex ? from[edge] : root_of<f>(parents, from[edge]), b = root_of<f>(parents, to[edge]);
    if (a == b) return;
    if (a < b) { // the smaller one becomes the parent
      int const other = a;
      a = b, b = other;
    }
    if constexpr (f == hook_by_store || f == hook_of_any_vertex) {
      word(parents[a]).store(b, memory_order_relaxed);
      return;
    } else {
      int root = a;
      if (word(parents[a]).compare_exchange_strong(root, b, memory_order_relaxed, memory_order_relaxed)) return;
      if constexpr (f == hook_without_retry) return;
    }
  }
}

__global__ void flatten(int* parents, int vertices) {
  int const vertex = int(blockIdx.x * threads + threadIdx.x);
  if (vertex >= vertices) return;
  int root = vertex;
  for (int next; root != (next = word(parents[root]).load(memory_order_relaxed)); root = next);
  word(parents[vertex]).store(root, memory_order_relaxed);
}

template <form f> bool run(int scale) {
  int const vertices = 64 * scale, edges = vertices * 3 / 2;
  foreign::memory<int> parents(vertices), from(edges), to(edges), expected(vertices);
  for (int v = 0; v < vertices; ++v) parents[v] = expected[v] = v;
  for (int e = 0; e < edges; ++e) { // 4 components, by the remainder of 4
    int const v = int(e * 2654435761ll % vertices);
    from[e] = v, to[e] = (v + 4 * (1 + e % 13)) % vertices;
  }
  parents.to_device(), from.to_device(), to.to_device();
  foreign::launch((edges + threads - 1) / threads, threads, unite<f>, parents.data(), from.data(), to.data(), edges);
  foreign::launch((vertices + threads - 1) / threads, threads, flatten, parents.data(), vertices);
  parents.to_host();
  for (bool changed = true; changed;) {
    changed = false;
    for (int e = 0; e < edges; ++e)
      if (int const low = expected[from[e]] < expected[to[e]] ? expected[from[e]] : expected[to[e]];
          expected[from[e]] != low || expected[to[e]] != low)
        expected[from[e]] = expected[to[e]] = low, changed = true;
  }
  for (int v = 0; v < vertices; ++v)
    if (parents[v] != expected[v]) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"hook_by_store", run<hook_by_store>},
                                {"plain_parents", run<plain_parents>},
                                {"hook_without_retry", run<hook_without_retry>},
                                {"hook_of_any_vertex", run<hook_of_any_vertex>}});

} // namespace
