// SPDX-License-Identifier: Apache-2.0
//
// Builds a quadtree of points: each thread descends from the root to a free child slot and puts its point there by a
// compare-and-swap. If a point is there already, it locks the slot, makes the cells that tell the two points apart, and
// stores the first of them in the slot, which unlocks it.
//
// Source: Burtscher and Pingali, "An Efficient CUDA Implementation of the Tree-Based Barnes Hut ..." (2011): locked slots
// Source: espressomd/espresso#2663: the tree and summary kernels of Barnes-Hut deadlocked from Volta on
// Form: right
// Form: no_fence_before_link: race
// Form: relaxed_descent: race
// Form: plain_slot: race
// Form: cells_not_initialised: uninitialised
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_fence_before_link, relaxed_descent, plain_slot, cells_not_initialised };

constexpr int threads = 32, bits = 5, none = -1, locked = -2; // a slot: none, locked, a point, or points + a cell

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;
using namespace cudax;

struct cell {
  int level; // which bit of the coordinates chooses the child
  int child[4];
};

__device__ int which(int x, int y, int level) {
  int const bit = bits - 1 - level;
  return (x >> bit & 1) * 2 + (y >> bit & 1);
}

template <form f> __device__ int read_slot(int& slot) {
  if constexpr (f == plain_slot) return slot; // found: plain_slot
  else
    return word(slot).load(f == relaxed_descent ? memory_order_relaxed : memory_order_acquire); // found: uninitialised
}

template <form f> __device__ int make_cell(cell* cells, int* used, int level) {
  int const index = word(*used).fetch_add(1, memory_order_relaxed);
  cells[index].level = level; // found: race
  if constexpr (f != cells_not_initialised)
    for (int& child : cells[index].child) word(child).store(none, memory_order_relaxed); // found: plain_slot
  return index;
}

/// Cells for two points that agree in all levels before `level`; returns the first of them.
template <form f> __device__ int part(cell* cells, int* used, int level, int a, int b, int const* x, int const* y,
                                      int points) {
  int const first = make_cell<f>(cells, used, level);
  int last = first;
  while (which(x[a], y[a], level) == which(x[b], y[b], level)) {
    int const next = make_cell<f>(cells, used, ++level);
    word(cells[last].child[which(x[a], y[a], level - 1)])
        .store(points + next, memory_order_relaxed); // found: plain_slot
    last = next;
  }
  word(cells[last].child[which(x[a], y[a], level)]).store(a, memory_order_relaxed); // found: plain_slot
  word(cells[last].child[which(x[b], y[b], level)]).store(b, memory_order_relaxed); // found: plain_slot
  return first;
}

template <form f> __global__ void build(cell* cells, int* used, int const* x, int const* y, int points) {
  int const point = int(blockIdx.x * threads + threadIdx.x);
  int at = 0;
  while (point < points) {
    cell& here = cells[at];
    int const level = here.level; // found: race
    int& slot = here.child[which(x[point], y[point], level)];
    int seen = read_slot<f>(slot);
    if (seen >= points) at = seen - points;
    else if (seen == none) {
      if (word(slot).compare_exchange_strong(seen, point, memory_order_relaxed, memory_order_relaxed)) break;
    } else if (seen != locked) {
      if (!word(slot).compare_exchange_strong(seen, locked, memory_order_relaxed, memory_order_relaxed)) continue;
      int const made = part<f>(cells, used, level + 1, seen, point, x, y, points);
      word(slot).store(points + made, f == no_fence_before_link ? memory_order_relaxed : memory_order_release);
      break;
    }
  }
}

/// Counts the points that are where they must be.
int count(foreign::memory<cell>& cells, int at, int points, foreign::memory<int>& x, foreign::memory<int>& y, int px,
          int py) {
  int found = 0;
  int const level = cells[at].level;
  for (int i = 0; i < 4; ++i) {
    int const child = cells[at].child[i], cx = px * 2 + i / 2, cy = py * 2 + i % 2;
    if (child >= points) found += count(cells, child - points, points, x, y, cx, cy);
    else if (child >= 0) found += x[child] >> (bits - 1 - level) == cx && y[child] >> (bits - 1 - level) == cy;
  }
  return found;
}

template <form f> bool run(int scale) {
  int const side = 1 << bits, all = side * side, points = scale > 9 ? all : 96 * scale;
  foreign::memory<cell> cells(all * bits);
  foreign::memory<int> used, x(points), y(points);
  for (int i = 0; i < points; ++i) x[i] = i * 389 % all / side, y[i] = i * 389 % all % side; // all different
  cell* raw = nullptr; // not zeroed, so that a read before the first write is reported
  FOREIGN_MUST(cudaMalloc(reinterpret_cast<void**>(&raw), sizeof(cell) * std::size_t(all * bits)));
  cell const root{0, {none, none, none, none}};
  FOREIGN_MUST(cudaMemcpy(raw, &root, sizeof root, cudaMemcpyHostToDevice));
  used[0] = 1;
  x.to_device(), y.to_device(), used.to_device();
  foreign::launch((points + threads - 1) / threads, threads, build<f>, raw, used.data(), x.data(), y.data(), points);
  FOREIGN_MUST(cudaMemcpy(cells.data(), raw, sizeof(cell) * std::size_t(all * bits), cudaMemcpyDeviceToDevice));
  FOREIGN_MUST(cudaFree(raw));
  cells.to_host();
  return count(cells, 0, points, x, y, 0, 0) == points;
}

foreign::program const program({{"right", run<right>},
                                {"no_fence_before_link", run<no_fence_before_link>},
                                {"relaxed_descent", run<relaxed_descent>},
                                {"plain_slot", run<plain_slot>},
                                {"cells_not_initialised", run<cells_not_initialised>}});

} // namespace
