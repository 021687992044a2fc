// SPDX-License-Identifier: Apache-2.0
//
// tensor_maps: the proxy that reads tensor maps.  [PTX ISA, "membar, fence", fence.proxy.tensormap]
// A thread that changed a map did so through the generic proxy. A release fence, by a thread that knows of the change,
// releases it, as all that the thread knows. A copy sees the change after an acquire fence of this map, by a thread
// that knows of the release, if the copy's thread knows of the acquire. The end of a grid is no such fence. The scope
// of each of the two fences includes the thread of the other one.
#include "model_state.hpp"

#include <algorithm>

namespace emulator::check {

namespace {

/// Of so many releases the scopes are compared. After more, a release counts for every thread that knows of it.
constexpr std::size_t most_releases = 256;

} // namespace

void model::tensor_map_fence(action const& a, std::byte const* where, scope s) {
  std::lock_guard const lock(state_->mutex);
  agents& agents = state_->agents;
  agent& who = agents.of(a.who);
  auto& all = state_->map_fences[where];
  std::erase_if(all, [&](map_fence const& f) { return f.who == who.number; });
  map_fence made{.who = who.number,
                 .epoch = who.epoch,
                 .known = who.known.all,
                 .released = {},
                 .released_epoch = who.fenced_epoch[knowledge::released_maps]};
  if (state_->map_releases.size() > most_releases) made.released = who.known.fenced[knowledge::released_maps];
  else
    for (map_release const& r : state_->map_releases)
      if (agents.knows(who, r.who, r.epoch) && inclusive(r.scope, *agents[r.who].block, s, *who.block))
        made.released.join(r.known);
  all.push_back(std::move(made));
  who.last_event = who.epoch;
  agents::advance(who);
}

void model::tensor_map_release(action const& a, scope s) {
  std::lock_guard const lock(state_->mutex);
  agent& who = state_->agents.of(a.who);
  if (state_->map_releases.size() <= most_releases) {
    map_release& made = state_->map_releases.emplace_back(who.number, who.epoch, s, who.known.all);
    made.known.raise(who.block->number, who.index, who.epoch);
  }
  who.known.fenced[knowledge::released_maps] = who.known.all;
  who.fenced_epoch[knowledge::released_maps] = who.epoch;
  who.last_event = who.epoch;
  agents::advance(who);
}

namespace {

/// Whether `who` knows a fence of the map for which `covers` says that the access precedes it.
template <class State, class F>
bool knows_any(State const& s, agent const& who, std::byte const* map, F covers) {
  auto const found = s.map_fences.find(map);
  if (found == s.map_fences.end()) return false;
  return std::ranges::any_of(found->second,
                             [&](map_fence const& f) { return s.agents.knows(who, f.who, f.epoch) && covers(f); });
}

} // namespace

bool model::state::knows_map_fenced(agent const& who, std::byte const* map, mark const& earlier) const {
  return knows_any(*this, who, map, [&](map_fence const& f) {
    return f.who == earlier.who ? earlier.epoch <= f.released_epoch
                                : agents.knows(agents[f.who], f.released, earlier.who, earlier.epoch);
  });
}

bool model::state::knows_map_acquired(agent const& who, std::byte const* map, mark const& earlier) const {
  return knows_any(*this, who, map, [&](map_fence const& f) {
    return f.who == earlier.who ? earlier.epoch <= f.epoch
                                : agents.knows(agents[f.who], f.known, earlier.who, earlier.epoch);
  });
}

} // namespace emulator::check
