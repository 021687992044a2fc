// SPDX-License-Identifier: Apache-2.0
//
// graph_launch: runs graphs. A launch submits the nodes as steps (queue.hpp) in one of the orders that the edges allow.
// Steps between which there is no path are in different lanes, and run at the same time. In a checked run the seed
// chooses the order, and whether there is only one lane, which CUDA permits, too: it promises no concurrency.
// Each grid is told of those before it (graph_place), so that a checked run can tell what is ordered by a path from
// what only happened so.
#include "graph_launch.hpp"
#include "../machine/mode.hpp"
#include "captures.hpp"
#include "environment.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace emulator::cuda {
namespace {

/// A node, or the begin or the end of a graph that is a node.
struct part {
  command what{};
  std::vector<std::size_t> after{}; ///< earlier parts
  std::size_t lane = 0;
  std::shared_ptr<graph_place const> place{}; ///< of a grid, without the number of the launch
};

} // namespace
} // namespace emulator::cuda

/// The type to which a cudaGraphExec_t points.
struct CUgraphExec_st {
  std::vector<emulator::cuda::part> parts{};
  std::vector<std::shared_ptr<CUstream_st>> lanes{};
  emulator::cuda::completion_pointer last{}; ///< of its launches, which run one after the other

  ~CUgraphExec_st() {
    for (auto const& lane : lanes) emulator::cuda::end_lane(lane);
  }
};

namespace emulator::cuda {
namespace {

struct executables {
  std::mutex lock;
  std::unordered_map<CUgraphExec_st*, std::unique_ptr<CUgraphExec_st>> all;
  std::uint64_t launches = 0;
};

executables& the_executables() {
  static executables& only = *new executables;
  return only;
}

/// Called under the lock.
CUgraphExec_st& executable_of(cudaGraphExec_t handle) {
  require(handle && the_executables().all.contains(handle));
  return *handle;
}

/// The nodes such that each comes after those from which edges lead to it; without those of a cycle and those after it.
std::vector<CUgraphNode_st const*> sorted(CUgraph_st const& graph) {
  std::unordered_map<CUgraphNode_st const*, std::size_t> waits;
  std::unordered_map<CUgraphNode_st const*, std::vector<CUgraphNode_st const*>> next;
  std::vector<CUgraphNode_st const*> order;
  for (auto const& n : graph.nodes) {
    waits[n.get()] = n->after.size();
    for (graph_edge const& e : n->after) next[e.from].push_back(n.get());
    if (n->after.empty()) order.push_back(n.get());
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (CUgraphNode_st const* const n : next[order[i]])
      if (--waits[n] == 0) order.push_back(n);
  return order;
}

bool has_cycle(CUgraph_st const& graph) { return sorted(graph).size() != graph.nodes.size(); }

class flattening {
public:
  std::vector<part> parts;

  /// Adds the parts of a graph, which come after `begin`. Returns: those that end it
  /// Errors: failure cudaErrorInvalidValue if there is a cycle
  std::vector<std::size_t> add(CUgraph_st const& graph, std::vector<std::size_t> const& begin) {
    require(!has_cycle(graph));
    std::unordered_map<CUgraphNode_st const*, std::size_t> made;
    std::unordered_set<CUgraphNode_st const*> ends;
    for (CUgraphNode_st const* const n : sorted(graph)) {
      std::vector<std::size_t> after = n->after.empty() ? begin : std::vector<std::size_t>{};
      std::set<std::uint64_t> early;
      for (graph_edge const& e : n->after) {
        after.push_back(made.at(e.from));
        if (e.is_programmatic) early.insert(made.at(e.from));
        ends.erase(e.from);
      }
      ends.insert(n);
      if (n->what.child) {
        std::size_t const first = add_part({}, after, {});
        made[n] = add_part({}, add(*n->what.child, {first}), {});
      } else made[n] = add_part(n->what, after, early);
    }
    std::vector<std::size_t> last;
    last.reserve(ends.size());
    // NOLINTNEXTLINE(bugprone-nondeterministic-pointer-iteration-order): sorted below
    for (CUgraphNode_st const* const n : ends) last.push_back(made.at(n));
    std::ranges::sort(last);
    return last.empty() ? begin : last;
  }

  /// Gives the parts lanes: a part takes one whose last part comes before it, if there is any. Returns: how many
  std::size_t choose_lanes() {
    std::vector<std::vector<bool>> before(parts.size(), std::vector<bool>(parts.size()));
    std::vector<std::size_t> tails;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t const j : parts[i].after) {
        before[i][j] = true;
        for (std::size_t k = 0; k < j; ++k)
          if (before[j][k]) before[i][k] = true;
      }
      auto const found = std::ranges::find_if(tails, [&](std::size_t tail) { return before[i][tail]; });
      parts[i].lane = std::size_t(found - tails.begin());
      if (found == tails.end()) tails.push_back(i);
      else *found = i;
    }
    return tails.size();
  }

