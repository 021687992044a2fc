// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths from one vertex: threads relax all edges by an atomic minimum, round after round, until a round
// changes nothing. The predecessor of a vertex belongs to its distance, so both are one word of 8 bytes.
//
// Source: rapidsai/cugraph#456: distances are read and updated in one array while predecessors are chosen by comparison
// Source: gunrock/gunrock#829: a plain load of a counter that other threads change atomically
// Form: right
// Form: predecessor_by_store: wrong answer
// Form: plain_distance: race
// Form: flag_cleared_too_late: race
// Form: flag_cleared_too_early: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, predecessor_by_store, plain_distance, flag_cleared_too_late, flag_cleared_too_early };

constexpr int threads = 64, degree = 4;
constexpr unsigned far = 1u << 30;

using namespace cudax;
using u64 = unsigned long long;
using entry = atomic_ref<u64, thread_scope_device>; // distance, then predecessor
using word = atomic_ref<unsigned, thread_scope_device>;

/// One block has a graph of its own.
template <form f> __global__ void search(unsigned const* heads, unsigned const* weights, u64* paths, unsigned* from,
                                         int vertices) {
  __shared__ int changed;
  paths += blockIdx.x * unsigned(vertices), from += blockIdx.x * unsigned(vertices);
  for (int round = 0; round < vertices; ++round) {
    if (f != flag_cleared_too_late && threadIdx.x == 0) changed = 0; // found: flag_cleared_too_early
    __syncthreads();
    if (f == flag_cleared_too_late && threadIdx.x == 0) changed = 0; // found: flag_cleared_too_late
    for (unsigned e = threadIdx.x; e < unsigned(vertices) * degree; e += threads) {
      unsigned const tail = e / degree, head = heads[e];
      u64 mine;
      if constexpr (f == plain_distance) mine = paths[tail]; // found: plain_distance
      else mine = entry(paths[tail]).load(memory_order_relaxed);
      unsigned const distance = unsigned(mine >> 32) + weights[e];
      u64 const better = u64(distance) << 32 | (f == predecessor_by_store ? 0 : tail);
      bool const improved =
          better < entry(paths[head]).fetch_min(better, memory_order_relaxed); // found: plain_distance
      if (!improved) continue;
      if constexpr (f == predecessor_by_store) word(from[head]).store(tail, memory_order_relaxed);
      atomicExch(&changed, 1); // found: flag_cleared_too_late
    }
    __syncthreads();
    bool const again = changed; // found: flag_cleared_too_early
    if constexpr (f != flag_cleared_too_early) __syncthreads();
    if (!again) break;
  }
}

template <form f> bool run(int scale) {
  int const vertices = 40, blocks = scale;
  foreign::memory<unsigned> heads(vertices * degree), weights(vertices * degree), from(blocks * vertices);
  foreign::memory<u64> paths(blocks * vertices);
  for (int e = 0; e < vertices * degree; ++e)
    heads[e] = unsigned(e * 7 + e / degree) % vertices, weights[e] = unsigned(e * 37 % 23 + 1);
  for (int i = 0; i < paths.size(); ++i) paths[i] = u64(i % vertices ? far : 0) << 32;
  heads.to_device(), weights.to_device(), paths.to_device();
  foreign::launch(blocks, threads, search<f>, heads.data(), weights.data(), paths.data(), from.data(), vertices);
  paths.to_host(), from.to_host();
  unsigned expected[vertices];
  for (int v = 0; v < vertices; ++v) expected[v] = v ? far : 0;
  for (int round = 0; round < vertices; ++round)
    for (int e = 0; e < vertices * degree; ++e)
      if (expected[e / degree] + weights[e] < expected[heads[e]])
        expected[heads[e]] = expected[e / degree] + weights[e];
  for (int i = 0; i < paths.size(); ++i) {
    unsigned const v = unsigned(i) % vertices;
    if (unsigned(paths[i] >> 32) != expected[v]) return false;
    if (v == 0 || expected[v] >= far) continue;
    unsigned const before = f == predecessor_by_store ? from[i] : unsigned(paths[i]);
    bool is_edge = false; // of a shortest path
    for (unsigned e = before * degree; e < (before + 1) * degree; ++e)
      is_edge |= heads[int(e)] == v && expected[before] + weights[int(e)] == expected[v];
    if (!is_edge) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"predecessor_by_store", run<predecessor_by_store>},
                                {"plain_distance", run<plain_distance>},
                                {"flag_cleared_too_late", run<flag_cleared_too_late>},
                                {"flag_cleared_too_early", run<flag_cleared_too_early>}});

} // namespace
