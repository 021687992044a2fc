// SPDX-License-Identifier: Apache-2.0
//
// elect.sync: one lane among all: the lowest, and any where a run is checked.  [PTX ISA, "elect.sync"]
#include "../machine/mode.hpp"
#include "../machine/observer.hpp"
#include "support/lanes.hpp"

namespace emulator {
namespace {

void elect(warp& w, u32 lanes) {
  u32 candidates = lanes;
  if (is_checked_run()) // whichever
    for (u32 n = the_observer().choose_below(u32(std::popcount(lanes))); n; --n) candidates &= candidates - 1;
  int const leader = std::countr_zero(candidates);
  for_each_lane(w, lanes, [&](int lane, operation const& o, u64* r) {
    put(r, o.d, u32(leader));
    put(r, slot(o.extra), u64(lane == leader));
  });
}

void decode(decoder& d) {
  require_sync(d);
  if (d.sm() < 90) d.refuse("it needs sm_90");
  auto const to = take_destination_pair(d, 0);
  emit_meeting<elect>(d, d.source(1, ptx::scalar::u32), to.value).extra = to.predicate;
}

definition const elect_definition("elect", ".sync, d|p; the lowest lane", decode);

} // namespace
} // namespace emulator
