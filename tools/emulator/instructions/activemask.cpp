// SPDX-License-Identifier: Apache-2.0
//
// activemask: lanes that run together with this one. Lanes of the emulator run one after the other, so each is alone,
// which is a legal answer. Where a run is checked, it may also be together with others that have come to the same
// place; except directly before `bar.warp.sync` of the result. The two together mean that the lanes that run together
// meet: a lane that is alone does nothing there.
#include "../machine/observer.hpp"
#include "support/memory/access.hpp"
#include "support/waiting/meeting_of_active.hpp"

namespace emulator {
namespace {

u32 active_lanes(thread const& t) { return 1u << t.lane; }

void activemask(thread& t, std::uint64_t* registers, operation const& o) { put(registers, o.d, active_lanes(t)); }

/// Sometimes waits for other lanes; then some of the lanes that are here get one answer.
operation const* activemask_checked(thread& t, operation const* o, std::uint64_t* registers) {
  if (the_observer().choose_below(2)) {
    t.pc = o;
    t.budget = 0;
    return nullptr;
  }
  u32 mask = active_lanes(t);
  for (thread* const other : t.warp->threads)
    if (other && other != &t && other->state == state::ready && other->pc == o && the_observer().choose_below(4))
      mask |= active_lanes(*other);
  for (thread* const other : t.warp->threads) {
    if (!other || other == &t || !(mask & active_lanes(*other))) continue;
    put(other->frame->registers, o->d, mask);
    ++other->pc;
  }
  put(registers, o->d, mask);
  return next_unless_turn_is_over(t, o);
}

void decode(decoder& d) {
  d.take_type({ptx::scalar::b32});
  bool const gathers = is_checked_run() && !is_meeting_of_active(d.instruction, d.function().next_instruction());
  d.emit(gathers ? returns_next<activemask_checked> : accesses<activemask>, d.destination(0));
}

definition const activemask_definition("activemask", ".b32; the lane alone", decode);

} // namespace
} // namespace emulator