  /// Tells each grid where it is.
  void place_grids() {
    std::size_t const grids =
        std::size_t(std::ranges::count_if(parts, [](part const& p) { return p.what.grid != nullptr; }));
    for (part& p : parts)
      if (p.place) {
        graph_place place = *p.place;
        place.grids = grids;
        p.place = std::make_shared<graph_place const>(std::move(place));
      }
  }

private:
  std::size_t add_part(command what, std::vector<std::size_t> after, std::set<std::uint64_t> const& early) {
    std::set<std::uint64_t> grids;
    for (std::size_t const i : after)
      if (!early.contains(i)) grids.insert(reach_[i].begin(), reach_[i].end());
    part p{std::move(what), std::move(after)};
    std::size_t const number = parts.size();
    if (p.what.grid) {
      p.place = std::make_shared<graph_place const>(
          graph_place{0, number, 0, {grids.begin(), grids.end()}, {early.begin(), early.end()}});
      // A kernel ends after its prerequisites, also if it does not wait for them: on an H100 what follows the end of
      // the second of three kernels sees what the first wrote, and so it is in a stream, of which a capture is the
      // image.
      grids = {number};
      for (std::uint64_t const i : early) grids.insert(reach_[i].begin(), reach_[i].end());
    }
    reach_.push_back(std::move(grids));
    parts.push_back(std::move(p));
    return number;
  }

  std::vector<std::set<std::uint64_t>> reach_; ///< of each part: the nearest grids that lead to its end
};

void prepare(CUgraphExec_st& x, CUgraph_st const& graph) {
  flattening flat;
  flat.add(graph, {});
  std::size_t const lanes = flat.choose_lanes();
  flat.place_grids();
  while (x.lanes.size() < std::max<std::size_t>(lanes, 1)) x.lanes.push_back(make_lane());
  x.parts = std::move(flat.parts);
}

/// Random numbers that the seed of a checked run and the number of the launch determine.
class choices {
public:
  explicit choices(std::uint64_t launch) : state_(process_mode.seed * 0x9e3779b97f4a7c15 + launch) {}
  std::size_t below(std::size_t bound) {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return std::size_t((mixed ^ mixed >> 31) % bound);
  }

private:
  std::uint64_t state_;
};

/// Some order in which each part comes after those for which it waits; in a checked run any of these.
std::vector<std::size_t> order_of(std::vector<part> const& parts, choices& chance) {
  std::vector<std::size_t> order;
  if (!is_checked_run()) {
    for (std::size_t i = 0; i < parts.size(); ++i) order.push_back(i);
    return order;
  }
  std::vector<std::size_t> waits(parts.size()), ready;
  std::vector<std::vector<std::size_t>> next(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    waits[i] = parts[i].after.size();
    for (std::size_t const j : parts[i].after) next[j].push_back(i);
    if (parts[i].after.empty()) ready.push_back(i);
  }
  while (!ready.empty()) {
    std::swap(ready[chance.below(ready.size())], ready.back());
    std::size_t const i = ready.back();
    ready.pop_back();
    order.push_back(i);
    for (std::size_t const j : next[i])
      if (--waits[j] == 0) ready.push_back(j);
  }
  return order;
}

std::vector<step> steps_of(std::vector<part> const& parts, std::uint64_t launch_number) {
  choices chance(launch_number);
  bool const one_lane = is_checked_run() && chance.below(2);
  std::vector<step> steps;
  std::vector<std::size_t> at(parts.size());
  for (std::size_t const i : order_of(parts, chance)) {
    part const& p = parts[i];
    at[i] = steps.size();
    step s{[] {}, p.what.kernel, {}, one_lane ? 0 : p.lane};
    for (std::size_t const j : p.after) s.after.push_back(at[j]);
    if (p.what.run) s.run = p.what.run;
    if (p.what.grid) {
      auto place = std::make_shared<graph_place>(*p.place);
      place->launch = launch_number;
      auto grid = std::make_shared<launch>(*p.what.grid);
      grid->is_dependent = !place->early.empty();
      grid->graph = std::move(place);
      s.run = [grid = std::move(grid)] { run_grid(*grid); };
    }
    steps.push_back(std::move(s));
  }
  return steps;
}

void instantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  require(made);
  forbid_in_captures();
  constexpr unsigned long long harmless =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    reject(cudaErrorNotSupported, "cudaGraphInstantiate: the emulator launches graphs from the host only");
  require((flags & ~harmless) == 0);
  auto x = std::make_unique<CUgraphExec_st>();
  prepare(*x, *copy_of(graph));
  auto& all = the_executables();
  std::lock_guard guard(all.lock);
  *made = x.get();
  all.all[x.get()] = std::move(x);
}

