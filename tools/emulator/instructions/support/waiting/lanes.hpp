// SPDX-License-Identifier: Apache-2.0
//
// lanes: what instructions share whose lanes meet (machine/rendezvous).
#pragma once

#include "../../../machine/decoder.hpp"
#include "../../../machine/rendezvous.hpp"

namespace emulator {

/// A handler: meets the lanes of the mask in slot e, and Complete calculates for all of them.
template <rendezvous_function Complete>
operation const* meet_lanes_of_mask(thread& t, operation const* o, std::uint64_t* registers) {
  return meet_lanes(t, o, get<u32>(registers, o->e), Complete);
}

/// Emits it.
template <rendezvous_function Complete>
operation& emit_meeting(decoder& d, slot mask, slot destination = 0, slot a = 0, slot b = 0, slot c = 0) {
  operation& o = d.emit(returns_next<meet_lanes_of_mask<Complete>>, destination, a, b, c);
  o.e = mask;
  return o;
}

/// Slots of `d|p` or `d`; a predicate that no instruction reads where there is none.
struct destination_pair {
  slot value, predicate;
};
inline destination_pair take_destination_pair(decoder& d, std::size_t index) {
  ptx::operand const& o = d.operand(index);
  if (o.kind != ptx::operand_kind::pair) return {d.destination(o), d.scratch()};
  return {d.destination(o.parts.at(0)), d.destination(o.parts.at(1))};
}

inline void require_sync(decoder& d) {
  if (!d.take("sync")) d.reject("without .sync it is not on sm_70 and newer; write it with .sync and a mask of lanes");
}

} // namespace emulator
