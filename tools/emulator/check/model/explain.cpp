// SPDX-License-Identifier: Apache-2.0
//
// explain: findings as sentences: which thread, where, and why two accesses are not ordered. What is found out,
// causes.cpp and races.cpp find; here is its text.
#include "../../ptx/source_lines.hpp"
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

std::string place_of(std::uintptr_t start, std::size_t size, region const* r) {
  char address[32];
  std::snprintf(address, sizeof address, "%#zx", std::size_t(start));
  std::string text = std::to_string(size) + " bytes at " + address;
  if (r) text += " (" + r->name + ", byte " + std::to_string(std::max(start, r->start) - r->start) + ")";
  return text;
}

namespace {

std::string three(u32 const (&v)[3]) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

std::string where(code_location const& p) {
  std::string text = p.instruction.empty() ? std::string("an instruction that is not known") : p.instruction;
  if (!p.source.empty()) text += " at " + p.source + ptx::text_of_callers(p.callers);
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
          p.source,
          p.callers};
}

std::string model::state::where(u32 code) const { return check::where(code_locations[code]); }

std::string model::state::described(agent const& a, u32 code) const {
  finding::party const p = party_of(a, code);
  return (p.kernel.empty() ? std::string() : "kernel " + p.kernel + ", ") + "block " + three(p.block) + ", thread " +
         three(p.thread) + (a.issuer == no_agent ? ": " : ", by a copy that it issued: ") +
         check::where(code_locations[code]);
}

bool model::state::is_reported(char const* kind, u32 code, u32 other) const {
  return reported.contains({kind, std::min(code, other), std::max(code, other)});
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

/// "write, asynchronous, relaxed.gpu, "
std::string kind_of(mark const& m, bool writes) {
  return std::string(writes ? "write, " : "read, ") + (m.is_async ? "asynchronous, " : "") + name_of(m.semantics) +
         (m.scope == scope::none ? "" : std::string(".") + name_of(m.scope)) + ", ";
}

} // namespace

void model::state::report_race(agent const& who, access const& a, mark const& m, bool writes, mark const& earlier,
                               bool earlier_writes, cause const& cause) {
  agent const& other = agents[earlier.who];
  report_finding("race",
                 std::string(earlier_writes == writes ? "race: two writes" : "race: a write and a read") + " of " +
                     place_of(number(a.where), a.size, region_of(a)) +
                     " are not ordered\n  first:  " + kind_of(earlier, earlier_writes) +
                     described(other, earlier.code) + "\n  second: " + kind_of(m, writes) + described(who, m.code) +
                     "\n  why:    " + explained(cause, a, earlier),
                 {{&other, earlier.code}, {&who, m.code}});
}

void model::state::report_read_only(agent const& who, access const& a, u32 code, mark const& earlier) {
  if (is_reported("misuse", code, earlier.code)) return;
  agent const& other = agents[earlier.who];
  std::uintptr_t const start = number(a.where);
  report_finding("misuse",
                 "misuse: ld.global.nc (__ldg, const __restrict__) of " +
                     place_of(start, a.size, regions.holding(start)) +
                     " that were written while the kernel runs; it may give what was there before\n  first:  write, " +
                     described(other, earlier.code) + "\n  second: read, " + described(who, code) +
                     "\n  why:    the read goes through a cache that no barrier and no fence updates; read by an "
                     "ordinary load, or write in an earlier kernel",
                 {{&other, earlier.code}, {&who, code}});
}

std::string model::state::explained(cause const& c, access const& a, mark const& earlier) const {
  using reason = cause::reason;
  std::string const scope = std::string(" has scope .") + name_of(c.scope) + ", which does not include the ";
  auto const flag = [&] { return where(c.release) + ", read by " + where(c.acquire); };
  switch (c.why) {
  case reason::map_release:
    return "the first uses the generic proxy and the second reads a tensor map, and no "
           "fence.proxy.tensormap::generic.release comes between the first and the acquire of this map, with scopes of "
           "both that include the two threads; let the thread that changed the map execute one (.gpu), or publish the "
           "map by tensormap.cp_fenceproxy, and acquire it at such a scope";
  case reason::map_acquire:
    return "the first uses the generic proxy and the second reads a tensor map, and no "
           "fence.proxy.tensormap::generic.acquire of this map comes between; let the thread that copies execute one "
           "(.gpu), after it knows of the first";
  case reason::proxy_fence:
    return "the first uses the generic proxy and the second the async proxy, and no fence.proxy.async for this state "
           "space comes between; put one after the first, by its thread, or before the second, or do not promise "
           "proxy_fenced";
  case reason::wait_of_second:
  case reason::wait_between:
    return std::string("the kernel of the second is a dependent launch, and may begin before the kernel of the first "
                       "has ended; ") +
           (c.why == reason::wait_of_second
                ? "no griddepcontrol.wait (this_grid.wait_for_prerequisites) comes before the second"
                : "a kernel between the two ends without griddepcontrol.wait (this_grid.wait_for_prerequisites), so "
                  "that it may end before the first");
  case reason::path_of_graph:
    return "the kernels are of two nodes of a graph, and no path leads from one to the other, so that they may run at "
           "the same time; add a dependency (cudaGraphAddDependencies; in a capture, cudaStreamWaitEvent between the "
           "streams)";
  case reason::all_memory:
  case reason::global_memory:
    return std::string("what comes between orders ") +
           (c.why == reason::all_memory
                ? "the shared memory of the block that releases alone, and this is another block's"
                : "shared memory alone, and this is global memory") +
           " (a fence with .sync_restrict, as in a pipeline of a cluster, or by sync_restrict_shared); use an arrival "
           "and a wait that order all memory";
  case reason::scope_of_first:
  case reason::scope_of_second:
    return std::string("both are strong, but the scope .") + name_of(c.scope) + " of the " +
           (c.why == reason::scope_of_first ? "first" : "second") +
           " does not include the thread of the other; use a wider scope";
  case reason::same_object:
    return "both are strong, but they differ in address or size (the first has " + std::to_string(earlier.size) +
           " bytes, the second " + std::to_string(a.size) + "); access the same object";
  case reason::release_scope:
    return "the release" + scope + "acquiring thread: " + where(c.release) +
           (c.is_read ? "; it was read by " + where(c.acquire) : "") + "; use a wider scope";
  case reason::acquire_scope:
    return "the acquire" + scope + "releasing thread: " + where(c.acquire) + "; it read " + where(c.release) +
           "; use a wider scope";
  case reason::copy_wait_scope:
    return "the wait for the copy" + scope + "block that issued the copy: " + where(c.acquire) +
           "; wait at cluster scope, by barrier_wait_cluster or a function like it (.acquire.cluster, or "
           ".relaxed.cluster with fence.acquire.sync_restrict::shared::cluster.cluster after it)";
  case reason::strong_flag:
    return "the flag is accessed by weak operations, which never synchronise: " + flag() + "; use release and acquire";
  case reason::release_of_flag:
    return "the write of the flag is relaxed and no release fence precedes it: " + flag() + "; use release";
  case reason::acquire_of_flag:
    return "the read that saw the flag is relaxed and no acquire fence follows it: " + where(c.acquire) +
           "; acquire what " + (c.release == no_agent ? std::string("the host") : where(c.release)) + " released";
  case reason::wait_for_copy:
    return "the first is made by an asynchronous copy, and no thread waited for its end on the way to the second";
  case reason::synchronization: break;
  }
  return "the threads did not synchronise in between: nothing that the first released was acquired before the second";
}

} // namespace emulator::check
