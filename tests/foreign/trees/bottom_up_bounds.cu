// SPDX-License-Identifier: Apache-2.0
//
// Computes the bounds of all inner nodes of a binary tree from the leaves up, one thread for each leaf. Of the two
// threads that reach a node the first one stops, and the second one merges the bounds of both children.
//
// Source: Karras, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees" (2012): counters of nodes
// Source: LLNL/axom#315: bounds of a BVH were wrong until a memory fence followed the store of a node's bounds
// Source: arborx/ArborX#574: without fences in the construction of the hierarchy, clusters were wrong on an A100
// Form: right
// Form: no_fences: race
// Form: no_fence_after_counter: race
// Form: no_fence_before_counter: race
// Form: volatile_bounds: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_fences, no_fence_after_counter, no_fence_before_counter, volatile_bounds };

constexpr int threads = 32;

struct bounds {
  int low, high;
};

template <form f> __device__ void store(bounds* nodes, int node, bounds b) {
  if constexpr (f == volatile_bounds) {
    bounds volatile& to = nodes[node];
    to.low = b.low;
    to.high = b.high;
  } else {
    nodes[node] = b; // found: race
  }
}

template <form f> __device__ bounds load(bounds* nodes, int node) {
  if constexpr (f == volatile_bounds) {
    bounds const volatile& from = nodes[node];
    return {from.low, from.high};
  } else {
    return nodes[node]; // found: race
  }
}

/// The children of node i are 2 i + 1 and 2 i + 2; the leaves are the last nodes.
template <form f> __global__ void merge(int const* low, int const* high, bounds* nodes, int* counters, int leaves) {
  int const leaf = int(blockIdx.x * threads + threadIdx.x);
  bounds mine{low[leaf], high[leaf]};
  int node = leaves - 1 + leaf;
  store<f>(nodes, node, mine);
  constexpr bool before = f != no_fences && f != no_fence_before_counter && f != volatile_bounds;
  constexpr bool after = f != no_fences && f != no_fence_after_counter && f != volatile_bounds;
  while (node > 0) {
    int const parent = (node - 1) / 2, sibling = node % 2 ? node + 1 : node - 1;
    if constexpr (before) __threadfence();
    if (atomicAdd(counters + parent, 1) == 0) return;
    if constexpr (after) __threadfence();
    bounds const other = load<f>(nodes, sibling);
    mine = {min(mine.low, other.low), max(mine.high, other.high)};
    node = parent;
    store<f>(nodes, node, mine);
  }
}

template <form f> bool run(int scale) {
  int leaves = 128;
  while (leaves < 32 * scale) leaves *= 2;
  foreign::memory<int> low(leaves), high(leaves), counters(leaves);
  foreign::memory<bounds> nodes(2 * leaves);
  for (int i = 0; i < leaves; ++i) low[i] = i * 37 % 1013, high[i] = low[i] + i % 11;
  low.to_device(), high.to_device();
  foreign::launch(leaves / threads, threads, merge<f>, low.data(), high.data(), nodes.data(), counters.data(), leaves);
  nodes.to_host();
  for (int node = leaves - 2; node >= 0; --node) {
    bounds const a = nodes[2 * node + 1], b = nodes[2 * node + 2], n = nodes[node];
    if (n.low != (a.low < b.low ? a.low : b.low) || n.high != (a.high > b.high ? a.high : b.high)) return false;
  }
  for (int i = 0; i < leaves; ++i)
    if (nodes[leaves - 1 + i].low != low[i] || nodes[leaves - 1 + i].high != high[i]) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_fences", run<no_fences>},
                                {"no_fence_after_counter", run<no_fence_after_counter>},
                                {"no_fence_before_counter", run<no_fence_before_counter>},
                                {"volatile_bounds", run<volatile_bounds>}});

} // namespace
