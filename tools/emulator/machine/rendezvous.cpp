// SPDX-License-Identifier: Apache-2.0
//
// rendezvous: see the header.
#include "rendezvous.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "resident.hpp"

#include <cstdio>

namespace emulator {
namespace {

void complete(warp& w, std::size_t index) {
  auto& groups = w.rendezvous->groups;
  rendezvous::group const group = groups[index];
  groups[index] = groups.back();
  groups.pop_back();
  group.complete(w, group.arrived);
  if (is_checked_run()) the_observer().lanes_met(w, group.arrived);
  for (std::uint32_t lanes = group.arrived; lanes; lanes &= lanes - 1) {
    thread& t = *w.threads[std::size_t(std::countr_zero(lanes))];
    make_ready(t);
    ++t.pc;
  }
}

bool is_complete(rendezvous::group const& g, warp const& w) {
  return !(g.mask & ~(g.arrived | g.excused | w.finished));
}

} // namespace

operation const* meet_lanes(thread& t, operation const* o, std::uint32_t mask, rendezvous_function function,
                            std::uint32_t excused) {
  warp& w = *t.warp;
  std::uint32_t const self = 1u << t.lane;
  if (!(mask & self)) {
    char text[64];
    std::snprintf(text, sizeof text, "divergence: lane %u is not in its mask 0x%08x", unsigned(t.lane), unsigned(mask));
    fail(t, 715, text);
  }
  auto& groups = w.rendezvous->groups;
  std::size_t index = 0;
  while (index < groups.size() &&
         !(groups[index].complete == function && groups[index].variant == o->extra && groups[index].mask == mask))
    ++index;
  if (index == groups.size()) groups.push_back({function, o->extra, mask, 0, 0});
  groups[index].arrived |= self;
  groups[index].excused = excused;
  t.state = state::at_warp;
  t.pc = o;
  if (!is_complete(groups[index], w)) return nullptr;
  complete(w, index);
  return t.pc;
}

void complete_without_exited(warp& w) {
  auto& groups = w.rendezvous->groups;
  for (std::size_t i = 0; i < groups.size();) {
    if (is_complete(groups[i], w)) complete(w, i);
    else ++i;
  }
}

} // namespace emulator
