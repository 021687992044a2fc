// SPDX-License-Identifier: Apache-2.0
//
// explain: findings as sentences: who, where, and why two accesses do not synchronise.
#include "model_state.hpp"

#include <algorithm>

namespace emulator::check {

char const* name_of(semantics s) {
  constexpr char const* names[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
  return names[std::size_t(s)];
}

char const* name_of(scope s) {
  constexpr char const* names[] = {"none", "cta", "cluster", "gpu", "sys"};
  return names[std::size_t(s)];
}

namespace {

std::string three(u32 const (&v)[3]) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

std::string where(code_location const& p) {
  std::string text = p.instruction.empty() ? std::string("an instruction that is not known") : p.instruction;
  if (!p.source.empty()) text += " at " + p.source;
  if (p.ptx_line) text += " (" + p.ptx_file + ":" + std::to_string(p.ptx_line) + ")";
  return text;
}

} // namespace

finding::party model::state::party_of(agent const& a, u32 code) const {
  agent const& who = a.issuer == no_agent ? a : agents[a.issuer];
  block_agent const& b = *who.block;
  check::code_location const& p = code_locations[code];
  u32 const x = b.grid->shape.x, y = b.grid->shape.y;
  return {b.grid->kernel,
          {b.ctaid[0], b.ctaid[1], b.ctaid[2]},
          {who.index % x, who.index / x % y, who.index / x / y},
          p.instruction,
          p.ptx_line,
          p.source};
}

std::string model::state::where(u32 code) const { return check::where(code_locations[code]); }

std::string model::state::described(agent const& a, u32 code) const {
  finding::party const p = party_of(a, code);
  return (p.kernel.empty() ? std::string() : "kernel " + p.kernel + ", ") + "block " + three(p.block) + ", thread " +
         three(p.thread) + (a.issuer == no_agent ? ": " : ", by a copy that it issued: ") +
         check::where(code_locations[code]);
}

void model::state::report_finding(std::string kind, std::string text,
                                  std::vector<std::pair<agent const*, u32>> parties) {
  u32 const a = parties.front().second, b = parties.back().second;
  if (!reported.insert({kind, std::min(a, b), std::max(a, b)}).second) return;
  finding f{std::move(kind), std::move(text), {}};
  for (auto const& [who, code] : parties) f.parties.push_back(party_of(*who, code));
  if (report) report(f);
}

namespace {

/// Whether `grid` comes before `of` in a row of dependent grids, all of which may begin early.
bool comes_before(grid_agent const& grid, grid_agent const& of) {
  std::unordered_set<grid_agent const*> seen{&of};
  std::vector<grid_agent const*> open{&of};
  while (!open.empty()) {
    grid_agent const* const g = open.back();
    open.pop_back();
    for (grid_agent const* const before : g->before)
      if (seen.insert(before).second) open.push_back(before);
  }
  return &grid != &of && seen.contains(&grid);
}

/// Why a grid can begin before another one has ended; empty where it cannot, as far as the launches tell.
std::string why_early(grid_agent const& second, grid_agent const& first) {
  if (comes_before(first, second))
    return std::string(
               "the kernel of the second is a dependent launch, and may begin before the kernel of the first has "
               "ended; ") +
           (std::ranges::find(second.before, &first) != second.before.end()
                ? "no griddepcontrol.wait (this_grid.wait_for_prerequisites) comes before the second"
                : "a kernel between the two ends without griddepcontrol.wait (this_grid.wait_for_prerequisites), so "
                  "that it may end before the first");
  if (second.graph_launch && second.graph_launch == first.graph_launch && &second != &first && !second.knows(first))
    return "the kernels are of two nodes of a graph, and no path leads from one to the other, so that they may run at "
           "the same time; add a dependency (cudaGraphAddDependencies; in a capture, cudaStreamWaitEvent between the "
           "streams)";
  return {};
}

} // namespace

std::string model::state::why(agent const& who, access const& a, u32, mark const& earlier, bool only_proxy) const {
  agent const& other = agents[earlier.who];
  if (only_proxy && a.proxy == proxy::tensormap && knows_map_acquired(who, a.where, earlier))
    return "the first uses the generic proxy and the second reads a tensor map, and no "
           "fence.proxy.tensormap::generic.release comes between the first and the acquire of this map; let the thread "
           "that changed the map execute one (.gpu), or publish the map by tensormap.cp_fenceproxy";
  if (only_proxy && a.proxy == proxy::tensormap)
    return "the first uses the generic proxy and the second reads a tensor map, and no "
           "fence.proxy.tensormap::generic.acquire of this map comes between; let the thread that copies execute one "
           "(.gpu), after it knows of the first";
  if (only_proxy)
    return "the first uses the generic proxy and the second the async proxy, and no fence.proxy.async for this state "
           "space "
           "comes between; put one after the first, by its thread, or before the second, or do not promise "
           "proxy_fenced";
  if (std::string const text = why_early(*who.block->grid, *other.block->grid); !text.empty()) return text;
  if (agents.knows_in_shared(who, knowledge::any_block, earlier.who, earlier.epoch)) {
    region const* const r = regions.holding(reinterpret_cast<std::uintptr_t>(a.where));
    bool const is_shared = r && r->is_shared;
    return std::string("what comes between orders ") +
           (is_shared ? "the shared memory of the block that releases alone, and this is another block's"
                      : "shared memory alone, and this is global memory") +
           " (a fence with .sync_restrict, as in a pipeline of a cluster, or by sync_restrict_shared); use an arrival "
           "and a wait that order all memory";
  }
  bool const strong = is_strong(a.semantics), earlier_strong = earlier.is_strong();
  if (strong && earlier_strong) {
    if (!includes(earlier.scope, *other.block, *who.block) || !includes(a.scope, *who.block, *other.block)) {
      bool const first = !includes(earlier.scope, *other.block, *who.block);
      return std::string("both are strong, but the scope .") + name_of(first ? earlier.scope : a.scope) + " of the " +
             (first ? "first" : "second") + " does not include the thread of the other; use a wider scope";
    }
    return "both are strong, but they differ in address or size (the first has " + std::to_string(earlier.size) +
           " bytes, the second " + std::to_string(a.size) + "); access the same object";
  }
  // A release that the thread saw and that would have ordered them.
  auto const would_do = [&](token const& t) {
    knowledge k;
    t.give(k);
    return earlier.who == t.from ? earlier.epoch <= t.from_epoch
                                 : k.all.of(other.block->number, other.index) >= earlier.epoch;
  };
  // What it did not take because of a scope says more than what it has not taken yet. The flag may have been written by
  // another thread after a barrier, and read by another one before a barrier.
  missed const *scopes = nullptr, *others = nullptr;
  std::string relaxed;
  auto const ask = [&](agent const& reader) {
    for (missed const& m : reader.misses)
      if (m.by == earlier.who ? m.epoch >= earlier.epoch : agents.knows(agents[m.by], earlier.who, earlier.epoch))
        (m.why == missed::reason::release_scope || m.why == missed::reason::acquire_scope ? scopes : others) = &m;
    if (scopes) return;
    for (observed const& o : reader.pending)
      for (token const& t : o.tokens.all) {
        if (!would_do(t)) continue;
        if (t.from != no_agent && !matches(t, reader, scope::sys))
          relaxed = std::string("the release has scope .") + name_of(t.scope) +
                    ", which does not include the acquiring thread: " + check::where(code_locations[t.code]) +
                    "; use a wider scope";
        else
          relaxed = "the read that saw the flag is relaxed and no acquire fence follows it: " +
                    check::where(code_locations[o.code]) + "; acquire what " +
                    (t.code == no_agent ? std::string("the host") : check::where(code_locations[t.code])) + " released";
        return;
      }
  };
  ask(who);
  for (u32 i = 0; i < who.block->threads && !scopes && !others && relaxed.empty(); ++i)
    ask(agents[who.block->first_thread + i]);
  if (!scopes && !relaxed.empty()) return relaxed;
  for (missed const* const last : {scopes, others}) {
    if (!last) continue;
    missed const& m = *last;
    std::string const from = check::where(code_locations[m.from]), to = check::where(code_locations[m.to]);
    switch (m.why) {
    case missed::reason::none: break;
    case missed::reason::release_scope:
      return std::string("the release has scope .") + name_of(m.from_scope) +
             ", which does not include the acquiring thread: " + from + "; it was read by " + to +
             "; use a wider scope";
    case missed::reason::acquire_scope:
      if (agents[m.by].issuer != no_agent)
        return std::string("the wait for the copy has scope .") + name_of(m.to_scope) +
               ", which does not include the block that issued the copy: " + to +
               "; wait at cluster scope, by barrier_wait_cluster or a function like it (.acquire.cluster, or "
               ".relaxed.cluster with fence.acquire.sync_restrict::shared::cluster.cluster after it)";
      return std::string("the acquire has scope .") + name_of(m.to_scope) +
             ", which does not include the releasing thread: " + to + "; it read " + from + "; use a wider scope";
    case missed::reason::weak:
      return "the flag is accessed by weak operations, which never synchronise: " + from + ", read by " + to +
             "; use release and acquire";
    case missed::reason::no_release:
      return "the write of the flag is relaxed and no release fence precedes it: " + from + ", read by " + to +
             "; use release";
    }
  }
  if (other.issuer != no_agent)
    return "the first is made by an asynchronous copy, and nobody waited for its end on the way to the second";
  return "the threads did not synchronise in between: nothing that the first released was acquired before the second";
}

} // namespace emulator::check
