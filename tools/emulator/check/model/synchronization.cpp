// SPDX-License-Identifier: Apache-2.0
//
// synchronization: release patterns, acquire patterns, fences and barriers.  [PTX ISA, "Release and Acquire Patterns",
// "Memory synchronization"]
// A strong write carries tokens: of itself where it releases, of the release fences before it, of a release that the
// thread made to the same location before, and, of a read-modify-write, those of what it read. A thread that reads it
// by a morally strong read has observed them; an acquire at once or a fence later takes those whose first operation it
// is morally strong with.
#include "model_state.hpp"

#include <algorithm>

namespace emulator::check {

namespace {

/// So many of the threads that saw the end of a phase are kept. At most barriers no more threads wait.
constexpr std::size_t most_seen_by = 64;

} // namespace

bool model::state::knows_in_shared_at(agent const& who, access const& a, u32 number, u32 epoch) {
  region const* const r = region_of(a);
  return r && r->is_shared && agents.knows_in_shared(who, r->owner, number, epoch);
}

bool model::state::knows_as_observed(agent const& who, access const& a, mark const& earlier) {
  if (!earlier.is_strong()) return false;
  auto const found = barriers.find(reinterpret_cast<void const*>(std::uintptr_t(a.where) & ~std::uintptr_t(7)));
  if (found == barriers.end()) return false;
  return std::ranges::any_of(found->second.last, [&](barrier_object::arrival const& made) {
    if (made.who != earlier.who || made.epoch != earlier.epoch) return false;
    return std::ranges::any_of(made.seen_by, [&](barrier_object::arrival::sight const& s) {
      return inclusive(made.scope, *agents[made.who].block, s.scope, *agents[s.who].block) &&
             (s.who == who.number || knows_at(who, a, s.who, s.epoch));
    });
  });
}

bool model::state::matches(token const& t, agent const& who, emulator::scope s) const {
  if (t.from == no_agent) return s == scope::sys;
  return inclusive(t.scope, agents.block(t.from_block), s, *who.block);
}

bool model::state::has(agent& who, token const& t) const {
  if (t.is_restricted()) {
    auto const knows = [&](shared_clock const& c) {
      return t.block != no_agent ? c.of(t.block, t.index) >= t.epoch : c.covers(t.known.all);
    };
    if (t.block != no_agent && t.from == who.number) return true;
    return knows(who.known.all) || std::ranges::any_of(who.known.shared, [&](auto const& s) {
             return (s.first == t.restricted_to || s.first == knowledge::any_block) && knows(s.second);
           });
  }
  if (t.block != no_agent) return t.from == who.number || who.known.all.of(t.block, t.index) >= t.epoch;
  // A thread that polls repeats this query for the same token.
  if (std::find(who.taken.begin(), who.taken.end(), t.version) != who.taken.end()) return true;
  if (!who.known.covers(t.known)) return false;
  who.taken[who.next_taken++ % who.taken.size()] = t.version;
  return true;
}

void model::state::miss(agent& who, missed m) {
  if (m.by == who.number) return;
  for (missed& each : who.misses)
    if (each.by == m.by && each.to == m.to && each.from == m.from && each.why == m.why) {
      each.epoch = m.epoch;
      return;
    }
  if (who.misses.size() >= 8) who.misses.erase(who.misses.begin());
  who.misses.push_back(m);
}

bool model::state::is_strong_pair(agent const& who, access const& a, message const& m) const {
  if (!is_strong(a.semantics)) return false;
  if (m.is_host) return a.scope == scope::sys;
  return is_strong(m.semantics) && m.who != no_agent &&
         (m.who == who.number || inclusive(m.scope, *agents[m.who].block, a.scope, *who.block));
}

void model::state::take(agent& who, tokens const& from, void const* where, emulator::scope s, bool acquires, u32 code,
                        message const* m) {
  for (token const& t : from.all) {
    if (t.from == who.number && t.block != no_agent) continue;
    if (has(who, t)) continue;
    if (acquires && matches(t, who, s)) {
      t.give(who.known);
      continue;
    }
    note_observed(*who.block, t);
    // A wait at a barrier observes an arrival only if the two are morally strong. (`m`: that was checked already.)
    bool const observes = m || matches(t, who, s);
    if ((acquires || !observes) && t.from != no_agent && t.code != no_agent) {
      bool const release = !includes(t.scope, agents.block(t.from_block), *who.block);
      miss(who, {release ? missed::reason::release_scope : missed::reason::acquire_scope, t.from, t.from_epoch, t.code,
                 code, t.scope, s});
    }
    if (!observes) continue;
    if (m && t.is_next && t.from != no_agent && !includes(t.scope, agents.block(t.from_block), *who.block))
      note_promise(who, {.why = promise::reason::release_fence,
                         .flag = where,
                         .by = m->who,
                         .written = m->code,
                         .read = code,
                         .fence = t.code,
                         .scope = t.scope,
                         .given = std::make_shared<token const>(t)});
    auto found = std::find_if(who.pending.begin(), who.pending.end(), [&](auto const& o) { return o.where == where; });
    if (found == who.pending.end()) {
      if (who.pending.size() >= 64) who.pending.erase(who.pending.begin());
      found = who.pending.insert(who.pending.end(), observed{where, code, {}});
    }
    found->code = code;
    found->tokens.add(t);
  }
}

void model::state::acquire_pending(agent& who, emulator::scope s, u32 code, void const* where, bool for_shared) {
  for (observed& o : who.pending) {
    if (where && o.where != where) continue;
    std::erase_if(o.tokens.all, [&](token const& t) {
      if (matches(t, who, s)) {
        if (for_shared) t.give_for_shared(who.known);
        else t.give(who.known);
        return !for_shared || t.is_restricted(); // a later fence may acquire the rest
      }
      if (t.from != no_agent && t.code != no_agent) {
        bool const release = !includes(t.scope, agents.block(t.from_block), *who.block);
        miss(who, {release ? missed::reason::release_scope : missed::reason::acquire_scope, t.from, t.from_epoch,
                   t.code, code, t.scope, s});
      }
      if (!where && who.last_where == o.where && t.from != no_agent &&
          !includes(s, *who.block, agents.block(t.from_block)) &&
          includes(t.scope, agents.block(t.from_block), *who.block))
        note_promise(who, {.why = promise::reason::acquire_fence,
                           .flag = o.where,
                           .by = t.from,
                           .written = t.code,
                           .read = o.code,
                           .fence = code,
                           .scope = s,
                           .given = std::make_shared<token const>(t)});
      return has(who, t);
    });
  }
  std::erase_if(who.pending, [](observed const& o) { return o.tokens.all.empty(); });
}

void model::state::observe(agent& who, access const& a, u32 code, message const& m) {
  bool const now = acquires(a.semantics);
  if (is_strong(a.semantics)) note_observed(*who.block, m);
  if (is_strong_pair(who, a, m)) {
    if (m.tokens.all.empty() && m.who != no_agent)
      miss(who, {missed::reason::no_release, m.who, m.epoch, m.code, code, m.scope, a.scope});
    take(who, m.tokens, a.where, a.scope, now, code, &m);
    if (now) acquire_pending(who, a.scope, code, a.where);
  } else if (m.who != no_agent) {
    auto why = missed::reason::weak;
    if (is_strong(m.semantics) && is_strong(a.semantics))
      why = includes(m.scope, *agents[m.who].block, *who.block) ? missed::reason::acquire_scope
                                                                : missed::reason::release_scope;
    miss(who, {why, m.who, m.epoch, m.code, code, m.scope, a.scope});
  }
}

tokens model::state::carried(agent const& who, std::byte const* where, emulator::scope s, bool releases, u32 code) {
  tokens result;
  for (token t : who.fences.all) {
    t.is_next = t.from_epoch == who.fresh_fence;
    result.add(std::move(t));
  }
  for (auto const& [location, t] : who.released)
    if (location == where) result.add(t);
  if (releases) result.add(agents::released_by(who, s, code));
  return result;
}

tokens& model::state::phase_of(void const* object, u64 phase, agent const& who, u32 epoch, emulator::scope scope) {
  barrier_object& b = barriers[object];
  barrier_object::arrival& last = b.last[phase % b.last.size()];
  if (last.phase != phase) last = {.phase = phase};
  last.who = who.number;
  last.epoch = epoch;
  last.scope = scope;
  auto& phases = b.phases;
  for (auto& [number, tokens] : phases)
    if (number == phase) return tokens;
  tokens before;
  // An mbarrier is one location, and arrivals are read-modify-writes of it: a phase passes on what the one before had.
  if (!phases.empty() && regions.holding(reinterpret_cast<std::uintptr_t>(object))) before = phases.back().second;
  if (phases.size() >= 4) phases.erase(phases.begin());
  return phases.emplace_back(phase, std::move(before)).second;
}

void model::fence(action const& a, semantics order, scope s, bool is_sc, bool is_restricted) {
  std::lock_guard const lock(state_->mutex);
  state& all = *state_;
  agent& who = all.agents.of(a.who);
  u32 const code = all.code_locations.of(a);
  all.settle(who, is_sc || acquires(order));
  if (is_sc) // the order of fence.sc is the order of execution, and each synchronizes with the later ones
    for (token const& t : all.fences.all)
      if (!all.has(who, t) && all.matches(t, who, s)) t.give(who.known);
  if (is_sc || acquires(order)) all.acquire_pending(who, s, code, nullptr, is_restricted);
  if (!is_sc && !releases(order)) return;
  token made = agents::released_by(who, s, code);
  if (is_restricted) made.restrict_to(who.block->number);
  std::erase_if(who.fences.all, [&](token const& t) { return t.scope <= s && (!is_restricted || t.is_restricted()); });
  who.fences.add(made);
  if (is_sc) all.fences.add(made);
  // A fence that also acquires, right after a strong read, is probably the acquire of that read.
  who.fresh_fence = who.has_just_read && (is_sc || acquires(order)) ? 0 : who.epoch;
  who.last_event = who.epoch;
  agents::advance(who);
}

void model::proxy_fence(action const& a, bool global, bool shared) {
  std::lock_guard const lock(state_->mutex);
  agent& who = state_->agents.of(a.who);
  for (std::size_t s = 0; s < 2; ++s) {
    if (!(s == 0 ? global : shared)) continue;
    who.known.fenced[s] = s == knowledge::shared_memory ? who.known.all_of(knowledge::any_block) : who.known.all;
    who.fenced_epoch[s] = who.epoch;
  }
  who.last_event = who.epoch;
  agents::advance(who);
}

void model::arrive(action const& a, void const* object, std::uint64_t phase, scope s, bool releases) {
  std::lock_guard const lock(state_->mutex);
  state& all = *state_;
  agent& who = all.agents.of(a.who);
  all.settle(who, false);
  who.has_just_read = false;
  u32 const code = all.code_locations.of(a);
  tokens& there = all.phase_of(object, phase, who, who.epoch, s);
  for (token t : who.fences.all) {
    t.scope = std::min(t.scope, s);
    there.add(std::move(t));
  }
  if (releases) there.add(agents::released_by(who, s, code));
  who.last_event = who.epoch;
  agents::advance(who); // so an epoch has one arrival
  if (!releases) return;
  for (token& t : there.all)
    if (t.from_block == who.block->number && t.scope == s && t.block == no_agent && !t.is_restricted()) {
      all.agents.level(t.known.all, *who.block);
      for (shared_clock& fenced : t.known.fenced) all.agents.level(fenced, *who.block);
    }
}

void model::leave(action const& a, void const* object, std::uint64_t phase, scope s, bool acquires) {
  std::lock_guard const lock(state_->mutex);
  state& all = *state_;
  agent& who = all.agents.of(a.who);
  who.has_just_read = false;
  auto const found = all.barriers.find(object);
  if (found == all.barriers.end()) return;
  u32 const code = all.code_locations.of(a);
  for (auto const& [number, tokens] : found->second.phases)
    if (number == phase) all.take(who, tokens, object, s, acquires, code);
  if (acquires) all.acquire_pending(who, s, code, object);
  auto& last = found->second.last[phase % found->second.last.size()];
  if (last.phase == phase && last.seen_by.size() < most_seen_by &&
      std::ranges::none_of(last.seen_by, [&](auto const& s) { return s.who == who.number; }) &&
      !all.agents.knows_in_shared(who, knowledge::any_block, last.who, last.epoch)) {
    last.seen_by.push_back({who.number, who.epoch, s});
    who.last_event = who.epoch;
  }
}

void model::begin_barrier(action const& a, void const* object) {
  std::lock_guard const lock(state_->mutex);
  agent& who = state_->agents.of(a.who);
  barrier_object& b = state_->barriers[object];
  b = {.made_by = who.number, .made_epoch = who.epoch, .made_at = state_->code_locations.of(a)};
  who.last_event = who.epoch;
}

void model::use_barrier(action const& a, void const* object) {
  std::lock_guard const lock(state_->mutex);
  state& all = *state_;
  auto const found = all.barriers.find(object);
  if (found == all.barriers.end() || found->second.made_by == no_agent) return;
  barrier_object const& b = found->second;
  agent const& who = all.agents.of(a.who);
  if (all.agents.knows_in_shared(who, knowledge::any_block, b.made_by, b.made_epoch)) return;
  u32 const code = all.code_locations.of(a);
  agent const& maker = all.agents[b.made_by];
  mark const made{.who = b.made_by, .epoch = b.made_epoch, .code = b.made_at};
  access const use{{a}, nullptr, 8, semantics::weak, scope::none};
  all.report_finding("race",
                     "race: the initialization of an mbarrier and its use are not ordered\n  first:  " +
                         all.described(maker, b.made_at) + "\n  second: " + all.described(who, code) +
                         "\n  why:    " + all.explained(all.cause_of(who, use, made, false), use, made),
                     {{&maker, b.made_at}, {&who, code}});
}

bool model::knows_phase(action const& a, void const* object, std::uint64_t phase) {
  std::lock_guard const lock(state_->mutex);
  state& all = *state_;
  auto const found = all.barriers.find(object);
  if (found == all.barriers.end()) return true;
  auto const& last = found->second.last[phase % found->second.last.size()];
  agent const& who = all.agents.of(a.who);
  auto const knows = [&](u32 number, u32 epoch) {
    return all.agents.knows_in_shared(who, knowledge::any_block, number, epoch);
  };
  return last.phase != phase || knows(last.who, last.epoch) ||
         std::ranges::any_of(last.seen_by, [&](auto const& s) { return knows(s.who, s.epoch); });
}

void model::forget(void const* object) {
  std::lock_guard const lock(state_->mutex);
  if (state_->barriers.erase(object)) state_->forget_visits(object);
}

} // namespace emulator::check
