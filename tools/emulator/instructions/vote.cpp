// SPDX-License-Identifier: Apache-2.0
//
// vote.sync: combines a predicate of all lanes.  [PTX ISA, "vote.sync"]
#include "support/waiting/lanes.hpp"

namespace emulator {
namespace {

enum class mode { all, any, uni, ballot };

template <mode Mode>
void vote(warp& w, u32 lanes) {
  u32 ballot = 0;
  for_each_lane(w, lanes, [&](int lane, operation const& o, u64* r) { ballot |= u32(r[o.a] != 0) << lane; });
  u64 const result = Mode == mode::ballot ? ballot
                     : Mode == mode::all  ? ballot == lanes
                     : Mode == mode::any  ? ballot != 0
                                          : ballot == 0 || ballot == lanes;
  for_each_lane(w, lanes, [&](int, operation const& o, u64* r) { r[o.d] = result; });
}

template <mode Mode>
void emit(decoder& d) {
  slot const a = d.source(1, ptx::scalar::pred);
  emit_meeting<vote<Mode>>(d, d.source(2, ptx::scalar::u32), d.destination(0), a);
}

void decode(decoder& d) {
  require_sync(d);
  auto const which = d.take_one_of({"all", "any", "uni", "ballot"});
  d.take_type({which == "ballot" ? ptx::scalar::b32 : ptx::scalar::pred});
  if (which == "all") emit<mode::all>(d);
  else if (which == "any") emit<mode::any>(d);
  else if (which == "uni") emit<mode::uni>(d);
  else if (which == "ballot") emit<mode::ballot>(d);
  else d.reject("it needs .all, .any, .uni or .ballot");
}

definition const vote_definition("vote", ".sync .all .any .uni .pred, .sync .ballot .b32", decode);

} // namespace
} // namespace emulator
