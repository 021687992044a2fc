// SPDX-License-Identifier: Apache-2.0
//
// elect.sync: one lane among all: the lowest. Where a run is checked, any, but the same for each call with the same
// mask, which PTX promises.  [PTX ISA, "elect.sync"]
#include "../machine/mode.hpp"
#include "../machine/observer.hpp"
#include "support/waiting/lanes.hpp"

namespace emulator {
namespace {

void elect(warp& w, u32 lanes) {
  u32 candidates = lanes;
  if (is_checked_run()) {
    static u32 const of_run = the_observer().choose_below(~0u);
    u32 const mixed = u32((lanes ^ of_run) * 0x9E37'79B9'7F4A'7C15u >> 32);
    for (u32 n = mixed % u32(std::popcount(lanes)); n; --n) candidates &= candidates - 1;
  }
  int const leader = std::countr_zero(candidates);
  for_each_lane(w, lanes, [&](int lane, operation const& o, u64* r) {
    put(r, o.d, u32(leader));
    put(r, slot(o.extra), u64(lane == leader));
  });
}

void decode(decoder& d) {
  require_sync(d);
  if (d.sm() < 90) d.reject("it needs sm_90");
  auto const to = take_destination_pair(d, 0);
  emit_meeting<elect>(d, d.source(1, ptx::scalar::u32), to.value).extra = to.predicate;
}

definition const elect_definition("elect", ".sync, d|p; the lowest lane", decode);

} // namespace
} // namespace emulator
