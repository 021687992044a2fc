// SPDX-License-Identifier: Apache-2.0
//
// grid: how the blocks of a grid start and end.
// A unit starts as a whole or not yet: a cluster, or all of a cooperative grid. Units start in an order that looks
// random, so that a kernel whose blocks wait for earlier ones does not succeed by luck.
#include "grid.hpp"
#include "frames.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "occupancy.hpp"
#include "scheduler.hpp"
#include "watch.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace emulator {

std::uint64_t shuffled(grid const& g, std::uint64_t index) {
  // A permutation of the numbers below the next power of four, made of four rounds over its halves, and followed until
  // it comes back into the range: each number once.
  if (g.units <= 1) return index;
  int const half = (static_cast<int>(std::bit_width(g.units - 1)) + 1) / 2;
  std::uint64_t const mask = (std::uint64_t(1) << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 1; round <= 4; ++round) {
      std::uint64_t mixed = (right + round * g.seed) * 0x9e3779b97f4a7c15;
      mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9;
      std::uint64_t const next = left ^ (mixed >> 32 & mask);
      left = right;
      right = next;
    }
    index = left << half | right;
  } while (index >= g.units);
  return index;
}

std::array<std::uint32_t, 3> first_block_of(grid const& g, std::uint64_t cluster) {
  launch const& l = g.launch;
  std::uint64_t const x = l.grid.x / l.cluster.x, y = l.grid.y / l.cluster.y;
  return {std::uint32_t(cluster % x) * l.cluster.x, std::uint32_t(cluster / x % y) * l.cluster.y,
          std::uint32_t(cluster / x / y) * l.cluster.z};
}

namespace {
/// Whether resources of `needs` fit; adds them.
template <class M>
bool add(M& m, block_needs const& needs, device_properties const& p) {
  if (m.blocks + 1 > p.blocks_per_multiprocessor ||
      m.threads + needs.threads > std::uint32_t(p.threads_per_multiprocessor) ||
      m.shared + needs.shared > p.shared_per_multiprocessor)
    return false;
  ++m.blocks;
  m.threads += needs.threads;
  m.shared += needs.shared;
  return true;
}
} // namespace

std::vector<std::uint32_t> scheduler::find_multiprocessors(grid const& g, std::uint64_t blocks) const {
  auto trial = multiprocessors_;
  block_needs const needs = needs_of(*g.launch.kernel, g.launch.block, g.launch.dynamic_shared, properties);
  std::vector<std::uint32_t> result;
  while (result.size() < blocks) {
    // The emptiest SM first, as GPUs do.
    auto const emptiest =
        std::min_element(trial.begin(), trial.end(), [](auto& a, auto& b) { return a.blocks < b.blocks; });
    auto found = add(*emptiest, needs, properties) ? emptiest : trial.end();
    for (auto m = trial.begin(); found == trial.end() && m != trial.end(); ++m)
      if (add(*m, needs, properties)) found = m;
    if (found == trial.end()) return {};
    result.push_back(std::uint32_t(found - trial.begin()));
  }
  return result;
}

void scheduler::occupy(grid const& g, std::uint32_t sm, int sign) {
  block_needs const needs = needs_of(*g.launch.kernel, g.launch.block, g.launch.dynamic_shared, properties);
  multiprocessor& m = multiprocessors_[sm];
  m.blocks += sign;
  m.threads += std::uint32_t(sign) * needs.threads;
  m.shared += std::size_t(sign) * needs.shared;
}

void scheduler::start_cluster(grid& g, std::uint64_t number, std::vector<std::uint32_t> const& places) {
  launch const& l = g.launch;
  auto const first = first_block_of(g, number);
  auto const size = std::uint32_t(l.cluster.count());
  std::vector<resident_block*> started;
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    if (unused_.empty()) {
      blocks_.push_back(std::make_unique<resident_block>());
      unused_.push_back(blocks_.back().get());
    }
    resident_block& b = *unused_.back();
    unused_.pop_back();
    prepare_block(b, g,
                  {first[0] + rank % l.cluster.x, first[1] + rank / l.cluster.x % l.cluster.y,
                   first[2] + rank / l.cluster.x / l.cluster.y},
                  rank, places[rank]);
    occupy(g, places[rank], 1);
    started.push_back(&b);
  }
  resident_block& leader = *started[0];
  leader.unfinished = size;
  leader.own_cluster.blocks.assign(started.begin(), started.end());
  leader.own_cluster.barrier = &leader.own_cluster_barrier;
  leader.own_cluster_barrier.alive = std::uint32_t(size * l.block.count());
  leader.own_cluster_barrier.arrived = 0;
  leader.own_cluster_barrier.phase = 0;
  for (resident_block* const b : started) {
    b->cluster = &leader.own_cluster;
    g.residents.push_back(b);
    enqueue(*b);
  }
}

