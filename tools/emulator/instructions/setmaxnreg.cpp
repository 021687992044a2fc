// SPDX-License-Identifier: Apache-2.0
//
// setmaxnreg: changes how many hardware registers a warp owns (machine/registers). An increase waits until other warps
// of the block have given up enough.  [PTX ISA, "setmaxnreg"]
#include "../machine/resident.hpp"
#include "support/waiting/lanes.hpp"

namespace emulator {
namespace {

/// Lanes meet; then each of them waits in a second operation while the warp waits.
template <bool Increases>
void change(warp& w, u32 lanes) {
  thread const& t = *w.threads[std::size_t(std::countr_zero(lanes))];
  change_registers(w, Increases, u32(t.pc->extra));
}

operation const* await(thread& t, operation const* o, std::uint64_t*) {
  if (!t.warp->awaited_registers) return o + 1;
  t.pc = o;
  t.state = state::at_pool;
  return nullptr;
}

void decode(decoder& d) {
  if (d.sm() < 90) d.reject("it needs sm_90a");
  std::string_view const what = d.take_one_of({"inc", "dec"});
  if (what.empty()) d.reject("it needs .inc or .dec");
  d.take("sync");
  d.take("aligned");
  d.take_type({ptx::scalar::u32});
  std::int64_t const n = d.constant(0);
  if (n < 24 || n > 256 || n % 8) d.reject("the number is one from 24 to 256, in steps of 8");
  slot const all = d.slot_of(~u32(0));
  operation& meeting = what == "inc" ? emit_meeting<change<true>>(d, all) : emit_meeting<change<false>>(d, all);
  meeting.extra = decltype(meeting.extra)(n);
  d.emit(returns_next<await>);
}

definition const setmaxnreg_definition("setmaxnreg", ".inc .dec .sync .aligned .u32", decode);

} // namespace
} // namespace emulator
