// SPDX-License-Identifier: Apache-2.0
//
// shfl.sync: lanes read each other's registers.  [PTX ISA, "shfl.sync"]
// A lane that reads from a lane that does not take part gets its own value; PTX does not define one.
#include "support/waiting/lanes.hpp"

namespace emulator {
namespace {

enum class mode { up, down, bfly, idx };

template <mode Mode>
void shuffle(warp& w, u32 lanes) {
  u32 values[32];
  for_each_lane(w, lanes, [&](int lane, operation const& o, u64* r) { values[lane] = get<u32>(r, o.a); });
  for_each_lane(w, lanes, [&](int lane, operation const& o, u64* r) {
    int const b = int(get<u32>(r, o.b) & 31);
    u32 const c = get<u32>(r, o.c);
    int const clamp = int(c & 31), segment = int(c >> 8 & 31);
    int const first = lane & segment, last = first | (clamp & ~segment);
    int from = lane;
    bool in_range = false;
    if constexpr (Mode == mode::up) from = lane - b, in_range = from >= last;
    else if constexpr (Mode == mode::down) from = lane + b, in_range = from <= last;
    else if constexpr (Mode == mode::bfly) from = lane ^ b, in_range = from <= last;
    else from = first | (b & ~segment), in_range = from <= last;
    if (!in_range || !(lanes >> from & 1)) from = lane;
    put(r, o.d, values[from]);
    put(r, slot(o.extra), u64(in_range));
  });
}

/// The predicate's slot is in extra, which is not compared between the lanes.
template <mode Mode>
void emit(decoder& d) {
  auto const to = take_destination_pair(d, 0);
  slot const a = d.source(1, ptx::scalar::b32), b = d.source(2, ptx::scalar::u32), c = d.source(3, ptx::scalar::u32);
  emit_meeting<shuffle<Mode>>(d, d.source(4, ptx::scalar::u32), to.value, a, b, c).extra = to.predicate;
}

void decode(decoder& d) {
  require_sync(d);
  d.take_type({ptx::scalar::b32});
  auto const which = d.take_one_of({"up", "down", "bfly", "idx"});
  if (which == "up") emit<mode::up>(d);
  else if (which == "down") emit<mode::down>(d);
  else if (which == "bfly") emit<mode::bfly>(d);
  else if (which == "idx") emit<mode::idx>(d);
  else d.reject("it needs .up, .down, .bfly or .idx");
}

definition const shfl_definition("shfl", ".sync .up .down .bfly .idx, .b32, d|p", decode);

} // namespace
} // namespace emulator