bool scheduler::start_unit(grid& g) {
  std::uint64_t const size = g.launch.cluster.count();
  std::uint64_t const clusters = g.launch.cooperative ? g.launch.grid.count() / size : 1;
  auto const places = find_multiprocessors(g, clusters * size);
  if (places.empty()) return false;
  for (std::uint64_t i = 0; i < clusters; ++i) {
    start_cluster(g, g.launch.cooperative ? i : shuffled(g, g.next_unit),
                  {places.begin() + std::ptrdiff_t(i * size), places.begin() + std::ptrdiff_t((i + 1) * size)});
  }
  ++g.next_unit;
  return true;
}

void scheduler::start_units() {
  std::erase_if(grids_, [&](grid* g) {
    while (g->next_unit < g->units && !g->stops && start_unit(*g)) {}
    return g->next_unit == g->units || g->stops;
  });
}

void scheduler::end_block(resident_block& b) {
  grid& g = *b.grid;
  b.status = resident_block::run_status::ended;
  count_ended_block();
  if (b.has_threads)
    for (thread& t : b.threads) free_stack(t);
  resident_block& leader = resident(*b.cluster->blocks[0]);
  if (--leader.unfinished) {
    // All other blocks of the cluster may wait now, and no other event would detect the deadlock.
    if (!g.stops && is_deadlocked(b)) fail_grid(g, deadlock(b));
    return;
  }
  for (block* const member : std::vector<block*>(leader.own_cluster.blocks)) {
    occupy(g, member->sm, -1);
    std::erase(g.residents, &resident(*member));
    unused_.push_back(&resident(*member));
  }
  end_grid_if_over(g);
  start_units();
}

void scheduler::end_grid_if_over(grid& g) {
  if (!g.residents.empty() || (g.next_unit < g.units && !g.stops)) return;
  std::erase(grids_, &g);
  if (is_checked_run()) the_observer().grid_ended(g);
  g.done = true;
  g.ended.notify_all();
}

bool scheduler::cancel(block& b, std::uint32_t ctaid[3]) {
  std::lock_guard const lock(mutex_);
  grid& g = *b.grid;
  if (g.stops || g.next_unit == g.units || g.launch.cooperative) return false;
  auto const first = first_block_of(g, shuffled(g, g.next_unit++));
  std::copy(first.begin(), first.end(), ctaid);
  return true;
}

fault scheduler::run(launch const& l) {
  grid g;
  g.launch = l;
  g.properties = &properties;
  g.scheduler = this;
  std::size_t const bytes = (l.parameters.size() + 256) / 256 * 256;
  g.parameter_memory = {static_cast<std::byte*>(std::aligned_alloc(256, bytes)), std::free};
  if (!g.parameter_memory) throw std::bad_alloc();
  g.parameters = g.parameter_memory.get();
  std::memcpy(g.parameters, l.parameters.data(), l.parameters.size());
  g.units = l.cooperative ? 1 : l.grid.count() / l.cluster.count();
  std::unique_lock lock(mutex_);
  start_workers();
  g.number = ++grid_numbers_;
  g.seed = (g.number + process_mode.seed * 1'000'003) * 0x9e3779b97f4a7c15;
  if (is_checked_run()) the_observer().grid_begins(g);
  grids_.push_back(&g);
  start_units();
  {
    running_grid const counted;
    g.ended.wait(lock, [&] { return g.done; });
  }
  lock.unlock();
  for (launch& child : g.children) {
    if (g.fault.error) break;
    // What follows the node follows its children.
    if (l.graph)
      child.graph = std::make_shared<graph_place const>(
          graph_place{l.graph->launch, l.graph->node, 1, {l.graph->node}, {}, true});
    g.fault = owner->run(child);
  }
  return g.fault;
}

} // namespace emulator
