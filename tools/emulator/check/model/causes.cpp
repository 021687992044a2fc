// SPDX-License-Identifier: Apache-2.0
//
// causes: what is missing between two accesses that are not ordered. The first cause that applies is the one reported:
// the order of the questions is that from the certain to the likely.
#include "causes.hpp"
#include "model_state.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace emulator::check {

namespace {

using reason = cause::reason;

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

/// Why a grid can begin before another one has ended; none if it cannot, as far as the launches tell.
std::optional<reason> why_early(grid_agent const& second, grid_agent const& first) {
  if (comes_before(first, second))
    return std::ranges::find(second.before, &first) != second.before.end() ? reason::wait_of_second
                                                                           : reason::wait_between;
  if (second.graph_launch && second.graph_launch == first.graph_launch && &second != &first && !second.knows(first))
    return reason::path_of_graph;
  return {};
}

/// What two strong accesses lack.
cause between_strong(agent const& who, access const& a, agent const& other, mark const& earlier) {
  if (!includes(earlier.scope, *other.block, *who.block)) return {reason::scope_of_first, earlier.scope};
  if (!includes(a.scope, *who.block, *other.block)) return {reason::scope_of_second, a.scope};
  return {reason::same_object};
}

/// What is missing from the release and the acquire of a flag that would have ordered the two.
cause of_missed(missed const& m, agents const& all) {
  cause c{.is_read = true, .release = m.from, .acquire = m.to};
  switch (m.why) {
  case missed::reason::none: break;
  case missed::reason::release_scope:
    c.why = reason::release_scope;
    c.scope = m.from_scope;
    break;
  case missed::reason::acquire_scope:
    c.why = all[m.by].issuer == no_agent ? reason::acquire_scope : reason::copy_wait_scope;
    c.scope = m.to_scope;
    break;
  case missed::reason::weak: c.why = reason::strong_flag; break;
  case missed::reason::no_release: c.why = reason::release_of_flag; break;
  }
  return c;
}

/// Searches what the threads of the second's block have read for a flag that would have ordered the two. Another thread
/// may have written the flag after a barrier, and another one read it before a barrier.
class flag_search {
public:
  flag_search(agents const& all, agent const& who, mark const& earlier) : all_(all), earlier_(earlier) {
    search(who);
    block_agent const& b = *who.block;
    for (u32 i = 0; i < b.threads && !scope_ && !other_ && !pending_; ++i) search(all[b.first_thread + i]);
  }

  /// What a thread did not take because of a scope says more than what it has not taken yet.
  std::optional<cause> result() const {
    if (scope_) return of_missed(*scope_, all_);
    if (pending_) return pending_;
    if (other_ && other_->why != missed::reason::none) return of_missed(*other_, all_);
    return {};
  }

private:
  void search(agent const& reader) {
    for (missed const& m : reader.misses)
      if (m.by == earlier_.who ? m.epoch >= earlier_.epoch : all_.knows(all_[m.by], earlier_.who, earlier_.epoch))
        (m.why == missed::reason::release_scope || m.why == missed::reason::acquire_scope ? scope_ : other_) = &m;
    if (scope_) return;
    for (observed const& o : reader.pending)
      for (token const& t : o.tokens.all)
        if (would_order(t)) {
          bool const is_narrow =
              t.from != no_agent && !inclusive(t.scope, all_.block(t.from_block), scope::sys, *reader.block);
          pending_ = is_narrow ? cause{reason::release_scope, t.scope, false, t.code}
                               : cause{.why = reason::acquire_of_flag, .release = t.code, .acquire = o.code};
          return;
        }
  }

  /// Whether a release that a thread saw would have ordered the two.
  bool would_order(token const& t) const {
    if (earlier_.who == t.from) return earlier_.epoch <= t.from_epoch;
    knowledge k;
    t.give(k);
    agent const& first = all_[earlier_.who];
    return k.all.of(first.block->number, first.index) >= earlier_.epoch;
  }

  agents const& all_;
  mark const& earlier_;
  missed const *scope_ = nullptr, *other_ = nullptr;
  std::optional<cause> pending_{}; ///< of a flag that was read and not acquired
};

} // namespace

cause model::state::cause_of(agent const& who, access const& a, mark const& earlier, bool only_proxy) const {
  if (only_proxy && a.proxy == proxy::tensormap)
    return {knows_map_acquired(who, a.where, earlier) ? reason::map_release : reason::map_acquire};
  if (only_proxy) return {reason::proxy_fence};
  agent const& other = agents[earlier.who];
  if (auto const early = why_early(*who.block->grid, *other.block->grid)) return {*early};
  if (agents.knows_in_shared(who, knowledge::any_block, earlier.who, earlier.epoch)) {
    region const* const r = regions.holding(number(a.where));
    return {r && r->is_shared ? reason::all_memory : reason::global_memory};
  }
  if (is_strong(a.semantics) && earlier.is_strong()) return between_strong(who, a, other, earlier);
  if (auto const flag = flag_search(agents, who, earlier).result()) return *flag;
  return {other.issuer != no_agent ? reason::wait_for_copy : reason::synchronization};
}

} // namespace emulator::check
