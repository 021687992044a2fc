// SPDX-License-Identifier: Apache-2.0
//
// world: a model whose threads are played by a test: each call is one operation of one thread.
#pragma once

#include "../../../../tools/emulator/check/model/model.hpp"
#include "../../../../tools/emulator/machine/grid.hpp"
#include "../../../../tools/emulator/machine/program.hpp"
#include "../../../../tools/emulator/machine/resident.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace emulator_test {

using emulator::scope;
using emulator::semantics;
using emulator::check::proxy;

struct order {
  emulator::semantics semantics = semantics::weak;
  emulator::scope scope = scope::none;
};
inline order weak() { return {}; }
inline order relaxed(scope s) { return {semantics::relaxed, s}; }
inline order acquire(scope s) { return {semantics::acquire, s}; }
inline order release(scope s) { return {semantics::release, s}; }
inline order acq_rel(scope s) { return {semantics::acq_rel, s}; }

struct world;

/// One thread of a world.
struct actor {
  world* w;
  emulator::thread const* t;

  emulator::check::action now() const;
  template <class T>
  emulator::check::access at(T& x, order o, proxy p = proxy::generic) const {
    return {now(), reinterpret_cast<std::byte*>(&x), sizeof(T), o.semantics, o.scope, p};
  }
  template <class T>
  T load(T& x, order o = {}) const;
  template <class T>
  void store(T& x, T value, order o = {}) const;
  template <class T>
  T add(T& x, T value, order o, bool is_reduction = false) const;
  template <class T>
  T compare_and_swap(T& x, T expected, T desired, order o) const; ///< returns what it read
  template <class T>
  bool cas(T& x, T expected, T desired, order o) const { ///< returns whether it stored
    return compare_and_swap(x, expected, desired, o) == expected;
  }
  template <class T>
  T exchange(T& x, T desired, order o) const;
  void fence(semantics s, scope c, bool is_sc = false) const;
  void sc(scope c) const { fence(semantics::acq_rel, c, true); }
  void proxy_fence() const;
  void arrive(void const* object, int phase, scope s = scope::cta, bool releases = true) const;
  void leave(void const* object, int phase, scope s = scope::cta, bool acquires = true) const;
};

struct world {
  struct memory {
    int x = 0, y = 0, z = 0, flag = 0;
    long long wide = 0;
    int array[64]{};
  };

  emulator::check::random chance;
  std::vector<emulator::check::finding> findings;
  emulator::check::model model;
  emulator::function kernel;
  emulator::grid grid;
  std::vector<std::unique_ptr<emulator::resident_block>> blocks;
  std::vector<std::vector<int>> shared;
  std::unique_ptr<memory> m = std::make_unique<memory>();
  int shared_with_host[4]{};
  emulator::operation code[400];
  int step = 0; ///< each call is another source location; to repeat a location, set it back

  /// Clusters of two blocks.
  explicit world(std::uint64_t seed, int block_count = 4, std::uint32_t threads = 4)
    : chance(seed), model(chance, [this](auto const& f) { findings.push_back(f); }) {
    model.allocated(reinterpret_cast<std::byte*>(m.get()), sizeof *m, "device memory");
    kernel.name = "k";
    grid.launch.kernel = &kernel;
    grid.launch.block = {threads, 1, 1};
    model.begin_grid(grid);
    shared.resize(std::size_t(block_count));
    for (int i = 0; i < block_count; ++i) {
      auto& b = *blocks.emplace_back(std::make_unique<emulator::resident_block>());
      b.grid = &grid;
      b.ctaid = {std::uint32_t(i), 0, 0};
      b.rank = std::uint32_t(i % 2);
      b.cluster = i % 2 ? blocks[std::size_t(i - 1)]->cluster : &b.own_cluster;
      b.cluster->blocks.push_back(&b);
      shared[std::size_t(i)].resize(64);
      b.shared = reinterpret_cast<std::byte*>(shared[std::size_t(i)].data());
      b.shared_size = 256;
      b.threads.resize(threads);
      for (std::uint32_t j = 0; j < threads; ++j) {
        b.threads[j].number = j;
        b.threads[j].tid = {j, 0, 0};
        b.threads[j].block = &b;
      }
      model.begin_block(b);
      for (auto const& t : b.threads) model.begin_thread(t);
    }
  }

  actor operator()(int block, int thread) { return {this, &blocks[std::size_t(block)]->threads[std::size_t(thread)]}; }
  bool has(std::string const& kind, std::string const& words = "") const {
    return std::any_of(findings.begin(), findings.end(),
                       [&](auto const& f) { return f.kind == kind && f.text.find(words) != std::string::npos; });
  }
  std::string texts() const {
    std::string all;
    for (auto const& f : findings) all += f.text + "\n";
    return all;
  }

  /// Runs one list of steps for each thread, in an order that the seed chooses.
  using steps = std::vector<std::function<void()>>;
  void interleave(std::vector<steps> threads) {
    std::vector<std::size_t> next(threads.size());
    std::size_t left = 0;
    for (auto const& t : threads) left += t.size();
    for (; left; --left) {
      std::size_t i;
      do i = chance.below(std::uint32_t(threads.size()));
      while (next[i] == threads[i].size());
      threads[i][next[i]++]();
    }
  }
};

inline emulator::check::action actor::now() const { return {*t, &w->code[w->step++]}; }

template <class T>
T actor::load(T& x, order o) const {
  T value;
  w->model.load(at(x, o), &value);
  return value;
}
template <class T>
void actor::store(T& x, T value, order o) const {
  w->model.store(at(x, o), &value);
}
template <class T>
T actor::add(T& x, T value, order o, bool is_reduction) const {
  T old;
  auto a = at(x, o);
  a.is_reduction = is_reduction;
  w->model.update(a, &old, [value](void* v) {
    *static_cast<T*>(v) += value;
    return true;
  });
  return old;
}
template <class T>
T actor::compare_and_swap(T& x, T expected, T desired, order o) const {
  T old;
  auto a = at(x, o);
  a.is_comparison = true;
  w->model.update(a, &old, [&](void* v) {
    if (*static_cast<T*>(v) != expected) return false;
    *static_cast<T*>(v) = desired;
    return true;
  });
  return old;
}
template <class T>
T actor::exchange(T& x, T desired, order o) const {
  T old;
  w->model.update(at(x, o), &old, [&](void* v) {
    *static_cast<T*>(v) = desired;
    return true;
  });
  return old;
}
inline void actor::fence(semantics s, scope c, bool is_sc) const { w->model.fence(now(), s, c, is_sc, false); }
inline void actor::proxy_fence() const { w->model.proxy_fence(now()); }
inline void actor::arrive(void const* object, int phase, scope s, bool releases) const {
  w->model.arrive(now(), object, std::uint64_t(phase), s, releases);
}
inline void actor::leave(void const* object, int phase, scope s, bool acquires) const {
  w->model.leave(now(), object, std::uint64_t(phase), s, acquires);
}

} // namespace emulator_test
