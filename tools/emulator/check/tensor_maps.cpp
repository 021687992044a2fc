// SPDX-License-Identifier: Apache-2.0
//
// tensor_maps: the proxy that reads tensor maps.  [PTX ISA, "membar, fence", fence.proxy.tensormap]
// A thread that changed a map did so through the generic proxy. A copy sees it after an acquire fence of this map that
// knows of the change, in whatever thread, and that the copy's thread knows of. The end of a grid is no such fence.
#include "model_state.hpp"

#include <algorithm>

namespace emulator::check {

void model::tensor_map_fence(action const& a, std::byte const* where) {
  std::lock_guard const lock(state_->mutex);
  agent& who = state_->agents.of(a.who);
  auto& all = state_->map_fences[where];
  std::erase_if(all, [&](map_fence const& f) { return f.who == who.number; });
  all.push_back({who.number, who.epoch, who.known.all});
  who.last_event = who.epoch;
  agents::advance(who);
}

bool model::state::knows_map_fenced(agent const& who, std::byte const* map, mark const& earlier) const {
  auto const found = map_fences.find(map);
  if (found == map_fences.end()) return false;
  return std::ranges::any_of(found->second, [&](map_fence const& f) {
    if (!agents.knows(who, f.who, f.epoch)) return false;
    if (f.who == earlier.who) return earlier.epoch <= f.epoch;
    return agents.knows(agents[f.who], f.known, earlier.who, earlier.epoch);
  });
}

} // namespace emulator::check