/// Compares the nodes and their edges, in the order of their parts.
cudaGraphExecUpdateResult difference_of(std::vector<part> const& a, std::vector<part> const& b) {
  bool const same_edges = std::ranges::equal(a, b, std::equal_to<>(), &part::after, &part::after);
  if (!same_edges) return cudaGraphExecUpdateErrorTopologyChanged;
  bool const same_types = std::ranges::equal(
      a, b, std::equal_to<>(), [](part const& p) { return p.what.type; }, [](part const& p) { return p.what.type; });
  if (!same_types) return cudaGraphExecUpdateErrorNodeTypeChanged;
  bool const same_kinds_of_edges = std::ranges::equal(a, b, [](part const& x, part const& y) {
    return (x.place != nullptr) == (y.place != nullptr) && (!x.place || x.place->early == y.place->early);
  });
  return same_kinds_of_edges ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
}

} // namespace

void forget_executables() {
  auto& all = the_executables();
  std::lock_guard guard(all.lock);
  all.all.clear();
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return call([&] { instantiate(made, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return call([&] { instantiate(made, graph, flags); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return call([&] {
    forbid_in_captures();
    auto& all = the_executables();
    std::lock_guard guard(all.lock);
    executable_of(handle);
    all.all.erase(handle); // launches that have not ended go on
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return call([&] {
    auto const where = stream_of(stream);
    forbid_captured(*where);
    std::lock_guard guard(the_executables().lock);
    executable_of(handle);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return call([&] {
    auto const where = stream_of(stream);
    auto& all = the_executables();
    completion_pointer ended;
    {
      std::lock_guard guard(all.lock);
      CUgraphExec_st& x = executable_of(handle);
      forbid_captured(*where); // as an H100 does with driver 580
      ended = x.last = submit_steps(where, steps_of(x.parts, ++all.launches), x.lanes, x.last);
    }
    if (the_environment().launch_blocking) wait_for(ended);
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
  return call([&] {
    cudaGraphExecUpdateResultInfo unwanted;
    cudaGraphExecUpdateResultInfo& info = result ? *result : unwanted;
    info = {cudaGraphExecUpdateError, nullptr, nullptr};
    std::lock_guard guard(the_executables().lock);
    CUgraphExec_st& x = executable_of(handle);
    auto const wanted = copy_of(graph);
    CUgraphExec_st changed;
    if (has_cycle(*wanted)) {
      info.result = cudaGraphExecUpdateErrorTopologyChanged;
    } else {
      prepare(changed, *wanted);
      info.result = difference_of(x.parts, changed.parts);
    }
    require(info.result == cudaGraphExecUpdateSuccess, cudaErrorGraphExecUpdateFailure);
    x.parts = std::move(changed.parts);
  });
}
